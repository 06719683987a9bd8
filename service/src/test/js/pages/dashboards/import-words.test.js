import {
  choicesText,
  choiceWords,
  contentsWords,
  doneWords,
  effectWords,
  figureWords,
  filtersOf,
  importWords,
  keyed,
  linesOf,
  optionsOf,
  percent,
  reportLines,
  settleOf,
  totals,
  treeOf,
} from "/app/pages/dashboards/import-words.js";
import { equal, holds, test } from "/test/harness.js";

const FIGURES = {
  dashboards: 1,
  views: 0,
  panels: 2,
  columns: 4,
  carried: 1,
  replaced: 0,
  waits: 2,
  choose: 0,
  missing: 1,
  cannot: 0,
  answerable: 1,
  invalid: 0,
};
const column = (name, outcome, more = {}) => ({
  name,
  title: name.toUpperCase(),
  keys: ["cpu|usage_average"],
  outcome,
  text: "`cpu|usage_average`; mean, 7 days",
  collectors: [],
  objects: 300,
  reporting: outcome === "carried" ? 291 : 0,
  ...more,
});
const panel = (name, outcome, columns = [], more = {}) => ({
  name,
  title: name,
  from: "View",
  type: "table",
  outcome,
  text: "",
  columnCount: Math.max(1, columns.length),
  answerable: columns.filter((c) => c.outcome === "carried").length,
  columns,
  ...more,
});
const dashboard = (name, panels, more = {}) => ({
  id: name,
  name,
  folder: null,
  state: "new",
  action: "create",
  reason: "",
  changes: [],
  errors: [],
  outcome: "carried",
  text: "",
  columnCount: 4,
  answerable: 1,
  panels,
  ...more,
});
const result = (dashboards, more = {}) => ({
  file: "export.zip",
  format: "vrops",
  figures: FIGURES,
  sources: [{ name: "vcenter", title: "vCenter collector", columns: 2 }],
  settle: [],
  dashboards,
  views: [],
  problems: [],
  ...more,
});
const QUIET = panel("quiet", "carried", [column("a", "carried")]);
const LACKS = panel("lacks", "carried", [column("b", "missing"), column("c", "waits"), column("d", "waits")]);
const titles = (lines) => lines.map(({ part }) => part.title);

test("A share is rounded as the service does it, and of nothing it is the whole", () =>
  equal([percent(194, 312), percent(0, 4), percent(0, 0)], [62, 0, 100]));

test("The line below the one figure names the collector that brings most, and what there is then", () => {
  const two = {
    columns: 312,
    answerable: 194,
    sources: [
      { name: "vcenter", title: "vCenter collector", columns: 90 },
      { name: "esxtop", title: "esxtop", columns: 2 },
    ],
  };
  equal(figureWords(two), { share: "91 %", text: "with the vCenter collector. 194 of 312 columns now, 284 then." });
  equal(figureWords({ ...two, sources: [] }), { share: null, text: "194 of 312 columns now." });
});

test("Several files have the figures and sources of all of them, the source that brings most first", () => {
  const other = result([], {
    sources: [
      { name: "esxtop", title: "esxtop", columns: 5 },
      { name: "vcenter", title: "vCenter collector", columns: 1 },
    ],
    superMetrics: { counts: { items: 3, created: 2, overwritten: 1 } },
  });
  const t = totals([result([dashboard("One", [QUIET, LACKS])]), other]);
  equal([t.columns, t.waits, t.superMetrics], [8, 4, 3]);
  equal(
    t.sources.map((s) => [s.name, s.columns]),
    [
      ["esxtop", 5],
      ["vcenter", 3],
    ],
  );
  equal(t.actions, { create: 3, overwrite: 1, skip: 0, dashboards: 1, views: 0 });
  equal(
    contentsWords([result([]), other]),
    "vRealize or VCF Operations, 2 dashboards, 4 panels, 3 super metrics, 8 columns",
  );
});

for (const [actions, button, done] of [
  [{ create: 6, overwrite: 1, skip: 0, dashboards: 6, views: 1 }, "Import all 6", "6 created, 1 overwritten"],
  [{ create: 1, overwrite: 0, skip: 2, dashboards: 0, views: 1 }, "Import 1 view", "1 created, 2 left as they were"],
  [
    { create: 2, overwrite: 0, skip: 1, dashboards: 0, views: 0 },
    "Import 2 super metrics",
    "2 created, 1 left as it was",
  ],
  [{ create: 0, overwrite: 0, skip: 0, dashboards: 0, views: 0 }, "Import", "nothing"],
])
  test(`The button of ${JSON.stringify(actions)} says "${button}", and then "${done}" is said`, () =>
    equal([importWords({ actions }), doneWords({ actions })], [button, done]));

test("The tree is open where a person is needed, and nowhere else", () => {
  const tree = treeOf([result([dashboard("One", [QUIET, LACKS]), dashboard("Two", [QUIET])])]);
  equal(titles(linesOf(tree, "all", new Map())), ["One", "quiet", "lacks", "B", "C", "D", "Two"]);
  equal(titles(linesOf(treeOf([result([dashboard("Two", [QUIET])])]), "all", new Map())), ["Two", "quiet"]);
});

test("What somebody closed stays closed, and what they opened stays open", () => {
  const tree = treeOf([result([dashboard("One", [QUIET, LACKS]), dashboard("Two", [QUIET])])]);
  const folded = new Map([
    [tree[0].key, false],
    [tree[1].key, true],
  ]);
  equal(titles(linesOf(tree, "all", folded)), ["One", "Two", "quiet"]);
});

test("A filter shows the columns that it is about with all that is above them", () => {
  const tree = treeOf([result([dashboard("One", [QUIET, LACKS]), dashboard("Two", [QUIET])])]);
  equal(titles(linesOf(tree, "needs", new Map())), ["One", "lacks", "B"]);
  equal(titles(linesOf(tree, "waits", new Map())), ["One", "lacks", "C", "D"]);
  equal(
    filtersOf(totals([result([])])).map(([, words]) => words),
    ["Needs you 1", "Waits 2", "All 4"],
  );
});

test("A dashboard that cannot be stored is open, so that its mistakes are seen", () => {
  const wrong = dashboard("Wrong", [], { state: "invalid", errors: [{ field: "panels.a", reason: "has no type" }] });
  const lines = linesOf(treeOf([result([wrong, dashboard("Two", [QUIET])])]), "all", new Map());
  equal(
    lines.map((line) => [line.part.title, line.can, line.open]),
    [
      ["Wrong", true, true],
      ["Two", true, false],
    ],
  );
});

test("A panel that waits for a choice does not open for columns that only wait with it", () => {
  const tied = panel("tied", "choose", [column("a", "choose")]);
  const tree = treeOf([result([dashboard("One", [tied]), dashboard("Two", [QUIET])])]);
  equal(titles(linesOf(tree, "all", new Map())), ["One", "tied", "Two"]);
});

test("A view stands in the tree by itself only where its columns count there or something is to be said of it", () => {
  const view = (name, more) => ({ ...dashboard(name, undefined, { from: "list", ...more }), columns: [], ...more });
  const tree = treeOf([
    result([], {
      views: [
        view("Shown", {}),
        view("Alone", { columns: [column("a", "carried")] }),
        view("Another", { state: "changed", changes: ["The column a is new."] }),
      ],
    }),
  ]);
  equal(
    tree.map((root) => root.title),
    ["View Alone", "View Another"],
  );
});

test("Each line says how much has data today: objects of a column, columns of a panel, a share of a dashboard", () => {
  const tree = treeOf([
    result([dashboard("One", [LACKS, panel("text", "cannot"), panel("n", "carried", [column("a", "carried")])])]),
  ]);
  const data = (part) => [part.data, ...part.children.flatMap(data)];
  equal(data(tree[0]), ["25 %", "0 of 3", "0 of 300", "0 of 300", "0 of 300", "-", "1 of 1", "291 of 300"]);
});

test("A dashboard that is stored otherwise says how many changes there are, and one that cannot be stored why", () => {
  const says = (more) => treeOf([result([dashboard("One", [], more)])])[0].text;
  equal(says({}), "0 panels, 4 columns");
  equal(says({ state: "changed", changes: ["a", "b"] }), "0 panels, 4 columns; 2 changes");
  equal(says({ state: "invalid", reason: "It has mistakes." }), "0 panels, 4 columns; It has mistakes.");
});

test("What cannot be taken over says what is offered in its place", () => {
  const badge = panel("badge", "cannot", [], { text: "no badge here", proposal: { value: "x", text: "open alerts" } });
  equal(treeOf([result([dashboard("One", [badge])])])[0].children[0].text, "no badge here; offered: open alerts");
});

test("Keys between backquotes are told from words", () =>
  equal(keyed("`cpu|ready`, percentile 95 of `x`"), [
    ["cpu|ready", true],
    [", percentile 95 of ", false],
    ["x", true],
  ]));

test("The report as a file has a line for each dashboard, panel and column, without marks of keys", () => {
  const lines = reportLines([result([dashboard("One", [QUIET])])]);
  equal(lines.length, 4);
  equal(lines[1].slice(0, 5), ["export.zip", "One", "", "", "carried"]);
  equal(lines[2].slice(0, 5), ["export.zip", "One", "quiet", "", "carried"]);
  equal(lines[3], [
    "export.zip",
    "One",
    "quiet",
    "A",
    "carried",
    "cpu|usage_average; mean, 7 days",
    "cpu|usage_average",
    "",
    "",
    300,
    291,
  ]);
});

const CLUSTER = {
  key: "object:VMWARE/ClusterComputeResource/prod-cl-01",
  outcome: "choose",
  name: "prod-cl-01",
  text: "panels are tied to this ClusterComputeResource, which is not here",
  places: 3,
  proposal: { value: "Cluster B", text: "nearest by name" },
  choices: ["Cluster B", "Cluster A", "ask"],
};
const METRIC = {
  key: "superMetric:1",
  outcome: "missing",
  name: "sm_7f21",
  text: "",
  places: 2,
  choices: ["Latency"],
};

test("The nearest proposal stands first among what can be chosen, and what nobody can be asked can be left open", () => {
  equal(optionsOf(CLUSTER, "Cluster B"), ["Cluster B", "Cluster A", "ask"]);
  equal(optionsOf(METRIC, ""), ["Latency", ""]);
  equal(optionsOf(METRIC, "Of another page"), ["Latency", "Of another page", ""]);
  equal(["ask", "", "Cluster B"].map(choiceWords), ["ask the viewer", "leave open", "Cluster B"]);
});

test("A choice says what it comes to", () => {
  equal(effectWords(CLUSTER, "Cluster B"), "nearest by name");
  equal(effectWords(CLUSTER, "Cluster A"), "your choice");
  equal(effectWords(CLUSTER, "ask"), "becomes a variable");
  equal(effectWords(METRIC, ""), "says so in the panel");
});

test("A part of the tree leads to what it waits for, by its name or its title", () => {
  const view = { ...METRIC, key: "view:1", name: 'View of "Old VMs"' };
  const all = [{ ...CLUSTER, name: "prod" }, CLUSTER, METRIC, view];
  const of = (outcome, text, title = "x") => settleOf({ outcome, text, title }, all)?.key ?? null;
  equal(of("choose", "prod-cl-01 is not here; becomes $cluster"), CLUSTER.key);
  equal(settleOf({ outcome: "choose", text: "PROD-CL-01 is not here", title: "x" }, all), CLUSTER);
  equal(of("missing", 'super metric "sm_7f21"; is in neither the file nor here'), METRIC.key);
  equal(of("missing", "its view is in neither the file nor here", "Old VMs"), "view:1");
  equal(of("carried", "prod-cl-01"), null);
  equal(of("missing", "prod-cl-01"), null);
});

test("Choices are sent as JSON without those left open, and no more than an address holds", () => {
  const two = [
    ["a", "x"],
    ["b", ""],
  ];
  equal(choicesText(two), { text: '{"a":"x"}', left: 0 });
  equal(choicesText([["b", ""]]), { text: null, left: 0 });
  const many = choicesText(
    Array.from({ length: 400 }, (_, i) => [`object:VMWARE/HostSystem/esx-${i}`, `east-prod-esx${i}`]),
  );
  holds(many.left > 0 && encodeURIComponent(many.text).length <= 9000, `${many.left} are left`);
  equal(Object.keys(JSON.parse(many.text)).length + many.left, 400);
});
