// One incident with its alerts as they are read, and what somebody does to it.
import { redraw } from "../../core/bus.js";
import { alertVersion, readAlerts } from "../../core/alerts.js";
import { get, post } from "../../core/api.js";
import { getIncident } from "../../core/incidents.js";
import { Load } from "../../core/load.js";
import { HOUR, MINUTE } from "../../core/time.js";
import { go } from "../../core/url.js";
import { AlertNotified } from "../alerts/notified.js";
import { actOnIncident, correctIncident } from "./actions.js";
import { ownSymptom } from "./words.js";

const POINTS = 360;

export class IncidentState {
  notified = new AlertNotified();
  /** Groups of alerts that are open. */
  unfolded = new Set();
  /** By what alerts are grouped: type or object. */
  by = "type";
  comment = "";
  busy = false;
  /** What the charts show, and of what that was made. */
  charts = { inputs: [] };

  constructor(number) {
    this.whole = new Load((_version, signal) => getIncident(number, signal));
    this.members = new Load((_version, signal) => readAlerts({ incident: number, state: "any" }, signal));
    this.related = new Load((id, _version, signal) => get(`/alerts/${id}/related`, {}, signal));
    this.series = new Load((object, metric, from, to, signal) =>
      post(
        "/series/query",
        {
          objects: [object],
          metrics: [metric],
          from: String(from),
          to: String(to),
          maxPoints: POINTS,
          withRange: true,
        },
        signal,
      ),
    );
  }

  get incident() {
    return this.whole.data?.incident ?? null;
  }

  get alerts() {
    return this.members.data?.items ?? [];
  }

  get cause() {
    return this.alerts.find((a) => a.id === this.incident?.cause?.id) ?? null;
  }

  get over() {
    return this.incident?.state === "closed";
  }

  get end() {
    return this.over ? Date.parse(this.incident.closedAt) : Math.ceil(Date.now() / MINUTE) * MINUTE;
  }

  get begin() {
    const since = Date.parse(this.incident.since);
    return Math.floor((since - Math.max(HOUR, Math.min(6 * HOUR, this.end - since))) / MINUTE) * MINUTE;
  }

  update() {
    this.whole.want(alertVersion());
    this.members.want(alertVersion());
    const first = this.cause ?? this.alerts[0];
    if (!this.incident || !first) return;
    this.related.want(first.id, alertVersion());
    this.notified.want(first.id, alertVersion());
    const m = ownSymptom(this.cause);
    if (m?.key && m.value !== null) this.series.want(m.object.id, m.key, this.begin, this.end);
  }

  leave() {
    for (const load of [this.whole, this.members, this.related, this.series, this.notified]) load.reset();
  }

  async act(action, more) {
    const after = await actOnIncident(this.incident, action, more);
    if (after) this.whole.again();
    return after;
  }

  /** Merges or splits it, or ends it by hand. */
  correct() {
    correctIncident(this.incident, this.alerts, (action, more) =>
      action === "merge" ? go(`/incidents/${more.into}`) : this.whole.again(),
    );
  }

  /** Machines that moved to the place of the cause within an hour before it began, or while it goes on. */
  moves() {
    const place = this.incident.cause?.object;
    if (!place || !this.related.data) return [];
    const from = Date.parse(this.incident.since) - HOUR;
    return this.related.data.changes
      .filter((c) => c.kind === "placement" && c.after === place.name && Date.parse(c.time) >= from)
      .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
  }

  async note() {
    if (!this.comment.trim() || this.busy) return;
    this.busy = true;
    redraw();
    if (await this.act("comment", { comment: this.comment.trim() })) this.comment = "";
    this.busy = false;
    redraw();
  }
}
