// How many metrics of an object are out of their learned bands, and with all that is below it, over time.
import { html, nothing } from "../core/html.js";
import { post } from "../core/api.js";
import { count } from "../core/format.js";
import { Load } from "../core/load.js";
import { href } from "../core/url.js";
import { pane } from "../parts/pane.js";
import { spark } from "../parts/small.js";

const key = (metric) => `System Attributes|${metric}`;
/** What is out, of how many that are judged. */
const OWN = [key("active_alarms"), key("all_metrics")];
const BELOW = [key("total_alarms"), key("child_all_metrics")];
const POINTS = 60;

export class ObjectAnomalies {
  constructor(id) {
    this.id = id;
    this.counts = new Load((from, to, signal) => post("/series/query", { objects: [id], metrics: [...OWN, ...BELOW], from: String(from), to: String(to), maxPoints: POINTS }, signal));
  }

  want(from, to) {
    this.counts.want(from, to);
  }

  #row(name, [out, judged]) {
    const values = (metric) => this.counts.data.series.find((s) => s.metric === metric)?.values ?? [];
    const newest = (metric) => values(metric).findLast((v) => v !== null) ?? null;
    const all = newest(judged);
    if (!all) return nothing;
    return html`<a class="out-of-band" href=${href(`/objects/${this.id}`, { m: [out], mode: "own" })} title="Its own band says how many are usual"><b class="cut">${name}</b>${spark(values(out), { width: 84, zero: true })}<b class="r">${count(newest(out))}</b><span class="m">of ${count(all)}</span></a>`;
  }

  /** Nothing as long as nothing is learned. */
  view() {
    if (!this.counts.data) return nothing;
    const own = this.#row("Its metrics", OWN);
    const below = this.#row(own === nothing ? "All below it" : "With all below it", BELOW);
    const same = this.counts.data.series.filter((s) => s.metric === OWN[1] || s.metric === BELOW[1]).map((s) => s.values.findLast((v) => v !== null));
    const rows = [own, same.length === 2 && same[0] === same[1] ? nothing : below].filter((row) => row !== nothing);
    return rows.length ? pane({ title: "Out of their band", body: html`<div class="out-of-bands">${rows}</div>` }) : nothing;
  }
}
