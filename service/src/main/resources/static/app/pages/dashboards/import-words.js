// What an import of dashboards says: its figures, its tree of dashboards, panels and columns, and what there is to
// settle.
import { count, NONE, plural } from "../../core/format.js";

/** What becomes of a part of a file, and what that means, in the order of the bar. */
export const OUTCOMES = {
  carried: "the same",
  replaced: "by something near",
  waits: "for a collector",
  choose: "an object is not here",
  missing: "not in the file",
  cannot: "says why",
};
/** The choice that makes a variable of an object that is not here. */
const ASK = "ask";
const FORMATS = { peerlens: "Peerlens", vrops: "vRealize or VCF Operations" };
const SUMMED = ["dashboards", "views", "panels", "columns", ...Object.keys(OUTCOMES), "answerable", "invalid"];
const STATE_WORDS = { new: "", same: "same", changed: "changed", conflict: "conflict", invalid: "invalid" };

/** Whether a person has to do something about it. */
const needsOne = (outcome) => outcome === "choose" || outcome === "missing";

/** A share in percent, as the service rounds it; of nothing it is 100. */
export const percent = (some, all) => (all ? Math.round((some / all) * 100) : 100);

/** What would bring the rest of some files, the most first. */
function sourcesOf(results) {
  const sources = new Map();
  for (const { name, title, columns } of results.flatMap((r) => r.sources))
    sources.set(name, { name, title, columns: columns + (sources.get(name)?.columns ?? 0) });
  return [...sources.values()].sort((a, b) => b.columns - a.columns);
}

/** What an import does with dashboards, views and super metrics: how many it creates, overwrites and leaves. */
function actionsOf(results) {
  const actions = { create: 0, overwrite: 0, skip: 0, dashboards: 0, views: 0 };
  for (const { dashboards, views, superMetrics } of results) {
    for (const item of [...dashboards, ...views]) actions[item.action]++;
    actions.dashboards += dashboards.filter((d) => d.action !== "skip").length;
    actions.views += views.filter((v) => v.action !== "skip").length;
    actions.create += superMetrics?.counts.created ?? 0;
    actions.overwrite += superMetrics?.counts.overwritten ?? 0;
  }
  return actions;
}

/**
 * The figures of several files together.
 * @returns {any}
 */
export function totals(/** @type {any[]} */ results) {
  const sums = Object.fromEntries(SUMMED.map((name) => [name, results.reduce((sum, r) => sum + r.figures[name], 0)]));
  return {
    ...sums,
    superMetrics: results.reduce((sum, r) => sum + (r.superMetrics?.counts.items ?? 0), 0),
    sources: sourcesOf(results),
    actions: actionsOf(results),
  };
}

/** A collector in the middle of a sentence. */
const sourceWords = ({ name, title }) => (name === "vcenter" ? `the ${title}` : title);

/** The line below the one figure: what it would be with the collector that brings most. */
export function figureWords({ columns, answerable, sources }) {
  const now = `${count(answerable)} of ${plural(columns, "column")} now`;
  const [most] = sources;
  if (!most) return { share: null, text: `${now}.` };
  const then = answerable + most.columns;
  return { share: `${percent(then, columns)} %`, text: `with ${sourceWords(most)}. ${now}, ${count(then)} then.` };
}

/** What is in the files: "vRealize or VCF Operations, 6 dashboards, 58 panels, 312 columns". */
export function contentsWords(results) {
  const t = totals(results);
  const formats = [...new Set(results.map((r) => FORMATS[r.format] ?? r.format))];
  return [
    formats.join(" and "),
    plural(t.dashboards, "dashboard"),
    plural(t.panels, "panel"),
    t.views ? plural(t.views, "view") : "",
    t.superMetrics ? plural(t.superMetrics, "super metric") : "",
    plural(t.columns, "column"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** What the button says that imports. */
export function importWords({ actions: { create, overwrite, dashboards, views } }) {
  if (!create && !overwrite) return "Import";
  if (dashboards) return `Import all ${count(dashboards)}`;
  return views ? `Import ${plural(views, "view")}` : `Import ${plural(create + overwrite, "super metric")}`;
}

/** What was done, or would be: "6 created, 2 overwritten, 1 left as it was". */
export function doneWords({ actions: { create, overwrite, skip } }) {
  const parts = [
    create ? `${count(create)} created` : "",
    overwrite ? `${count(overwrite)} overwritten` : "",
    skip ? `${count(skip)} left as ${skip === 1 ? "it was" : "they were"}` : "",
  ];
  return parts.filter(Boolean).join(", ") || "nothing";
}

// ------------------------------------------------------------------------------------------------ the tree

const dataOf = (some, all) => `${count(some)} of ${count(all)}`;

const offered = (text, proposal, outcome) =>
  proposal && outcome === "cannot" ? [text, `offered: ${proposal.text}`].filter(Boolean).join("; ") : text;

/** A part of the tree with what is below it, and whether a person or data are needed anywhere in it. */
function node(of, children = []) {
  const has = (test) => test(of.outcome) || children.some((c) => (test === needsOne ? c.needs : c.waits));
  return { ...of, children, needs: has(needsOne), waits: has((outcome) => outcome === "waits") };
}

const columnNode = (key, column, i) =>
  node({
    key: `${key} ${i} ${column.name}`,
    level: 3,
    title: column.title || column.name,
    outcome: column.outcome,
    text: offered(column.text, column.proposal, column.outcome),
    data: column.objects === null ? NONE : dataOf(column.reporting ?? 0, column.objects),
    keys: column.keys,
    item: column,
  });

function panelNode(key, panel, i) {
  const own = `${key} ${i} ${panel.name}`;
  return node(
    {
      key: own,
      level: 2,
      title: panel.title || panel.name || panel.from,
      outcome: panel.outcome,
      text: offered(panel.text, panel.proposal, panel.outcome),
      data:
        panel.columns.length || panel.columnCount > 1 || panel.outcome === "waits"
          ? dataOf(panel.answerable, panel.columnCount)
          : NONE,
      keys: [],
      item: panel,
    },
    panel.columns.map((c, at) => columnNode(own, c, at)),
  );
}

/** What a dashboard or view of the file is against what is stored. */
function storedWords({ state, reason, changes }) {
  if (state === "changed") return plural(changes.length, "change");
  return state === "conflict" || state === "invalid" ? reason : "";
}

const rootOf = (key, file, kind, item, words, children) =>
  node(
    {
      key,
      file,
      kind,
      level: 1,
      title: kind === "view" ? `View ${item.name}` : item.name,
      outcome: null,
      state: item.state,
      stateWord: STATE_WORDS[item.state] ?? item.state,
      text: [...new Set([words, item.text, storedWords(item)])].filter(Boolean).join("; "),
      data: item.columnCount ? `${percent(item.answerable, item.columnCount)} %` : NONE,
      keys: [],
      item,
    },
    children,
  );

/** Whether a view stands in the tree by itself: its columns count there, or something is to be said of it. */
const standsAlone = (view) => view.columns.length > 0 || view.state === "changed" || view.errors.length > 0;

/** Dashboards with their panels and columns, then views that stand by themselves; a tree for each. */
export const treeOf = (/** @type {any[]} */ results) =>
  results.flatMap((result, at) => [
    ...result.dashboards.map((d, i) =>
      rootOf(
        `${at} d${i}`,
        result.file,
        "dashboard",
        d,
        `${plural(d.panels.length, "panel")}, ${plural(d.columnCount, "column")}`,
        d.panels.map((p, n) => panelNode(`${at} d${i}`, p, n)),
      ),
    ),
    ...result.views.flatMap((v, i) =>
      standsAlone(v)
        ? [
            rootOf(
              `${at} v${i}`,
              result.file,
              "view",
              v,
              plural(v.columnCount, "column"),
              v.columns.map((c, n) => columnNode(`${at} v${i}`, c, n)),
            ),
          ]
        : [],
    ),
  ]);

const FILTERS = { needs: (n) => n.needs, waits: (n) => n.waits, all: () => true };

/** The filters with how many columns each of them shows. */
export const filtersOf = ({ choose, missing, waits, columns }) => [
  ["needs", `Needs you ${count(choose + missing)}`],
  ["waits", `Waits ${count(waits)}`],
  ["all", `All ${count(columns)}`],
];

/** Whether what is below a part needs a person by itself, and not only because the part does. */
const opensFor = (part) => part.children.some((c) => c.needs && (c.outcome !== "choose" || part.outcome !== "choose"));

/**
 * The lines in sight, each `{ part, file, open, can }`, where `can` says whether there is anything to open. They are open
 * where a person is needed or something is wrong, where a filter looks for something, and where somebody opened them
 * (`folded`, by key: true is open).
 */
export function linesOf(tree, filter, folded) {
  const wanted = FILTERS[filter] ?? FILTERS.all;
  const lines = [];
  const walk = (part, file) => {
    if (!wanted(part)) return;
    const tells = part.level === 1 && (tree.length === 1 || part.item.errors.length > 0);
    const usual = filter !== "all" || opensFor(part) || tells;
    const can = part.children.length > 0 || isTold(part);
    const open = can && (folded.get(part.key) ?? usual);
    lines.push({ part, file, open, can });
    if (open) for (const child of part.children) walk(child, file);
  };
  for (const root of tree) walk(root, root.file);
  return lines;
}

/** Whether a dashboard or view has something to say besides its panels: what changed, what is wrong. */
export const isTold = (part) => part.level === 1 && part.item.changes.length + part.item.errors.length > 0;

/** A text with keys between backquotes as `[words, isKey]`. */
export const keyed = (text) =>
  text
    .split("`")
    .map((words, i) => [words, i % 2 === 1])
    .filter(([words]) => words !== "");

const HEAD = [
  "File",
  "Dashboard or view",
  "Panel",
  "Column",
  "State",
  "What happens",
  "Keys",
  "Columns",
  "With data",
  "Objects",
  "Report it today",
];

/** The report as lines of a file: one for each dashboard, view, panel and column. */
export function reportLines(results) {
  const lines = [HEAD];
  const add = (file, above, part) => {
    const path = [...above, part.title];
    const isColumn = part.level === 3;
    const { columnCount, answerable, objects, reporting, outcome } = part.item;
    lines.push([
      file,
      path[0],
      part.level === 2 ? part.title : isColumn && above.length > 1 ? above[1] : "",
      isColumn ? part.title : "",
      outcome,
      part.text.replaceAll("`", ""),
      part.keys.join(" "),
      columnCount ?? "",
      answerable ?? "",
      objects ?? "",
      reporting ?? "",
    ]);
    for (const child of part.children) add(file, path, child);
  };
  for (const root of treeOf(results)) add(root.file, [], root);
  return lines;
}

// ------------------------------------------------------------------------------------------------ to settle

/** What a choice is called: "" leaves it open. */
export const choiceWords = (value) => (value === ASK ? "ask the viewer" : value === "" ? "leave open" : value);

/** What can be chosen, the nearest first, and to leave it open where nobody can be asked. */
export function optionsOf({ choices, proposal }, chosen) {
  const all = [...new Set([...(proposal?.value ? [proposal.value] : []), ...choices, ...(chosen ? [chosen] : [])])];
  return all.includes(ASK) ? all : [...all, ""];
}

/** What a choice comes to. */
export function effectWords({ proposal, outcome }, chosen) {
  if (chosen === ASK) return "becomes a variable";
  if (chosen === "") return outcome === "choose" ? "asks whoever looks" : "says so in the panel";
  return chosen === proposal?.value ? proposal.text : "your choice";
}

/** The one thing to settle that a part of the tree waits for; null when that is not known. */
export function settleOf(part, settle) {
  if (!needsOne(part.outcome)) return null;
  const text = part.text.toLowerCase();
  const found = settle.filter(
    (s) => s.outcome === part.outcome && (text.includes(s.name.toLowerCase()) || s.name === `View of "${part.title}"`),
  );
  return found.sort((a, b) => b.name.length - a.name.length)[0] ?? null;
}

/** Choices as the request has them, without those left open; as many as an address holds. */
export function choicesText(choices, most = 9000) {
  const sent = [];
  let [size, left] = [6, 0];
  for (const [key, value] of choices) {
    if (value === "") continue;
    const own = encodeURIComponent(`${JSON.stringify(key)}:${JSON.stringify(value)},`).length;
    if (size + own > most) left++;
    else {
      size += own;
      sent.push([key, value]);
    }
  }
  return { text: sent.length ? JSON.stringify(Object.fromEntries(sent)) : null, left };
}
