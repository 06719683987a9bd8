// Incidents and alerts outside of them, as tiles of the wall.
import { html, nothing } from "../../core/html.js";
import { alertVersion } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { isSure } from "../../core/incidents.js";
import { Load } from "../../core/load.js";
import { metricName } from "../../core/metrics.js";
import { found, titleOf } from "../../core/severity.js";
import { ticking } from "../../core/ticking.js";
import { duration, lastTick } from "../../core/time.js";
import { href } from "../../core/url.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { ownSymptom } from "../incidents/words.js";
import { WallLine } from "./line.js";

const MOST = 50;
const ALONE = 12;

export class WallIncidents {
  #list = new Load((_version, signal) => get("/incidents", { limit: MOST }, signal));
  #alone = new Load((_version, signal) =>
    get("/alerts", { incident: "none", controlState: ["open", "acknowledged"], limit: ALONE + MOST }, signal),
  );
  #of = new Map();

  get items() {
    return this.#list.data?.items ?? [];
  }

  get ready() {
    return this.#list.data !== null;
  }

  /** Open alerts that are in no incident and that no outlier event stands for, worst first. */
  get alone() {
    return (this.#alone.data?.items ?? []).filter((a) => a.definition.source !== "outlier-group");
  }

  /** Reads what there is, and of the first `shown` incidents what their charts need. */
  want(shown, window) {
    this.#list.want(alertVersion());
    this.#alone.want(alertVersion());
    const to = Math.floor(lastTick() / 60_000) * 60_000;
    const now = this.items.slice(0, shown);
    for (const i of now) {
      if (!this.#of.has(i.number))
        this.#of.set(i.number, {
          alert: new Load((id, _version, signal) => get(`/alerts/${id}`, {}, signal)),
          line: new WallLine(),
        });
      const of = this.#of.get(i.number);
      of.alert.want(i.cause?.id ?? i.alerts[0], alertVersion());
      const m = ownSymptom(of.alert.data);
      of.line.want(m, to - window, to);
    }
    for (const number of this.#of.keys()) if (!this.items.some((i) => i.number === number)) this.#of.delete(number);
  }

  tile(i) {
    const of = this.#of.get(i.number);
    const alert = of?.alert.data;
    const m = ownSymptom(alert);
    const since = ticking(() => duration(Date.now() - Date.parse(i.since)));
    const count = `${plural(i.openCount, "alert")} of ${plural(i.objectCount, "object")}`;
    return html`<a class="wall-tile ${i.severity}" href=${href(`/incidents/${i.number}`)}>
      <span class="row top-line">${severityShape(i.severity, 34)}<span class="wall-name">${i.title}</span></span>
      <span class="wall-m"
        >${i.cause
          ? html`${isSure(i) ? "Likely" : "Possible"} cause: <b>${i.cause.name}</b>`
          : "No alert explains the others"}</span
      >
      <span class="row base"
        ><span class="wall-value nw">${m?.key ? found({ ...m, bound: null, upper: null }, m.unit, m.key) : ""}</span
        ><span class="wall-peers">${m?.key ? `${metricName(m.key)}. ` : ""}<b>${count}</b></span></span
      >
      ${m?.key ? of.line.view(m, Date.parse(i.since)) : html`<div class="wall-chart"></div>`}
      <span class="row wall-why"
        ><span><b>${i.owner ? `With ${i.owner}` : "Unassigned"}</b>, open ${since}</span
        ><span class="sp"></span>I-${i.number}</span
      ></a
    >`;
  }

  small(i) {
    return html`<a class="wall-small ${i.severity}" href=${href(`/incidents/${i.number}`)}
      ><span class="row">${severityShape(i.severity, 22)}<b>${i.title}</b></span
      ><span class="m"
        >${plural(i.openCount, "alert")}, for ${ticking(() => duration(Date.now() - Date.parse(i.since)))}</span
      ></a
    >`;
  }

  /** What is open beside the incidents. */
  aloneTiles() {
    const all = this.alone;
    if (!all.length) return nothing;
    return html`${all.slice(0, ALONE).map(
      (a) =>
        html`<a class="wall-small ${a.severity}" href=${href(`/alerts/${a.id}`)}
          ><span class="row"
            >${a.operator === "no-data" ? shape("unknown", 22) : severityShape(a.severity, 22)}<b
              >${a.object.name}</b
            ></span
          ><span class="m">${titleOf(a)}, for ${ticking(() => duration(Date.now() - Date.parse(a.since)))}</span></a
        >`,
    )}${all.length > ALONE
      ? html`<span class="wall-small"><b>${plural(all.length - ALONE, "more alert")}</b></span>`
      : nothing}`;
  }
}
