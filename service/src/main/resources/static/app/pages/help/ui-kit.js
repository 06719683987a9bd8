// /ui-kit: every component in both themes, for eyes and for photographs. The data is made up and says so.
import { html } from "../../core/html.js";
import { Problem } from "../../core/api.js";
import { medianOf } from "../../chart/decimate.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { shape, SHAPES, icon, mark } from "../../parts/shapes.js";
import { bar, chip, progress, segments, spark } from "../../parts/small.js";
import { peersSample } from "./ui-kit-peers.js";
import "../../chart/series-chart.js";

const MINUTE = 60_000;
const END = Date.UTC(2026, 10, 20, 14, 25);
const TIMES = Array.from({ length: 180 }, (_, i) => END - (180 - i) * MINUTE);
const wave = (level, seed, gap) =>
  TIMES.map((_, i) =>
    i > 120 && i < 134 && gap
      ? null
      : level * (1 + 0.12 * Math.sin(i / 9 + seed) + 0.05 * Math.sin(i / 2.3 + seed * 7)),
  );

function specs() {
  const peers = Array.from({ length: 9 }, (_, i) => wave(34 + i * 2, i));
  const base = { from: TIMES[0], to: END, times: TIMES, stepMillis: MINUTE, unit: "%" };
  return [
    {
      ...base,
      title: "CPU usage",
      series: [
        ...peers.map((values) => ({ name: "sibling", values, style: "peer" })),
        { name: "median", values: medianOf(peers), style: "median" },
        { name: "web-07", values: wave(58, 3, true), style: "main" },
      ],
      flags: [{ at: END - 70 * MINUTE, text: "moved" }],
    },
    {
      ...base,
      title: "Network sent",
      unit: "KBps",
      network: true,
      labels: true,
      series: [1, 2, 3, 4, 5, 6].map((i) => ({
        name: `web-0${i}`,
        values: wave(i * 900, i),
        style: "line",
        colour: `--series-${i}`,
      })),
    },
    {
      ...base,
      title: "Silent since 13:50",
      series: [{ name: "web-03", values: wave(40, 1).map((v, i) => (i < 145 ? v : null)), style: "main" }],
    },
    {
      ...base,
      title: "Over its limits",
      open: "warning",
      series: [{ name: "db-01", values: wave(72, 2).map((v, i) => (i > 130 ? v + 12 : v)), style: "main" }],
      limits: [
        { value: 80, colour: "--warning-mark", word: "limit of warning" },
        { value: 95, colour: "--critical", word: "limit of critical" },
      ],
      washes: [{ from: END - 48 * MINUTE, to: END }],
    },
    { ...base, title: "Nothing", series: [], empty: "no data in this range" },
  ];
}
const SPECS = specs();

const SURFACES = [
  "--bg",
  "--surface",
  "--inset",
  "--hover",
  "--selected",
  "--line",
  "--line-strong",
  "--control",
  "--accent",
  "--accent-soft",
  "--critical",
  "--immediate",
  "--warning",
  "--info",
  "--unknown",
  "--series-1",
  "--series-2",
  "--series-3",
  "--series-4",
  "--series-5",
  "--series-6",
];
const WAITING = { data: null, error: null, loading: true, waited: 300 };
const LATE = { data: null, error: null, loading: true, waited: 5200 };
const PROBLEM = new Problem(
  {
    status: 400,
    code: "too-many-points",
    title: "Too many points",
    detail: "17,280,000 values; the limit is 1,000,000.",
    hint: "Use a step of at least 3m.",
    errors: [{ field: "step", reason: "10s is too fine for this window" }],
  },
  "POST /api/v1/series/query",
);
const nothing = () => {};

const states = () =>
  html` ${pane({ title: "Loading", body: loaded(WAITING, nothing, { rows: 3 }) })}
  ${pane({ title: "Loading, over 4 s", body: loaded(LATE, nothing) })}
  ${pane({
    title: "Old data while new is read",
    body: loaded({ data: 1, loading: true, waited: 300 }, () => html`<p class="pad">dimmed, in its place</p>`),
  })}
  ${pane({
    title: "Empty",
    body: loaded({ data: [] }, nothing, {
      empty: "Nothing is silent. An object counts as silent when it missed several of its own intervals.",
      isEmpty: () => true,
    }),
  })}
  ${pane({ title: "Error", body: failure(PROBLEM, nothing) })}`;

const sample = (theme) =>
  html`<section data-theme=${theme} aria-label=${`Theme ${theme}`}>
    <h2>${theme}</h2>
    <p class="m">Figures are made up.</p>
    <div class="swatches">${SURFACES.map((t) => html`<span><i .style=${`background:var(${t})`}></i>${t}</span>`)}</div>
    <div class="row">${Object.keys(SHAPES).map((k) => html`<span class="row">${shape(k, 14)}${k}</span>`)}</div>
    <div class="row">${Object.keys(SHAPES).map((k) => shape(k, 10))}</div>
    <div class="row">
      <button class="ctl">Control <kbd>M</kbd></button>
      <button class="ctl primary">Primary</button>
      <button class="ctl" disabled title="Needs the role admin">Disabled</button>
      <button class="link">Link</button>
      ${chip("tier web")}${icon("search")}${mark()}${mark(true)}
    </div>
    <div class="row">
      ${segments(
        "a",
        [
          ["a", "With siblings"],
          ["b", "Plain"],
        ],
        nothing,
        "Sample",
      )}
      <input class="field" placeholder="Field" aria-label="Sample field" />
      <input class="field" value="wrong" aria-invalid="true" aria-label="Sample field in error" />
    </div>
    <div class="row">
      ${spark([3, 4, 4, 6, 5, null, 7, 9, 8])}${spark([1, 1, 2, 1, 8, 9, 9], { colour: "--accent" })}
      <span class="kit-bar">${bar(0.62)}</span>
      <span class="kit-bar">${progress(3, 14, "Sample")}</span>
    </div>
    <p class="say">Sends <b>412 Mbit/s</b>; the other 10 send 88 to 131. <a href="/ui-kit">A link in a sentence.</a></p>
    <div class="kit-charts">
      ${SPECS.map((spec) => html`<section class="pane"><series-chart .spec=${spec}></series-chart></section>`)}
    </div>
    ${peersSample()}
    <section class="pane">
      <table>
        <thead>
          <tr>
            <td class="w-state"></td>
            <th aria-sort="ascending">
              <button>Name <span>↑</span></button>
            </th>
            <th class="r">Value</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>${shape("unknown")}</td>
            <td class="strong">shop-web-03</td>
            <td class="r">-</td>
          </tr>
          <tr class="sel">
            <td>${shape("alike")}</td>
            <td class="strong">shop-web-07</td>
            <td class="r">412 Mbit/s</td>
          </tr>
        </tbody>
      </table>
    </section>
    ${states()}
  </section>`;

export const page = () => ({
  title: "Components",
  timed: false,
  view: () =>
    html`<div class="top">
        <h1>Components</h1>
      </div>
      <div class="kit">${sample("light")} ${sample("dark")}</div>`,
});
