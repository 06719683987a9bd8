// The pane of a curve: IOPS and latency as a picture or as a table.
import { html, nothing } from "../../core/html.js";
import { NONE, number, plural } from "../../core/format.js";
import { amend, go, param } from "../../core/url.js";
import { segments } from "../../parts/small.js";
import { parameterName, parameterValue, valueText } from "./words.js";
import "../../chart/xy-chart.js";

const LATENCIES = [
  ["mean", "Mean"],
  ["p95", "p95"],
  ["p99", "p99"],
];
const MOST_BESIDE = 3;
const STEADY = { steady: "steady", "not-steady": "not steady", "not-known": "not known" };

export const latencyKind = () => (LATENCIES.some(([id]) => id === param("latency")) ? param("latency") : "p95");

const loadName = (unit) => (unit === "B/s" ? "throughput" : "IOPS");

const pointWords = (curve) => (p) =>
  `${parameterName(curve.parameter)} ${parameterValue(curve.parameter, p.value)}: ${valueText(p.load, curve.unit)}${curve.unit === "IO/s" ? " IOPS" : ""} at ${number(p.latencyMillis, 3)} ms, ${p.steady === "not-known" ? "not known whether steady" : STEADY[p.steady]}${p.repeats > 1 ? `, mean of ${plural(p.repeats, "run")}` : ""}`;

/** The reading at its place: "201,000 at 1.5 ms", "between measured 1.28 and 1.86 ms". */
function readingOf(curve, limit) {
  if (curve.readingState !== "reached" || limit === null) return null;
  const [head, note = ""] = curve.reading.split(/[;.] /);
  // What was not interpolated is a measured point, below the limit.
  const measured = curve.points.find((p) => p.load === curve.readingLoad && p.latencyMillis <= limit);
  return {
    load: curve.readingLoad,
    latencyMillis: measured?.latencyMillis ?? limit,
    head: `${head.split(" at ")[0].replace(" IOPS", "")} at ${number(limit)} ms`,
    note: note.replace(/\.$/, "").trim(),
  };
}

const specs = new WeakMap();
/** The picture of a curve, the same as long as it is drawn of the same. */
function specOf({ curve, others, limit }) {
  const key = JSON.stringify([limit, latencyKind(), others.map((o) => o.label)]);
  const known = specs.get(curve);
  if (known?.key === key) return known.spec;
  const name = loadName(curve.unit);
  const repeats = Math.max(...curve.points.map((p) => p.repeats));
  const reading = readingOf(curve, limit);
  const spec = {
    words: `${curve.sentence} ${curve.reading ?? ""} ${curve.points.map(pointWords(curve)).join("; ")}.`,
    points: curve.points,
    others: others.map((o) => ({ name: o.label, points: o.curve.points })),
    limit,
    maximum: curve.theoretical?.maximum ?? null,
    maximumWords: curve.theoretical ? `${valueText(curve.theoretical.maximum, curve.unit)} theoretical` : "",
    reading,
    latency: latencyKind(),
    foot: `${name}; numbers at the points: ${parameterName(curve.parameter)}${repeats > 1 ? `; bars: scatter of ${repeats} repeats` : ""}`,
    loadText: (v) => valueText(v, curve.unit),
    valueText: (v) => parameterValue(curve.parameter, v),
    open: (p) => go(`/benchmark-runs/${p.runs[0]}`),
    pointWords: pointWords(curve),
  };
  specs.set(curve, { key, spec });
  return spec;
}

/** The same as a table, for those who do not see the picture or want the figures. */
const table = (curve) =>
  html`<div class="curve-table">
    <table>
      <thead>
        <tr>
          <th>${parameterName(curve.parameter)}</th>
          <th class="r">${loadName(curve.unit)}</th>
          <th class="r prio-3">Scatter</th>
          <th class="r">${latencyKind()}, ms</th>
          <th class="r prio-3">Repeats</th>
          <th>Steady</th>
        </tr>
      </thead>
      <tbody>
        ${curve.points.map(
          (p) =>
            html`<tr>
              <td>
                <button class="link" @click=${() => go(`/benchmark-runs/${p.runs[0]}`)}>
                  ${parameterValue(curve.parameter, p.value)}
                </button>
              </td>
              <td class="r">${valueText(p.load, curve.unit)}</td>
              <td class="r m prio-3">
                ${p.repeats > 1 ? `${valueText(p.loadLow, curve.unit)} to ${valueText(p.loadHigh, curve.unit)}` : NONE}
              </td>
              <td class="r">${number(p.latencyMillis, 3)}</td>
              <td class="r prio-3">${p.repeats || NONE}</td>
              <td>${STEADY[p.steady]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** `chosen` and `others` are curves as `namedCurves` gives them; others are those of the same kind beside it. */
export function curvePane({ chosen, others, limit }) {
  const { curve } = chosen;
  const asTable = param("as") === "table";
  const beside = others.slice(0, MOST_BESIDE);
  const hollow = curve.points.some((p) => p.steady !== "steady");
  const notes = [
    hollow ? "hollow: not steady, or not known" : "",
    beside.length ? `dashed: ${beside.map((o) => o.apart || o.name).join("; ")}` : "",
    ...curve.remarks,
  ].filter(Boolean);
  return html`<section class="pane curve-pane" aria-label="Load and latency">
    <div class="ph">
      <h2>${curve.unit === "B/s" ? "Throughput" : "IOPS"} and latency</h2>
      <span class="m cut" title=${curve.sentence}>each point one run or the mean of its repeats</span>
      <span class="sp"></span>
      <button
        class="link"
        aria-pressed=${asTable}
        @click=${() => amend({ as: asTable ? null : "table" }, { replace: true })}
      >
        ${asTable ? "Show as a picture" : "Show as table"}
      </button>
      ${segments(
        latencyKind(),
        LATENCIES,
        (id) => amend({ latency: id === "p95" ? null : id }, { replace: true }),
        "Which latency",
      )}
    </div>
    ${asTable ? table(curve) : html`<load-curve .spec=${specOf({ curve, others: beside, limit })}></load-curve>`}
    ${notes.length ? html`<p class="m s12 curve-notes">${notes.join(". ").replaceAll("..", ".")}</p>` : nothing}
  </section>`;
}
