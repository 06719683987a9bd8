// The list of groups: each as a strip with its deviants, its events on a day, and what changed last.
import { html, nothing } from "../core/html.js";
import { count, plural } from "../core/format.js";
import { byState, deviantsOf, GROUP_STATES, groupShape, metricShown, stateWord } from "../core/outliers.js";
import { kindWord } from "../core/metrics.js";
import { DAY, lastTick, moment, range } from "../core/time.js";
import { href, param } from "../core/url.js";
import { deviantText, deviantToken, lane, strip } from "../parts/peers.js";
import { shape } from "../parts/shapes.js";
import { words } from "./explorer-filter.js";
import { agoText, againstText, nameOf, scoreText, valueText } from "./outliers-words.js";

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

/** Whether a group is what the filter asks for: words that occur in it, `kind:`, `is:`, `tag:`, `metric:` and `member:` for deviants. */
export function groupMatches(group, text) {
  const all = `${group.name} ${group.description ?? ""} ${group.metrics.map((m) => `${nameOf(m)} ${m.key}`).join(" ")} ${deviantsOf(group).map((d) => d.object.name).join(" ")}`.toLowerCase();
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
  const all = [...["open", ...GROUP_STATES].map((s) => `is:${s}`), ...unique(groups.map((g) => `kind:${g.objectKind.objectKind}`)), ...unique(groups.flatMap((g) => (g.scope.tags ?? []).map((t) => `tag:${t}`)))];
  return all.filter((o) => o !== last && o.toLowerCase().includes(last)).slice(0, 9);
}

const laneToken = (span) => (span.to === null ? "--deviant-1" : "--peer-strong");

/** Who differs, each with its value against the middle; else the state of the group. */
function deviantCell(group, deviants) {
  if (!deviants.length) return group.now.state === "split" ? html`<b class="split-word">split ${metricShown(group)?.bands.map((b) => b.members).join(" : ") ?? ""}</b>` : html`<span class="m">${group.now.error ?? stateWord(group.now.state)}</span>`;
  const [first, ...rest] = deviants;
  const token = deviantText(deviantToken(0, deviants.length));
  const list = deviants.map((d) => `${d.object.name}: ${valueText(d.value, d.metric)}, score ${scoreText(d.score)}`).join("\n");
  return html`<span title=${list}><a class="strong" .style=${`color:var(${token})`} href=${href(`/outliers/${group.id}`, { event: first.event })}>${first.object.name}</a> <span class="s12 i2">${againstText(first.value, first.metric.centre, first.metric)}</span>${rest.length ? html` <span class="m s12">+${rest.length}</span>` : nothing}</span>`;
}

function metricCell(group, metric) {
  const out = group.now.metrics.filter((m) => m !== metric && m.deviants.length);
  const shown = metric ?? group.metrics[0];
  const name = shown ? nameOf(shown) : "";
  const more = out.length ? html` <span class="m s12" title=${`also ${out.map(nameOf).join(", ")}`}>+${out.length}</span>` : nothing;
  return html`${name}${more}`;
}

const stripOf = (group, metric, size) => (metric
  ? strip({ ticks: metric.ticks, centre: metric.centre, lower: metric.lower, upper: metric.upper, bands: metric.bands, count: metric.judged,
    deviants: metric.deviants.map((d) => ({ value: d.value, words: `${d.object.name} ${valueText(d.value, metric)}, score ${scoreText(d.score)}` })),
    label: `${nameOf(metric)}: ${metric.centre === null ? stateWord(metric.state) : `median ${valueText(metric.centre, metric)}`}${metric.deviants.length ? `, out: ${metric.deviants.map((d) => `${d.object.name} ${valueText(d.value, metric)}`).join(", ")}` : ""}` }, size)
  : strip({}, size));

export { stripOf };

export function groupRow(group, rows) {
  const deviants = deviantsOf(group);
  const metric = metricShown(group);
  const { judged, members } = group.now;
  const asks = deviants.length || ["split", "group-wide"].includes(group.now.state);
  const to = lastTick();
  const word = deviants[0]?.severity ?? stateWord(group.now.state);
  const spans = group.events24h.map((s) => ({ from: Date.parse(s.from), to: s.to === null ? null : Date.parse(s.to), token: laneToken(s), words: `${moment(Date.parse(s.from))} to ${s.to === null ? "now" : moment(Date.parse(s.to))}, ${s.severity}` }));
  return html`<tr class="${rows.isOn(group) ? "sel" : ""} ${deviants.length ? "dev" : asks ? "" : "quiet"}" aria-selected=${rows.selected.has(group.id)} @click=${(e) => rows.click(e, group)} @dblclick=${() => rows.open(group)}>
    ${rows.pick(group, shape(groupShape(group), 12, word || "alike"))}
    <td class=${asks ? "strong" : ""} title=${group.description ?? group.name}><a href=${href(`/outliers/${group.id}`)}>${group.name}</a></td>
    <td class="r" title=${`${judged} of ${members} ${kindWord(group.objectKind.objectKind, members)} judged`}>${count(judged)}${judged === members ? nothing : html` <span class="m">of ${count(members)}</span>`}</td>
    <td class=${asks ? "i2" : "m"} title=${metric?.key ?? nothing}>${metricCell(group, metric)}</td>
    <td><a href=${href(`/outliers/${group.id}`)} tabindex="-1">${stripOf(group, metric, { width: 214, height: asks ? 22 : 18 })}</a></td>
    <td>${deviantCell(group, deviants)}</td>
    <td class="prio-3">${lane(spans, { from: to - DAY, to, window: range(), label: spans.length ? plural(spans.length, "event") : "no events" })}</td>
    <td class="r">${group.openEvents ? html`<b>${count(group.openEvents)}</b>` : html`<span class="m">0</span>`}</td>
    <td class="r m prio-3 wide-only">${count(group.events30d)}</td>
    <td class="m prio-3" title=${group.lastChange ? moment(Date.parse(group.lastChange)) : "nothing ever opened"}>${agoText(group.lastChange)}</td></tr>`;
}

export function groupTable(list, rows) {
  const head = (id, name, cls) => rows.head(id, name, cls, "deviants");
  return html`<table class="groups"><colgroup><col class="w-pick" /><col /><col class="w-judged" /><col class="w-metric" /><col class="w-strip" /><col class="w-deviants" /><col class="w-lane prio-3" /><col class="w-few" /><col class="w-few prio-3 wide-only" /><col class="w-ago prio-3" /></colgroup>
    <thead><tr><th></th>${head("name", "Group")}${head("judged", "Judged", "r")}<th>Metric</th><th>Now, each tick a member</th>${head("deviants", "Deviants")}<th class="prio-3">Events in 24 h</th>${head("open", "Open", "r")}${head("month", "30 days", "r prio-3 wide-only")}${head("changed", "Last change", "prio-3")}</tr></thead>
    ${rows.body(list, (g) => groupRow(g, rows))}</table>`;
}

/** "3 deviants in 42 groups, 1,012 members judged at 14:25". */
export function groupsNote(groups) {
  if (!groups?.length) return "";
  const out = groups.reduce((n, g) => n + deviantsOf(g).length, 0);
  const judged = groups.reduce((n, g) => n + g.now.judged, 0);
  const newest = groups.reduce((t, g) => Math.max(t, g.now.bucket ? Date.parse(g.now.bucket) + g.bucketMillis : 0), 0);
  return `${plural(out, "deviant")} in ${plural(groups.length, "group")}, ${plural(judged, "member")} judged${newest ? ` at ${moment(newest)}` : ""}`;
}

export const filterEmpty = (drop) => html`<div class="empty">Nothing matches.${param("q").match(/(?:[^\s"]|"[^"]*"?)+/g)?.map((t) => html` <button class="link mono" @click=${() => drop(t)}>${t}</button>`) ?? nothing}</div>`;
