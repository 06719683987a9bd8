// Which metrics of an object are out of their learned bands, and how many are, with all that is below it, over time.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { count, number, scale } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { DAY } from "../../core/time.js";
import { isNetwork, metricName } from "../../core/metrics.js";
import { href } from "../../core/url.js";
import { pane } from "../../parts/pane.js";
import { spark } from "../../parts/small.js";

const key = (metric) => `System Attributes|${metric}`;
/** What is out, of how many that are judged. */
const OWN = [key("active_alarms"), key("all_metrics")];
const BELOW = [key("total_alarms"), key("child_all_metrics")];
const POINTS = 60;
/** So many metrics that are out are named; what is further beyond its band comes first. */
const NAMED = 5;
/** How unusual it was is computed for so long at once. */
const SCORED = 7 * DAY;
const STEP = 300_000;
/** Ranked by these counts, the machines below it say where they come from. */
const BELOW_KIND = "VirtualMachine";

export class ObjectAnomalies {
  constructor(id) {
    this.id = id;
    this.which = new Load((_window, signal) => get(`/objects/${id}/anomalies`, {}, signal));
    this.scores = new Load((from, to, signal) =>
      get(`/objects/${id}/anomaly-score`, { from: String(from), to: String(to) }, signal),
    );
    this.counts = new Load((from, to, signal) =>
      post(
        "/series/query",
        { objects: [id], metrics: [...OWN, ...BELOW], from: String(from), to: String(to), maxPoints: POINTS },
        signal,
      ),
    );
  }

  want(from, to) {
    this.counts.want(from, to);
    this.which.want(Math.floor(to / 60_000));
    const end = Math.ceil(to / STEP) * STEP;
    this.scores.want(Math.floor(Math.max(from, end - SCORED) / STEP) * STEP, end);
  }

  /** Those that are out now, whatever range the page shows. */
  #named(metrics) {
    const found = this.which.data?.items ?? [];
    const unit = (key) => metrics?.find((m) => m.key === key)?.unit;
    const row = (one) => {
      const units = scale(unit(one.key), Math.max(Math.abs(one.value), Math.abs(one.upper)), isNetwork(one.key));
      const text = (v) => number(v * units.factor, 3);
      // What does not go below zero is not usually below zero.
      const lower = one.lower + one.upper >= 0 ? Math.max(0, one.lower) : one.lower;
      return html`<a
        class="out-of-band named"
        href=${href(`/objects/${this.id}`, { m: [one.key], mode: "own" })}
        title=${one.key}
        ><span class="cut">${metricName(one.key)}</span><b class="r">${text(one.value)} ${units.unit}</b
        ><span class="m cut"
          >usually ${text(lower) === text(one.upper) ? text(lower) : `${text(lower)} to ${text(one.upper)}`}</span
        ></a
      >`;
    };
    const more = found.length - NAMED;
    return html`${found.slice(0, NAMED).map(row)}${more > 0 ? html`<p class="m pad">and ${more} more</p>` : nothing}`;
  }

  #row(name, metrics) {
    const [out, judged] = metrics;
    const values = (metric) => this.counts.data.series.find((s) => s.metric === metric)?.values ?? [];
    const newest = (metric) => values(metric).findLast((v) => v !== null) ?? null;
    const all = newest(judged);
    if (!all) return nothing;
    return html`<a
      class="out-of-band"
      href=${href(`/objects/${this.id}`, { m: [out], mode: "own" })}
      title="Its own band says how many are usual"
      ><b class="cut">${name}</b>${spark(values(out), { width: 44, zero: true })}<span class="nw"
        ><b>${count(newest(out))}</b> <span class="m">of ${count(all)}</span></span
      ></a
    >`;
  }

  /**
   * Nothing as long as nothing is learned.
   *
   * @param metrics of the object, with their units
   */
  view(metrics) {
    if (!this.counts.data) return nothing;
    const own = this.#row("Itself", OWN);
    const below = this.#row(own === nothing ? "All below" : "With below", BELOW);
    const same = this.counts.data.series
      .filter((s) => s.metric === OWN[1] || s.metric === BELOW[1])
      .map((s) => s.values.findLast((v) => v !== null));
    const alone = same.length === 2 && same[0] === same[1];
    if (own === nothing && below === nothing) return nothing;
    const machines = html`<a
      class="link pad"
      href=${href("/top-talkers", { by: "metric", kind: BELOW_KIND, metric: OWN[0], agg: "max", scope: this.id })}
      >VMs with most unusual metrics</a
    >`;
    return pane({
      title: "Outside the usual range",
      body: html`<div class="out-of-bands">
        ${own}${this.#named(metrics)}${alone ? nothing : html`${below}${machines}`}
      </div>`,
    });
  }
}
