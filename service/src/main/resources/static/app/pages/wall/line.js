// The line of what an alert is about, large, for a wall.
import { html } from "../../core/html.js";
import { post } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { isNetwork, metricName } from "../../core/metrics.js";
import "../../chart/group-chart.js";

const POINTS = 180;

export class WallLine {
  #series = new Load((object, metric, from, until, signal) =>
    post(
      "/series/query",
      { objects: [object], metrics: [metric], from: String(from), to: String(until), maxPoints: POINTS },
      signal,
    ),
  );
  #of = null;
  #spec = null;

  /** Reads the metric of a symptom; nothing when it is about no number. */
  want(symptom, from, to) {
    if (symptom?.key && symptom.value !== null) this.#series.want(symptom.object.id, symptom.key, from, to);
  }

  /** Whether there is a line of the symptom to draw. */
  has(symptom) {
    return Boolean(this.#series.data?.series.some((s) => s.metric === symptom?.key));
  }

  /** The line, with the time from `since` on as what is wrong; empty while there is none. */
  view(symptom, since) {
    const { data } = this.#series;
    const line = data?.series.find((s) => s.metric === symptom.key);
    if (!line) return html`<div class="wall-chart"></div>`;
    if (this.#of !== data) {
      const none = data.times.map(() => null);
      const first = Math.max(
        0,
        line.values.findIndex((v) => v !== null),
      );
      this.#of = data;
      this.#spec = {
        unit: line.unit ?? symptom.unit,
        network: isNetwork(symptom.key),
        log: false,
        from: data.times[first] ?? 0,
        to: (data.times.at(-1) ?? 0) + data.stepMillis,
        times: data.times,
        stepMillis: data.stepMillis,
        centre: none,
        lower: none,
        upper: none,
        judged: none,
        members: [{ id: symptom.object.id, name: "", values: line.values, scores: none, token: "--deviant-1" }],
        events: [{ from: since, to: null }],
        flags: [],
        lane: false,
        margin: false,
        wall: true,
        words: `${metricName(symptom.key)} of ${symptom.object.name}`,
      };
    }
    return html`<div class="wall-chart"><group-chart .spec=${this.#spec}></group-chart></div>`;
  }
}
