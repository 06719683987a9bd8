// The list of groups: each as a strip with its deviants, its events on a day, and what changed last.
import { html, nothing } from "../../core/html.js";
import { count, number, plural } from "../../core/format.js";
import { byState, deviantsOf, GROUP_STATES, groupShape, metricShown, stateWord } from "../../core/outliers.js";
import { kindWord } from "../../core/metrics.js";
import { DAY, duration, lastTick, moment, range } from "../../core/time.js";
import { href, param } from "../../core/url.js";
import { cells } from "../../parts/columns.js";
import { deviantText, deviantToken, lane, strip } from "../../parts/peers.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";
import { agoText, againstText, nameOf, scoreText, sensitivityName, valueText } from "./words.js";

const byName = (a, b) => a.name.localeCompare(b.name);
export const GROUP_ORDERS = {
  deviants: byState,
  name: byName,
  judged: (a, b) => b.now.judged - a.now.judged,
  open: (a, b) => b.openEvents - a.openEvents,
  month: (a, b) => b.events30d - a.events30d,
  changed: (a, b) => (b.lastChange ?? "").localeCompare(a.lastChange ?? ""),
};
export { byName };

const IS = { open: (g) => g.openEvents > 0, disabled: (g) => !g.enabled, odd: (g) => g.issues.length > 0 };

/**
 * Whether a group is what the filter asks for: words that occur in it, `kind:`, `is:`, `tag:`, `metric:` and `member:`
 * for deviants.
 */
export function groupMatches(group, text) {
  const all =
    `${group.name} ${group.description ?? ""} ${group.metrics.map((m) => `${nameOf(m)} ${m.key}`).join(" ")} ${deviantsOf(
      group,
    )
      .map((d) => d.object.name)
      .join(" ")}`.toLowerCase();
  return words(text).every((word) => {
    const colon = word.indexOf(":");
    const value = word.slice(colon + 1);
    switch (word.slice(0, Math.max(0, colon))) {
      case "kind":
        return value.split(",").includes(group.objectKind.objectKind);
      case "is":
        return IS[value]?.(group) ?? group.now.state === value;
      case "tag":
        return (group.scope.tags ?? []).some((t) => t === value || t.startsWith(`${value}=`));
      case "metric":
        return group.metrics.some((m) => m.key === value || nameOf(m).toLowerCase() === value.toLowerCase());
      default:
        return all.includes(word.toLowerCase());
    }
  });
}

/** What the last word of the filter could become. */
export function groupCompletions(text, groups) {
  const last = (text.split(/\s+/).at(-1) ?? "").toLowerCase();
  const unique = (list) => [...new Set(list)].sort();
  const all = [
    ...["open", ...GROUP_STATES].map((s) => `is:${s}`),
    ...unique(groups.map((g) => `kind:${g.objectKind.objectKind}`)),
    ...unique(groups.flatMap((g) => (g.scope.tags ?? []).map((t) => `tag:${t}`))),
  ];
  return all.filter((o) => o !== last && o.toLowerCase().includes(last)).slice(0, 9);
}

const laneToken = (span) => (span.to === null ? "--deviant-1" : "--peer-strong");

/** In how many properties a member differs. */
const configured = (d) => plural(d.properties, "property differs", "properties differ");

/** Who differs, each with its value against the middle; else the state of the group. */
function deviantCell(group, deviants) {
  if (!deviants.length)
    return group.now.state === "split"
      ? html`<b class="split-word"
          >split
          ${metricShown(group)
            ?.bands.map((b) => b.members)
            .join(" : ") ?? ""}</b
        >`
      : html`<span class="m">${group.now.error ?? stateWord(group.now.state)}</span>`;
  const [first, ...rest] = deviants;
  const token = deviantText(deviantToken(0, deviants.length));
  const list = deviants
    .map(
      (d) =>
        `${d.object.name}: ${d.metric ? `${valueText(d.value, d.metric)}, score ${scoreText(d.score)}` : configured(d)}`,
    )
    .join("\n");
  return html`<span title=${list}
    ><a class="strong" .style=${`color:var(${token})`} href=${href(`/outliers/${group.id}`, { event: first.event })}
      >${first.object.name}</a
    >
    <span class="s12 i2"
      >${first.metric ? againstText(first.value, first.metric.centre, first.metric) : configured(first)}</span
    >${rest.length ? html` <span class="m s12">+${rest.length}</span>` : nothing}</span
  >`;
}

function metricCell(group, metric) {
  const out = group.now.metrics.filter((m) => m !== metric && m.deviants.length);
  const shown = metric ?? group.metrics[0];
  const name = shown ? nameOf(shown) : "";
  const more = out.length
    ? html` <span class="m s12" title=${`also ${out.map(nameOf).join(", ")}`}>+${out.length}</span>`
    : nothing;
  return html`${name}${more}`;
}

const stripOf = (metric, size) =>
  metric
    ? strip(
        {
          ticks: metric.ticks,
          centre: metric.centre,
          lower: metric.lower,
          upper: metric.upper,
          bands: metric.bands,
          count: metric.judged,
          deviants: metric.deviants.map((d) => ({
            value: d.value,
            words: `${d.object.name} ${valueText(d.value, metric)}, score ${scoreText(d.score)}`,
          })),
          label: `${nameOf(metric)}: ${metric.centre === null ? stateWord(metric.state) : `median ${valueText(metric.centre, metric)}`}${metric.deviants.length ? `, out: ${metric.deviants.map((d) => `${d.object.name} ${valueText(d.value, metric)}`).join(", ")}` : ""}`,
        },
        size,
      )
    : strip({}, size);

export { stripOf };

/** What several cells of a row say of a group. */
function about(group) {
  const deviants = deviantsOf(group);
  return {
    deviants,
    metric: metricShown(group),
    asks: deviants.length > 0 || ["split", "group-wide"].includes(group.now.state),
  };
}

function eventLane(group) {
  const to = lastTick();
  const spans = group.events24h.map((s) => ({
    from: Date.parse(s.from),
    to: s.to === null ? null : Date.parse(s.to),
    token: laneToken(s),
    words: `${moment(Date.parse(s.from))} to ${s.to === null ? "now" : moment(Date.parse(s.to))}, ${s.severity}`,
  }));
  return lane(spans, {
    from: to - DAY,
    to,
    window: range(),
    label: spans.length ? plural(spans.length, "event") : "no events",
  });
}

const judgedCell = ({ now: { judged, members } }) =>
  html`${count(judged)}${judged === members ? nothing : html` <span class="m">of ${count(members)}</span>`}`;
const ago = (time) => (time ? moment(Date.parse(time)) : "nothing ever opened");

// `sort` marks what the page can sort by; `col` is a class with a width that follows the window.
const COLUMNS = {
  name: {
    list: "name",
    name: "Group",
    sort: true,
    td: (_, { asks }) => (asks ? "strong" : ""),
    title: (g) => g.description ?? g.name,
    cell: (g) => html`<a href=${href(`/outliers/${g.id}`)}>${g.name}</a>`,
  },
  judged: {
    list: "long",
    name: "Judged",
    sort: true,
    col: "w-judged",
    least: 78,
    cls: "r",
    title: ({ now, objectKind }) =>
      `${now.judged} of ${now.members} ${kindWord(objectKind.objectKind, now.members)} judged`,
    cell: judgedCell,
  },
  metric: {
    list: "value",
    name: "Metric",
    col: "w-metric",
    least: 116,
    td: (_, { asks }) => (asks ? "i2" : "m"),
    title: (_, { metric }) => metric?.key,
    cell: (g, { metric }) => metricCell(g, metric),
  },
  now: {
    name: "Now, each tick a member",
    col: "w-strip",
    least: 176,
    cell: (g, { metric, asks }) =>
      html`<a href=${href(`/outliers/${g.id}`)} tabindex="-1"
        >${stripOf(metric, { width: 214, height: asks ? 22 : 18 })}</a
      >`,
  },
  deviants: {
    list: "what",
    name: "Deviants",
    sort: true,
    col: "w-deviants",
    least: 186,
    cell: (g, { deviants }) => deviantCell(g, deviants),
  },
  day: { name: "Events in 24 h", cls: "prio-3", col: "w-lane", least: 126, cell: eventLane },
  open: {
    name: "Open",
    sort: true,
    col: "w-few",
    least: 58,
    cls: "r",
    cell: (g) => (g.openEvents ? html`<b>${count(g.openEvents)}</b>` : html`<span class="m">0</span>`),
  },
  month: {
    name: "30 days",
    sort: true,
    col: "w-few",
    cls: "r prio-3 wide-only",
    td: "m",
    cell: (g) => count(g.events30d),
  },
  changed: {
    name: "Last change",
    hint: "when an event opened or closed last",
    sort: true,
    col: "w-ago",
    cls: "prio-3",
    td: "m",
    title: (g) => ago(g.lastChange),
    cell: (g) => agoText(g.lastChange),
  },
  kind: { name: "Kind", width: 92, td: "m", cell: (g) => kindWord(g.objectKind.objectKind) },
  metrics: {
    name: "Compared in",
    hint: "all metrics of the group",
    td: "m",
    title: (g) => g.metrics.map((m) => m.key).join(", "),
    cell: (g) => g.metrics.map(nameOf).join(", "),
  },
  sensitivity: {
    name: "Sensitivity",
    width: 96,
    td: "m",
    cell: (g) => `${sensitivityName(g.opensAt)} ${number(g.opensAt, 3)}`,
  },
  bucket: { name: "Bucket", width: 76, cls: "r", td: "m", cell: (g) => duration(g.bucketMillis) },
  expected: {
    name: "Expected",
    hint: "marked members",
    width: 84,
    cls: "r",
    td: "m",
    cell: (g) => count(g.exceptions.length),
  },
  updated: {
    name: "Edited",
    hint: "when its definition was changed last",
    width: 104,
    cls: "r",
    td: "m",
    cell: (g) => moment(Date.parse(g.updatedAt)),
  },
  by: { name: "Edited by", width: 104, td: "m", cell: (g) => g.updatedBy },
};
const USUAL = ["name", "judged", "metric", "now", "deviants", "day", "open", "month", "changed"];
const column = (id) => ({ id, ...COLUMNS[id] });
export const groupColumns = {
  available: () => Object.keys(COLUMNS).map(column),
  shown: (chosen) => (chosen ?? USUAL).filter((id) => id in COLUMNS).map(column),
};

function groupRow(group, rows, shown) {
  const more = about(group);
  const { deviants, asks } = more;
  const word = deviants[0]?.severity ?? stateWord(group.now.state);
  return html`<tr
    class="${rows.isOn(group) ? "sel" : ""} ${deviants.length ? "dev" : asks ? "" : "quiet"}"
    aria-selected=${rows.selected.has(group.id)}
    @click=${(e) => rows.click(e, group)}
    @dblclick=${() => rows.open(group)}
  >
    ${rows.pick(group, shape(groupShape(group), 12, word || "alike"))}${cells(shown, group, more)}
  </tr>`;
}

export function groupTable(list, rows, columns) {
  const shown = groupColumns.shown(columns.chosen());
  return columns.table(
    shown,
    { name: "groups", lead: "w-pick", leadWidth: 52, room: 120, usual: "deviants" },
    rows.body(list, (g) => groupRow(g, rows, shown)),
  );
}

/** "3 deviants in 42 groups, 1,012 members judged at 14:25". */
export function groupsNote(groups) {
  if (!groups?.length) return "";
  const out = groups.reduce((n, g) => n + deviantsOf(g).length, 0);
  const judged = groups.reduce((n, g) => n + g.now.judged, 0);
  const newest = groups.reduce((t, g) => Math.max(t, g.now.bucket ? Date.parse(g.now.bucket) + g.bucketMillis : 0), 0);
  return `${plural(out, "deviant")} in ${plural(groups.length, "group")}, ${plural(judged, "member")} judged${newest ? ` at ${moment(newest)}` : ""}`;
}

export const filterEmpty = (drop) =>
  html`<div class="empty">
    Nothing
    matches.${param("q")
      .match(/(?:[^\s"]|"[^"]*"?)+/g)
      ?.map((t) => html` <button class="link mono" @click=${() => drop(t)}>${t}</button>`) ?? nothing}
  </div>`;
