// The first talkers over time: traffic as layers one upon the other, a metric as lines.
import { memo } from "../../core/memo.js";
import { MINUTE } from "../../core/time.js";
import "../../chart/series-chart.js";
import "../../chart/stack-chart.js";

const LAYERS = 5;
const WARM = 3;
const LINES = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"];
export const REST = "--stack-rest";

/** Colours belong to talkers, not to places: who stays among the first keeps the own one. */
export class Shades {
  #of = new Map();

  /** The colours of those that are drawn now. */
  take(keys) {
    const free = Array.from({ length: LAYERS }, (_, i) => i);
    const kept = new Map();
    for (const key of keys) if (this.#of.has(key)) kept.set(key, this.#of.get(key));
    const left = free.filter((i) => ![...kept.values()].includes(i));
    for (const key of keys) if (!kept.has(key)) kept.set(key, left.shift() ?? LAYERS - 1);
    this.#of = kept;
    return (key) => (kept.has(key) ? `--stack-${kept.get(key) + 1}` : null);
  }
}

/** Which talkers have a layer of their own: the first ones, and further ones with something open. */
export function layered(data, isHot) {
  const hot = data.items.filter((i) => isHot(i)).slice(0, WARM);
  const calm = data.items.filter((i) => !hot.includes(i)).slice(0, LAYERS);
  return { hot, calm, all: [...calm, ...hot].sort((a, b) => a.rank - b.rank) };
}

const stepOf = (times) => times.slice(1).reduce((least, t, i) => Math.min(least, t - times[i]), Infinity);

/** What the chart draws; the same thing as long as nothing of it is another. */
export function chartSpec(shades) {
  const stack = memo((data, hotKeys, marked, from, to, choose) => {
    const isHot = (i) => hotKeys.split(" ").includes(i.id);
    const { hot, calm, all } = layered(data, isHot);
    const colour = shades.take(calm.map((i) => i.id));
    const { times } = data;
    const total = data.sparklineTotal ?? times.map(() => null);
    const values = (i) => i.sparkline ?? times.map(() => null);
    const rest = times.map((_, s) =>
      total[s] === null || total[s] === undefined
        ? null
        : Math.max(0, total[s] - all.reduce((sum, i) => sum + (values(i)[s] ?? 0), 0)),
    );
    const most = total.reduce((m, v) => Math.max(m, v ?? 0), 0);
    const others = data.talkers - all.length;
    const layers = [
      ...(rest.some((v) => v > 0)
        ? [
            {
              key: "",
              name: others > 0 ? `${others.toLocaleString("en")} others` : "others",
              values: rest,
              colour: REST,
              rest: true,
            },
          ]
        : []),
      ...calm.toReversed().map((i) => ({ key: i.id, name: i.name, values: values(i), colour: colour(i.id) })),
      ...hot
        .toReversed()
        .map((i) => ({ key: i.id, name: i.name, values: values(i), colour: "--deviant-1", hot: true })),
    ];
    const step = times.length > 1 ? stepOf(times) : MINUTE;
    return {
      title: `Traffic of the first ${data.many}`,
      units: data.lineScale(most),
      from,
      to,
      times,
      stepMillis: step,
      layers,
      marked: marked || null,
      choose,
      empty: undefined,
    };
  });
  // Traffic of the first ones as lines, each by itself: where these carry little of the whole, layers would show a rim
  // upon a block.
  const apart = memo((data, hotKeys, from, to) => {
    const isHot = (i) => hotKeys.split(" ").includes(i.id);
    const { hot, calm, all } = layered(data, isHot);
    const most = all.reduce((m, i) => Math.max(m, ...(i.sparkline ?? []).map((v) => v ?? 0)), 0);
    return {
      title: `Traffic of the first ${all.length}`,
      units: data.lineScale(most),
      unit: null,
      from,
      to,
      times: data.times,
      stepMillis: data.times.length > 1 ? stepOf(data.times) : MINUTE,
      labels: "beside",
      series: [...hot.map((i) => [i, "--deviant-1"]), ...calm.map((i, n) => [i, LINES[n % LINES.length]])].map(
        ([i, colour]) => ({ key: i.id, name: i.name, values: i.sparkline ?? [], style: "line", colour }),
      ),
      empty: all.length ? undefined : "no data",
    };
  });
  const lines = memo((data, from, to) => ({
    title: data.metricName,
    unit: data.unit,
    network: /^net[|:]/.test(data.metric),
    from,
    to,
    times: data.times,
    stepMillis: data.times.length > 1 ? stepOf(data.times) : MINUTE,
    labels: "beside",
    series: data.items
      .slice(0, LINES.length)
      .map((i, n) => ({ name: i.name, values: i.sparkline ?? [], style: "line", colour: LINES[n] })),
    empty: data.items.length ? undefined : "no data",
  }));
  return { stack, apart, lines };
}
