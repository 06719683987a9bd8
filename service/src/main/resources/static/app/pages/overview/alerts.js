// What Overview says of alerts: the headline, and the open ones folded by their cause.
import { html, nothing } from "../../core/html.js";
import { alertVersion, OPEN, readAlerts } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { against, againstShort, found, rank, titleOf } from "../../core/severity.js";
import { DAY, duration, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded, pane } from "../../parts/pane.js";
import { severityShape } from "../../parts/shapes.js";
import { chip } from "../../parts/small.js";
import { byCause, wantIncidents } from "../alerts/cause.js";
import { withNewest } from "../alerts/values.js";
import { numberOf, openFor } from "../alerts/words.js";

const READ = 300;
const SHOWN = 9;

const open = new Load((ancestor, _version, signal) =>
  readAlerts({ controlState: OPEN, ancestor, limit: READ }, signal),
);
// Of more alerts than are read: those in no incident, and the incidents, so that what is said of them holds for all.
const alone = new Load((ancestor, _version, signal) =>
  readAlerts({ controlState: OPEN, ancestor, incident: "none", limit: READ }, signal),
);
const inScope = new Load((ancestor, _version, signal) => get("/incidents", { ancestor, limit: 1000 }, signal));
const owners = new Load((ancestor, _version, signal) =>
  get("/alerts/counts", { by: "owner", controlState: OPEN, ancestor }, signal),
);
const last = new Load((ancestor, _version, signal) =>
  readAlerts({ state: "canceled", sort: "-updatedAt", ancestor, limit: 1 }, signal),
);

export function wantAlerts(scope) {
  const version = alertVersion();
  open.want(scope ?? undefined, version);
  if (isLong()) {
    owners.want(scope ?? undefined, version);
    alone.want(scope ?? undefined, version);
    inScope.want(scope ?? undefined, version);
  } else if (open.data?.items.some((a) => a.incident)) wantIncidents();
  if (open.data?.total === 0) last.want(scope ?? undefined, version);
}

const isLong = () => open.data !== null && open.data.items.length < open.data.total;

/** Whether an alert that is shown or counted here is open on an object. */
export const hasAlert = (id) => (open.data?.items ?? []).some((a) => a.object.id === id);

/** Alerts that an outlier event raised stand above, with that. */
const isOther = (a) => a.definition.source !== "outlier-group";
const listed = () => (isLong() ? alone.data?.items : open.data?.items) ?? [];
const others = () => listed().filter(isOther);
const raised = () => listed().length - others().length;

/** How many open alerts nobody has; NaN while that is not known. */
function unowned() {
  if (!isLong()) return open.data.items.filter((a) => !a.owner).length;
  return owners.data ? (owners.data.items.find((i) => i.key === "nobody")?.count ?? 0) : NaN;
}

/**
 * "9 alerts are open, 6 without an owner."; beside outliers "9 other alerts are open"; null while that is not known.
 */
export function alertsHeadline(beside) {
  if (!open.data || (isLong() && !alone.data)) return null;
  const total = open.data.total - raised();
  if (!total) return beside ? (raised() ? "No other alert is open." : "No alert is open.") : "Nothing is open.";
  const free = unowned() - listed().filter((a) => !isOther(a) && !a.owner).length;
  const owned = !(free > 0)
    ? ""
    : free === total
      ? total === 1
        ? ", without an owner"
        : ", none has an owner"
      : `, ${count(free)} without an owner`;
  const other = raised() ? "other " : "";
  return `${count(total)} ${other}${total === 1 ? "alert is" : "alerts are"} open${owned}.`;
}

const since = (a) =>
  openFor(a) > 2 * DAY
    ? `${duration(openFor(a)).split(" ").slice(0, 2).join(" ")} ago`
    : moment(Date.parse(a.since)).slice(-5);

/** What is said of an incident of which the alerts were not read. */
const shareText = (incident) =>
  `${plural(incident.alertCount, "alert")} on ${plural(incident.objectCount, "object")}${incident.cause ? "" : "; no alert explains them"}`;

/** An incident is one row; its alerts appear nowhere else. */
const incidentRow = ({ incident, note: words }) =>
  html`<tr class="incident-row">
    <td class="l-shape">${severityShape(incident.severity)}</td>
    <td class="l-name" colspan="4" title=${words}>
      <a href=${href(`/incidents/${incident.number}`)}><b>${incident.title}</b></a> ${chip(
        `I-${incident.number}`,
        "Number of the incident",
      )} <span class="m">${words}</span>
    </td>
    <td class="r l-long" title=${moment(Date.parse(incident.since))}>${since({ since: incident.since })}</td>
    <td class=${incident.owner ? "" : "m"}>${incident.owner ?? "nobody"}</td>
  </tr>`;

const row = (a, behind) =>
  html`<tr>
    <td class="l-shape">${severityShape(a.severity)}</td>
    <td class="l-name" title=${`${numberOf(a)} ${titleOf(a)}`}>
      <a href=${href(`/alerts/${a.id}`)}>${titleOf(a)}</a>${a.flaps
        ? html` ${chip(`${a.flaps} ${a.flaps === 1 ? "flap" : "flaps"}`)}`
        : nothing}${behind ? html` <span class="m s12">and ${behind} below it</span>` : nothing}
    </td>
    <td class="strong l-what" title=${a.object.name}>
      <a href=${href(`/objects/${a.object.id}`)}>${a.object.name}</a>
    </td>
    <td class="r l-value">${found(withNewest(a), a.unit, a.key)}</td>
    <td class="m against prio-3" title=${against(a, a.operator, a.unit, a.key)}>
      ${againstShort(a, a.operator, a.unit, a.key)}
    </td>
    <td class="r l-long" title=${moment(Date.parse(a.since))}>${since(a)}</td>
    <td class=${a.owner ? "" : "m"}>${a.owner ?? "nobody"}</td>
  </tr>`;

export function alertsPane() {
  const long = isLong();
  const groups = open.data ? byCause(others()) : [];
  const together = long
    ? (inScope.data?.items ?? []).map((incident) => ({ incident, note: shareText(incident) }))
    : groups.filter((g) => g.incident);
  const heads = groups
    .filter((g) => !g.incident)
    .flatMap((g) => g.alerts.map((a) => [a, 0]))
    .sort(([a], [b]) => rank(b.severity) - rank(a.severity));
  const total = (open.data?.total ?? 0) - raised();
  const inside = long ? total + raised() - (alone.data?.total ?? 0) : together.reduce((n, g) => n + g.alerts.length, 0);
  const more = together.length + (long ? (alone.data?.total ?? 0) - raised() : heads.length) - SHOWN;
  const note =
    !open.data || !total
      ? nothing
      : inside
        ? `${plural(together.length, "incident")} of ${count(inside)} alerts, ${count(total - inside)} not in one`
        : `${count(total)} open`;
  const lastClosed = last.data?.items[0];
  return pane({
    title: raised() ? "Other open alerts" : "Open alerts",
    name: "open-alerts",
    note,
    end: total ? html`<a class="link" href=${href("/alerts")}>All ${count(total)}</a>` : nothing,
    body: loaded(
      stay(!long ? open : alone.data && inScope.data ? open : alone.data ? inScope : alone),
      () =>
        html`<table>
            <colgroup>
              <col class="w-state" />
              <col />
              <col class="w-kind-wide" />
              <col class="w-dur" />
              <col class="w-against prio-3" />
              <col class="w-dur" />
              <col class="w-dur" />
            </colgroup>
            <thead>
              <tr>
                <td></td>
                <th>Alert</th>
                <th>Object</th>
                <th class="r">Value</th>
                <th class="prio-3">Against</th>
                <th class="r">Since</th>
                <th>Owner</th>
              </tr>
            </thead>
            <tbody>
              ${together.slice(0, SHOWN).map(incidentRow)}${heads
                .slice(0, Math.max(0, SHOWN - together.length))
                .map(([a, n]) => row(a, n))}
            </tbody>
          </table>
          ${more > 0
            ? html`<a class="list-row" href=${href("/alerts")}><span class="acc">${count(more)} more</span></a>`
            : nothing}`,
      {
        rows: 5,
        isEmpty: () => !total,
        empty: html`${raised() ? "No other alert is open." : "Nothing open."}
        ${lastClosed && !raised()
          ? `Last one closed ${duration(Date.now() - Date.parse(lastClosed.canceledAt))} ago.`
          : raised()
            ? nothing
            : html`What opens one is set under <a class="acc" href=${href("/thresholds")}>Thresholds</a>.`}`,
      },
    ),
  });
}

/** What is read again because something changed stays as it is meanwhile. */
const stay = (load) =>
  load.data ? { ...load, data: load.data, error: null, loading: false, waited: 0, again: () => load.again() } : load;
