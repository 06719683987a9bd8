// The chart that proves the verdict: what is asked for and served against the limit, or the figure with what is usual.
import { html, nothing } from "../../core/html.js";
import { short } from "../../core/format.js";
import { memo } from "../../core/memo.js";
import { isNetwork } from "../../core/metrics.js";
import { phone } from "../../core/screen.js";
import { moment } from "../../core/time.js";
import { pane } from "../../parts/pane.js";
import "../../chart/series-chart.js";

const STYLES = { asked: "main", served: "line", figure: "main", part: "line" };

const specOf = memo((chart, hit, small) => {
  const times = (chart.lines[0]?.values ?? []).map((_, i) => chart.from + i * chart.stepSeconds * 1000);
  const end = chart.from + times.length * chart.stepSeconds * 1000;
  const of = (role) => chart.lines.find((l) => l.role === role)?.values;
  const [low, high] = [of("usual-low"), of("usual-high")];
  const lines = chart.lines.filter((l) => STYLES[l.role]);
  const colours = ["--series-1", "--series-4", "--series-2", "--series-5"];
  let next = 0;
  const series = lines.map((l) => ({
    name: l.last === null ? l.label : `${short(l.last)} ${l.label}`,
    values: l.values,
    style: STYLES[l.role],
    colour: STYLES[l.role] === "main" ? (hit ? "--deviant-1" : "--accent") : colours[next++ % colours.length],
  }));
  if (low && high)
    series.unshift({
      name: "usual",
      values: low.map((v, i) => (v === null || high[i] === null ? null : (v + high[i]) / 2)),
      min: low,
      max: high,
      style: "median",
      colour: "--median",
    });
  const began = chart.beganAt === null ? null : Date.parse(chart.beganAt);
  const some = lines.some((l) => l.values.some((v) => v !== null));
  return {
    title: "",
    hint: chart.title,
    unit: chart.unit || null,
    network: isNetwork(chart.title),
    from: chart.from,
    to: end,
    times,
    stepMillis: chart.stepSeconds * 1000,
    series,
    medianWord: "usual",
    limits:
      chart.limit === null
        ? []
        : [
            {
              value: chart.limit,
              colour: "--warning-mark",
              word: chart.limitLabel ?? "limit",
              name: `${short(chart.limit)} ${chart.limitLabel ?? "limit"}`,
            },
          ],
    washes: began === null ? [] : [{ from: began, to: end }],
    note: began === null ? undefined : `${chart.beganLabel ?? "beyond"} since ${moment(began)}`,
    labels: lines.length > 1 || chart.limit !== null ? (small ? "within" : "beside") : null,
    room: 172,
    empty: some ? undefined : "no data in these six hours",
  };
});

export function proof(chart, hit) {
  if (!chart) return nothing;
  return pane({
    title: chart.title,
    note: chart.note,
    name: "proof",
    end: html`<span class="m s12">6 h</span>`,
    body: html`<series-chart .spec=${specOf(chart, hit, phone())}></series-chart>`,
  });
}
