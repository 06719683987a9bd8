// Both periods of each compared metric, laid over one another: the second as it was, the first moved in time.
import { html, repeat } from "../core/html.js";
import { get, post } from "../core/api.js";
import { Load } from "../core/load.js";
import { parseKey } from "../core/metrics.js";
import { DAY, HOUR, moment } from "../core/time.js";
import { failure } from "../parts/pane.js";
import "../chart/series-chart.js";

const STEPS = [["5m", 300_000], ["15m", 900_000], ["30m", 1_800_000], ["1h", HOUR], ["2h", 2 * HOUR], ["3h", 3 * HOUR], ["6h", 6 * HOUR]];
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
  const all = keys.some(isAll) ? (await Promise.all(ids.map((id) => get(`/objects/${id}/metrics`, {}, signal)))).flatMap((m) => m.items) : [];
  const stands = (key, m) => m.instance !== null && parseKey(key).group === m.group && parseKey(key).metric === m.metric;
  const expanded = new Map(keys.map((key) => [key, isAll(key) ? [...new Set(all.filter((m) => stands(key, m)).map((m) => m.key))] : [key]]));
  const metrics = [...new Set([...expanded.values()].flat())];
  if (!metrics.length) return { times: [], stepMillis: 0, lines: new Map() };
  const data = await post("/series/query", { objects: ids, metrics, from, to, step }, signal);
  const lines = new Map(keys.map((key) => [key, means(data.series.filter((s) => expanded.get(key).includes(s.metric)).map((s) => s.values), data.times.length)]));
  return { times: data.times, stepMillis: data.stepMillis, lines };
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
    const length = Math.max(...[answer.a, answer.b].map((p) => Date.parse(p.to) - Date.parse(p.from)));
    const [step] = STEPS.find(([, ms]) => length / ms <= POINTS) ?? STEPS.at(-1);
    this.load.want(answer.a, answer.b, answer.metrics.map((m) => m.key), step);
  }

  #spec(m, answer) {
    const data = this.load.data;
    const known = this.#specs.get(m.key);
    if (known && known.data === data && known.answer === answer) return known.spec;
    const { first, second } = data ?? {};
    const from = Date.parse(answer.b.from);
    const length = Math.max(...[answer.a, answer.b].map((p) => Date.parse(p.to) - Date.parse(p.from)));
    const longer = data && first.times.length > second.times.length ? first : second;
    const offset = data && longer.times.length ? from - Date.parse(longer === first ? answer.a.from : answer.b.from) : 0;
    const times = data ? longer.times.map((t) => t + offset) : [];
    const on = (line) => times.map((_, i) => line?.[i] ?? null);
    const lines = data ? [{ name: "first", values: on(first.lines.get(m.key)), style: "median" }, { name: "second", values: on(second.lines.get(m.key)), style: "main" }] : [];
    const some = lines.some((l) => l.values.some((v) => v !== null));
    const spec = {
      title: m.name, hint: m.key, unit: m.unit, network: m.network, from, to: from + length, times, stepMillis: longer?.stepMillis ?? 0,
      series: some ? lines : [], medianWord: "first", empty: data && !some ? "no data in both periods" : undefined,
    };
    this.#specs.set(m.key, { data, answer, spec });
    return spec;
  }

  view(answer) {
    this.want(answer);
    if (this.load.error && !this.load.loading) return html`<section class="pane">${failure(this.load.error, () => this.load.again())}</section>`;
    const earlier = Date.parse(answer.b.from) - Date.parse(answer.a.from);
    const moved = earlier % DAY === 0 ? `${earlier / DAY} d` : `from ${moment(Date.parse(answer.a.from))}`;
    return html`<p class="m s12 overlaid">Solid: the second period. Dashed: the first one, ${moved} ${earlier % DAY === 0 ? "earlier" : "on"}, laid over it from the left.</p>
      <div class="charts" aria-busy=${this.load.loading}>${repeat(answer.metrics, (m) => m.key, (m) => html`<section class="pane" aria-label=${m.name}><series-chart .spec=${this.#spec(m, answer)}></series-chart></section>`)}</div>`;
  }
}
