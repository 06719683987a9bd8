// A chart of metrics over time: what is usual behind it, bounds across, changes as flags, what is expected after now.
import { html, nothing } from "../core/html.js";
import { isNetwork } from "../core/metrics.js";
import { MARKS } from "../core/severity.js";
import { instanceWords, STATES, titleOf } from "./words.js";
import "../chart/series-chart.js";

const COLOURS = Array.from({ length: 6 }, (_, i) => `--series-${i + 1}`);

const nameOf = (s) => [s.object?.name, instanceWords(s.instance)].filter(Boolean).join(", ");
const step = (times) => (times.length > 1 ? times[1] - times[0] : 0);

/** Numbers of `values` at the places that they have among `all` times. */
function placed(all, times, values) {
  const at = new Map(times.map((t, i) => [t, values?.[i] ?? null]));
  return all.map((t) => at.get(t) ?? null);
}

/** The middle between two bounds. */
const middle = (lower, upper) =>
  lower.map((low, i) => (low === null || upper[i] === null ? null : (low + upper[i]) / 2));

/** Series that share a unit share a chart. */
function parts(answer) {
  const groups = new Map();
  for (const s of answer.series ?? []) {
    const key = s.unit ?? "";
    groups.set(key, [...(groups.get(key) ?? []), s]);
  }
  return [...groups.values()];
}

const specs = new WeakMap();

function make(answer, series, called) {
  const now = answer.times ?? [];
  const ahead = series.flatMap((s) => s.forecast?.times ?? []).filter((t) => t > (now.at(-1) ?? 0));
  const times = [...now, ...[...new Set(ahead)].sort((a, b) => a - b)];
  const single = series.length === 1;
  const columns = new Map((answer.columns ?? []).map((c) => [c.name, c]));
  const several = new Set(series.map((s) => s.column)).size > 1;
  const objects = new Set(series.map((s) => s.object?.id)).size > 1;
  const lines = [];
  series.forEach((s, i) => {
    const title = columns.has(s.column) ? titleOf(columns.get(s.column)) : s.column;
    const name =
      [objects ? nameOf(s) : instanceWords(s.instance), several ? title : ""].filter(Boolean).join(", ") || title;
    const main = {
      name,
      values: placed(times, now, s.values),
      style: single ? "main" : i < COLOURS.length ? "line" : "peer",
      colour: COLOURS[i % COLOURS.length],
    };
    if (single && (s.usual || s.forecast)) {
      const lower = placed(times, now, s.usual?.lower ?? []);
      const upper = placed(times, now, s.usual?.upper ?? []);
      const f = s.forecast;
      const at = f ? new Map(f.times.map((t, n) => [t, n])) : new Map();
      const of = (list, before) =>
        times.map((t, n) => (at.has(t) && before[n] === null ? (list[at.get(t)] ?? null) : before[n]));
      const [low, high] = f ? [of(f.values, lower), of(f.values, upper)] : [lower, upper];
      const mid = f ? of(f.values, middle(lower, upper)) : middle(lower, upper);
      lines.push({ name: "usual", values: mid, style: "median", min: low, max: high });
    }
    if (s.compared)
      lines.push({
        name: `${name}, before`,
        values: placed(times, now, s.compared),
        style: "line",
        colour: "--series-6",
      });
    lines.push(main);
  });
  const bounds = [...new Set(series.map((s) => s.column))].flatMap((name) => columns.get(name)?.bounds ?? []);
  const some = series.some((s) => s.values.some((v) => v !== null));
  // The panel is called by its metric already; a single line is that of an object.
  const title = single
    ? nameOf(series[0])
    : several
      ? called
      : columns.has(series[0]?.column)
        ? titleOf(columns.get(series[0].column))
        : "";
  return {
    // The head of the panel says it already; to those who do not see it the chart says it, too.
    title: title === called ? "" : title,
    hint: title || called,
    unit: series[0]?.unit ?? null,
    network: series.every((s) => isNetwork(s.key ?? "")),
    from: answer.from,
    to: Math.max(answer.to, ahead.at(-1) ?? 0),
    times,
    stepMillis: answer.stepMillis ?? step(now),
    series: lines,
    medianWord: series.some((s) => s.usual) ? "usual" : "expected",
    forecast: ahead.length ? answer.to : undefined,
    flags: (answer.changes ?? []).map((c) => ({ at: c.at, text: `${c.object.name} ${c.text}` })),
    limits: limitsOf(bounds),
    labels: single && !series[0].compared ? null : "beside",
    empty: some ? undefined : "no data in this range",
  };
}

/** Bounds from the least bad to the worst, each once. */
function limitsOf(bounds) {
  const found = new Map();
  bounds.forEach((value, i) => {
    if (value === null || found.has(value)) return;
    const state = STATES[(i % 3) + 1];
    found.set(value, { value, colour: MARKS[state], word: state });
  });
  return [...found.values()];
}

/** What a chart shows in a panel that is called so; the same as long as its answer is. */
function specsOf(answer, called) {
  if (specs.get(answer)?.called !== called)
    specs.set(answer, { called, list: parts(answer).map((series) => make(answer, series, called)) });
  return specs.get(answer).list;
}

export function chart({ answer, panel, context }) {
  if (!answer.series?.length) return nothing;
  return html`<div class="panel-charts ${context.asTable ? "tables" : ""}">
    ${specsOf(answer, context.title ?? panel.title ?? "").map(
      (spec) => html`<series-chart .spec=${spec} .table=${Boolean(context.asTable)}></series-chart>`,
    )}
  </div>`;
}

/** The values as lines of a file: a column each series. */
export function seriesLines(answer) {
  const series = answer.series ?? [];
  return [
    ["Time", ...series.map((s) => [nameOf(s), s.column, s.unit].filter(Boolean).join(" "))],
    ...(answer.times ?? []).map((t, i) => [new Date(t).toISOString(), ...series.map((s) => s.values[i] ?? "")]),
  ];
}
