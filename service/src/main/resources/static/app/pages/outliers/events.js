// Events of groups as a list: those that are open or were lately, and the archive of all that are over.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { alertsChanged } from "../../core/alerts.js";
import { count, NONE, plural } from "../../core/format.js";
import { rank } from "../../core/severity.js";
import { may, NEEDS } from "../../core/session.js";
import { duration, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { cells } from "../../parts/columns.js";
import { asCsv, download } from "../../parts/download.js";
import { notice } from "../../parts/notice.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { chip } from "../../parts/small.js";
import {
  closedWords,
  eventNumber,
  farText,
  isOfConfiguration,
  isOver,
  lasted,
  nameOf,
  propertyText,
  scoreText,
  subjectOf,
  valueText,
} from "./words.js";

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

/** Names of the metrics or properties that make it. */
const partsOf = (e) => (isOfConfiguration(e) ? e.properties.map((p) => p.name) : e.metrics.map(nameOf));

export const eventText = (e) =>
  `${eventNumber(e)} ${subjectOf(e)} ${e.group.name} ${partsOf(e).join(" ")}`.toLowerCase();

export const eventShape = (e, size = 12) =>
  isOver(e)
    ? severityShape(null, size, "closed")
    : e.state === "unknown"
      ? shape("unknown", size, "no data now")
      : severityShape(e.severity, size);

/** Puts events into the archive, or takes them out again; says so and can be taken back. */
export async function archive(events, on = true) {
  if (!may("operator")) return notice(NEEDS);
  const list = events.filter((e) => Boolean(e.archivedAt) !== on);
  if (!list.length) return notice(on ? "Archived already" : "Not archived");
  try {
    const results = [];
    for (let i = 0; i < list.length; i += MOST)
      results.push(
        ...(
          await post("/outlier-events/actions", {
            ids: list.slice(i, i + MOST).map((e) => e.id),
            action: on ? "archive" : "unarchive",
          })
        ).items,
      );
    const refused = results.find((r) => !r.done);
    const done = list
      .filter((e) => results.some((r) => r.id === e.id && r.done))
      .map((e) => ({ ...e, archivedAt: on ? new Date().toISOString() : null }));
    notice(
      `${plural(done.length, "event")} ${on ? "archived" : "back in the list"}${refused ? `; ${count(results.length - done.length)} not: ${refused.reason}` : ""}`,
      { seconds: 10, undo: done.length ? () => archive(done, !on) : null },
    );
  } catch (error) {
    notice(`Not done: ${error.message}`, { seconds: 8 });
  }
  alertsChanged();
  redraw();
}

/** The listed events as a file. */
export function saveEvents(format, events) {
  const head = [
    "number",
    "id",
    "group",
    "object",
    "state",
    "severity",
    "side",
    "metrics",
    "value",
    "lower",
    "upper",
    "peakScore",
    "since",
    "openedAt",
    "closedAt",
    "closeReason",
    "flaps",
    "explanation",
    "property",
    "propertyValue",
    "propertyOfPeers",
  ];
  const line = (e) => [
    `O-${e.number}`,
    e.id,
    e.group.name,
    e.object?.name,
    e.state,
    e.severity,
    e.side,
    e.metrics.map((m) => m.key).join(" "),
    e.metrics[0]?.value,
    e.metrics[0]?.lower,
    e.metrics[0]?.upper,
    e.peakScore,
    e.since,
    e.openedAt,
    e.closedAt,
    e.closeReason,
    e.flaps,
    e.explanation.text,
    e.properties[0]?.key,
    e.properties[0]?.value,
    e.properties[0]?.common,
  ];
  download(
    "outlier-events",
    format,
    format === "csv" ? asCsv([head, ...events.map(line)]) : JSON.stringify(events, null, 2),
    plural(events.length, "event"),
  );
}

const stateOf = (e) =>
  isOver(e) ? closedWords(e) || "closed" : e.state === "unknown" ? "no data now" : `open for ${duration(lasted(e))}`;
const first = (e) => e.metrics[0];
const quiet = (text) => html`<span class="m">${text}</span>`;

const COLUMNS = {
  member: {
    list: "name",
    name: "Member",
    sort: true,
    td: (e) => (isOver(e) ? "" : "strong"),
    title: (e) => e.explanation.text,
    cell: (e) =>
      html`<span class="row alert-name"
        ><a class="cut" href=${href(`/outliers/events/${e.id}`)}>${subjectOf(e)}</a>${e.object
          ? nothing
          : chip("whole group")}${e.flaps
          ? chip(`${e.flaps} ${e.flaps === 1 ? "flap" : "flaps"}`, "It came back soon after it was over so often")
          : nothing}${e.noteCount ? html`<span class="m s12">${plural(e.noteCount, "note")}</span>` : nothing}</span
      >`,
  },
  group: {
    list: "what",
    name: "Group",
    sort: true,
    col: "w-group",
    least: 150,
    title: (e) => e.group.name,
    cell: (e) => html`<a href=${href(`/outliers/${e.group.id}`)}>${e.group.name}</a>`,
  },
  metric: {
    name: "Metric",
    col: "w-metric",
    least: 116,
    td: "i2",
    title: (e) => partsOf(e).join(", "),
    cell: (e) => {
      const [name, ...rest] = partsOf(e);
      return html`${name ?? ""}${rest.length ? html` <span class="m s12">+${rest.length}</span>` : nothing}`;
    },
  },
  value: {
    list: "value",
    name: "Value",
    width: 96,
    cls: "r",
    title: (e) => e.properties[0]?.value ?? "",
    cell: (e) =>
      first(e)
        ? valueText(first(e).value, first(e))
        : isOfConfiguration(e)
          ? propertyText(e.properties[0].value)
          : NONE,
  },
  accepted: {
    name: "Accepted",
    col: "w-accepted",
    cls: "prio-3",
    td: "m",
    title: (e) => e.properties[0]?.common ?? "",
    cell: (e) =>
      isOfConfiguration(e)
        ? propertyText(e.properties[0].common)
        : first(e)
          ? e.side === "high"
            ? `above ${valueText(first(e).upper, first(e))}`
            : `below ${valueText(first(e).lower, first(e))}`
          : "",
  },
  score: {
    name: "Score",
    hint: "the farthest it was",
    sort: true,
    col: "w-few",
    least: 58,
    cls: "r",
    title: "The farthest it was",
    cell: (e) => scoreText(e.peakScore),
  },
  opened: {
    name: "Since",
    sort: true,
    col: "w-since",
    least: 104,
    cls: "r",
    td: "m",
    title: (e) => moment(Date.parse(e.since)),
    cell: (e) => moment(Date.parse(e.since)),
  },
  lasted: { list: "long", name: "Lasted", sort: true, width: 92, cls: "r prio-3", cell: (e) => duration(lasted(e)) },
  state: {
    name: "State",
    col: "w-standing",
    least: 150,
    td: "m",
    title: (e) => (isOver(e) ? `${stateOf(e)}, ${moment(Date.parse(e.closedAt))}` : stateOf(e)),
    cell: stateOf,
  },
  number: { name: "Number", width: 76, cell: (e) => eventNumber(e) },
  severity: { name: "Severity", sort: true, width: 96, cell: (e) => e.severity },
  side: { name: "Side", width: 64, td: "m", cell: (e) => e.side ?? NONE },
  factor: {
    name: "Times the median",
    width: 116,
    cls: "r",
    cell: (e) => (first(e) ? farText(first(e), first(e)) : NONE),
  },
  closed: {
    name: "Closed",
    width: 104,
    cls: "r",
    td: "m",
    cell: (e) => (e.closedAt ? moment(Date.parse(e.closedAt)) : NONE),
  },
  alert: {
    name: "Alert",
    width: 72,
    cell: (e) => (e.alertId ? html`<a class="acc" href=${href(`/alerts/${e.alertId}`)}>Alert</a>` : quiet("none")),
  },
};
const USUAL = ["member", "group", "metric", "value", "accepted", "score", "opened", "lasted", "state"];
const column = (id) => ({ id, ...COLUMNS[id] });
export const eventColumns = {
  available: () => Object.keys(COLUMNS).map(column),
  shown: (chosen) => (chosen ?? USUAL).filter((id) => id in COLUMNS).map(column),
};

function row(e, rows, shown) {
  return html`<tr
    class="${rows.isOn(e) ? "sel" : ""} ${isOver(e) ? "quiet" : "dev"}"
    aria-selected=${rows.selected.has(e.id)}
    @click=${(event) => rows.click(event, e)}
    @dblclick=${() => rows.open(e)}
  >
    ${rows.pick({ ...e, name: subjectOf(e) }, eventShape(e))}${cells(shown, e)}
  </tr>`;
}

export function eventTable(list, rows, columns) {
  const shown = eventColumns.shown(columns.chosen());
  return columns.table(
    shown,
    { name: "events", lead: "w-pick", leadWidth: 52, room: 130, usual: "opened" },
    rows.body(list, (e) => row(e, rows, shown)),
  );
}
