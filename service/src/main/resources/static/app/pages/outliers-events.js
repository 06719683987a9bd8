// Events of groups as a list: those that are open or were lately, and the archive of all that are over.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { post } from "../core/api.js";
import { alertsChanged } from "../core/alerts.js";
import { count, plural } from "../core/format.js";
import { rank } from "../core/severity.js";
import { may, NEEDS } from "../core/session.js";
import { duration, moment } from "../core/time.js";
import { href } from "../core/url.js";
import { asCsv, download } from "../parts/download.js";
import { notice } from "../parts/notice.js";
import { severityShape, shape } from "../parts/shapes.js";
import { chip } from "../parts/small.js";
import { closedWords, eventNumber, isOver, lasted, nameOf, scoreText, subjectOf, valueText } from "./outliers-words.js";

const MOST = 1000;
const byNumber = (a, b) => b.number - a.number;

export const EVENT_ORDERS = {
  opened: (a, b) => Number(isOver(a)) - Number(isOver(b)) || b.since.localeCompare(a.since),
  member: (a, b) => subjectOf(a).localeCompare(subjectOf(b)),
  group: (a, b) => a.group.name.localeCompare(b.group.name),
  score: (a, b) => Math.abs(b.peakScore) - Math.abs(a.peakScore),
  severity: (a, b) => rank(b.severity) - rank(a.severity),
  lasted: (a, b) => lasted(b) - lasted(a),
};
export { byNumber };

export const eventText = (e) => `${eventNumber(e)} ${subjectOf(e)} ${e.group.name} ${e.metrics.map(nameOf).join(" ")}`.toLowerCase();

export const eventShape = (e, size = 12) => (isOver(e) ? severityShape(null, size, "closed") : e.status === "unknown" ? shape("unknown", size, "no data now") : severityShape(e.severity, size));

/** Puts events into the archive, or takes them out again; says so and can be taken back. */
export async function archive(events, on = true) {
  if (!may("operator")) return notice(NEEDS);
  const list = events.filter((e) => Boolean(e.archivedAt) !== on);
  if (!list.length) return notice(on ? "Archived already" : "Not archived");
  try {
    const results = [];
    for (let i = 0; i < list.length; i += MOST) results.push(...(await post("/outlier-events/actions", { ids: list.slice(i, i + MOST).map((e) => e.id), action: on ? "archive" : "unarchive" })).items);
    const refused = results.find((r) => !r.done);
    const done = list.filter((e) => results.some((r) => r.id === e.id && r.done)).map((e) => ({ ...e, archivedAt: on ? new Date().toISOString() : null }));
    notice(`${plural(done.length, "event")} ${on ? "archived" : "back in the list"}${refused ? `; ${count(results.length - done.length)} not: ${refused.reason}` : ""}`, { seconds: 10, undo: done.length ? () => archive(done, !on) : null });
  } catch (error) {
    notice(`Not done: ${error.message}`, { seconds: 8 });
  }
  alertsChanged();
  redraw();
}

/** The listed events as a file. */
export function saveEvents(format, events) {
  const head = ["number", "id", "group", "object", "status", "severity", "side", "metrics", "value", "lower", "upper", "peakScore", "since", "openedAt", "closedAt", "closeReason", "flaps", "explanation"];
  const line = (e) => [`O-${e.number}`, e.id, e.group.name, e.object?.name, e.status, e.severity, e.side, e.metrics.map((m) => m.key).join(" "), e.metrics[0]?.value, e.metrics[0]?.lower, e.metrics[0]?.upper, e.peakScore, e.since, e.openedAt, e.closedAt, e.closeReason, e.flaps, e.explanation.text];
  download("outlier-events", format, format === "csv" ? asCsv([head, ...events.map(line)]) : JSON.stringify(events, null, 2), plural(events.length, "event"));
}

function row(e, rows) {
  const [m] = e.metrics;
  const over = isOver(e);
  const named = { ...e, name: subjectOf(e) };
  const state = over ? (closedWords(e) || "closed") : e.status === "unknown" ? "no data now" : `open for ${duration(lasted(e))}`;
  return html`<tr class="${rows.isOn(e) ? "sel" : ""} ${over ? "quiet" : "dev"}" aria-selected=${rows.selected.has(e.id)} @click=${(event) => rows.click(event, e)} @dblclick=${() => rows.open(e)}>
    ${rows.pick(named, eventShape(e))}
    <td class=${over ? "" : "strong"} title=${e.explanation.text}><span class="row alert-name"><a class="cut" href=${href(rows.address(e))}>${subjectOf(e)}</a>${e.object ? nothing : chip("whole group")}${e.flaps ? chip(`${e.flaps} ${e.flaps === 1 ? "flap" : "flaps"}`, "It came back soon after it was over so often") : nothing}${e.noteCount ? html`<span class="m s12">${plural(e.noteCount, "note")}</span>` : nothing}</span></td>
    <td title=${e.group.name}><a href=${href(`/outliers/${e.group.id}`)}>${e.group.name}</a></td>
    <td class="i2" title=${e.metrics.map(nameOf).join(", ")}>${m ? nameOf(m) : ""}${e.metrics.length > 1 ? html` <span class="m s12">+${e.metrics.length - 1}</span>` : nothing}</td>
    <td class="r">${m ? valueText(m.value, m) : "-"}</td><td class="m prio-3">${m ? (e.side === "high" ? `above ${valueText(m.upper, m)}` : `below ${valueText(m.lower, m)}`) : ""}</td>
    <td class="r" title="The farthest it was">${scoreText(e.peakScore)}</td>
    <td class="r m" title=${moment(Date.parse(e.since))}>${moment(Date.parse(e.since))}</td>
    <td class="r prio-3">${duration(lasted(e))}</td><td class="m" title=${over ? `${state}, ${moment(Date.parse(e.closedAt))}` : state}>${state}</td></tr>`;
}

export function eventTable(list, rows) {
  const head = (id, name, cls) => rows.head(id, name, cls, "opened");
  return html`<table class="events"><colgroup><col class="w-pick" /><col /><col class="w-group" /><col class="w-metric" /><col class="w-num" /><col class="w-accepted prio-3" /><col class="w-few" /><col class="w-since" /><col class="w-dur prio-3" /><col class="w-standing" /></colgroup>
    <thead><tr><th></th>${head("member", "Member")}${head("group", "Group")}<th>Metric</th><th class="r">Value</th><th class="prio-3">Accepted</th>${head("score", "Score", "r")}${head("opened", "Since", "r")}${head("lasted", "Lasted", "r prio-3")}<th>State</th></tr></thead>
    ${rows.body(list, (e) => row(e, rows))}</table>`;
}
