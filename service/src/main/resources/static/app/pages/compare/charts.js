// Both periods of each compared metric, laid over one another: the second as it was, the first moved in time.
import { html, repeat } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { parseKey } from "../../core/metrics.js";
import { DAY, duration, HOUR } from "../../core/time.js";
import { failure } from "../../parts/pane.js";
import "../../chart/series-chart.js";

/** @type {[string, number][]} */
const STEPS = [
  ["5m", 300_000],
  ["15m", 900_000],
  ["30m", 1_800_000],
  ["1h", HOUR],
  ["2h", 2 * HOUR],
  ["3h", 3 * HOUR],
  ["6h", 6 * HOUR],
];
const POINTS = 340;
const isAll = (key) => parseKey(key).instance === "*";

const means = (lists, length) =>
  Array.from({ length }, (_, i) => {
    const there = lists.map((list) => list[i]).filter((v) => v !== null && v !== undefined);
    return there.length ? there.reduce((sum, v) => sum + v, 0) / there.length : null;
  });

/** Reads one side: the mean over objects and instances of each key, as the service compares it. */
async function side({ objects, from, to }, keys, step, signal) {
  const ids = objects.map((o) => o.id);
  const all = keys.some(isAll)
    ? (await Promise.all(ids.map((id) => get(`/objects/${id}/metrics`, {}, signal)))).flatMap((m) => m.items)
    : [];
  const stands = (key, m) =>
    m.instance !== null && parseKey(key).group === m.group && parseKey(key).metric === m.metric;
  const expanded = new Map(
    keys.map((key) => [key, isAll(key) ? [...new Set(all.filter((m) => stands(key, m)).map((m) => m.key))] : [key]]),
  );
  const metrics = [...new Set([...expanded.values()].flat())];
  if (!metrics.length) return { times: [], stepMillis: 0, lines: new Map() };
  const data = await post("/series/query", { objects: ids, metrics, from, to, step }, signal);
  const lines = new Map(
    keys.map((key) => [
      key,
      means(
        data.series.filter((s) => expanded.get(key).includes(s.metric)).map((s) => s.values),
        data.times.length,
      ),
    ]),
  );
  return { times: data.times, stepMillis: data.stepMillis, lines };
}

/**
 * By how much the first period is moved to lie under the second: whole days, so that hours agree, with their ends
 * together; less than a day from begin to begin.
 */
function moved(answer) {
  const [a, b] = [answer.a, answer.b].map((p) => ({ from: Date.parse(p.from), to: Date.parse(p.to) }));
  return Math.min(a.to - a.from, b.to - b.from) < DAY ? b.from - a.from : Math.round((b.to - a.to) / DAY) * DAY;
}

export class CompareCharts {
  #specs = new Map();

  constructor() {
    this.load = new Load(async (a, b, keys, step, signal) => {
      const [first, second] = await Promise.all([side(a, keys, step, signal), side(b, keys, step, signal)]);
      return { first, second };
    });
  }

  want(answer) {
    const [step] =
      STEPS.find(([, ms]) => (Date.parse(answer.b.to) - Date.parse(answer.b.from)) / ms <= POINTS) ?? STEPS.at(-1);
    this.load.want(
      answer.a,
      answer.b,
      answer.metrics.map((m) => m.key),
      step,
    );
  }

  #spec(m, answer) {
    const data = this.load.data;
    const known = this.#specs.get(m.key);
    if (known && known.data === data && known.answer === answer) return known.spec;
    const { first, second } = data ?? {};
    const step = second?.stepMillis || first?.stepMillis || 0;
    const times = second?.times.length ? second.times : (first?.times ?? []).map((t) => t + this.#moved(answer, step));
    const values = (side, later) => {
      const at = new Map((side?.times ?? []).map((t, i) => [t + later, side.lines.get(m.key)?.[i] ?? null]));
      return times.map((t) => at.get(t) ?? null);
    };
    const lines = data
      ? [
          { name: "first", values: values(first, this.#moved(answer, step)), style: "median" },
          { name: "second", values: values(second, 0), style: "main" },
        ]
      : [];
    const some = lines.some((l) => l.values.some((v) => v !== null));
    const spec = {
      title: m.name,
      hint: m.key,
      unit: m.unit,
      network: m.network,
      from: Date.parse(answer.b.from),
      to: Date.parse(answer.b.to),
      times,
      stepMillis: step,
      series: some ? lines : [],
      medianWord: "first",
      empty: data && !some ? "no data in both periods" : undefined,
    };
    this.#specs.set(m.key, { data, answer, spec });
    return spec;
  }

  /** On full steps, since values stand on these. */
  #moved(answer, step) {
    return step ? Math.round(moved(answer) / step) * step : 0;
  }

  view(answer) {
    this.want(answer);
    if (this.load.error && !this.load.loading)
      return html`<section class="pane">${failure(this.load.error, () => this.load.again())}</section>`;
    const by = moved(answer);
    return html`<p class="m s12 overlaid">
        Solid: the second period. Dashed: the first
        one${by === 0 ? "" : `, ${duration(Math.abs(by))} ${by > 0 ? "earlier" : "later"}`}.
      </p>
      <div class="charts" aria-busy=${this.load.loading}>
        ${repeat(
          answer.metrics,
          (m) => m.key,
          (m) =>
            html`<section class="pane" aria-label=${m.name}>
              <series-chart .spec=${this.#spec(m, answer)}></series-chart>
            </section>`,
        )}
      </div>`;
  }
}
