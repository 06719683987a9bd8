// The drawings of peers at /ui-kit. The data is made up.
import { html } from "../../core/html.js";
import { bandLine, buckets, deviationBar, lane, strip } from "../../parts/peers.js";
import { weeks } from "../../parts/small.js";
import "../../chart/group-chart.js";

const MINUTE = 60_000;
const END = Date.UTC(2026, 10, 20, 14, 25);
const STEP = 5 * MINUTE;
const TIMES = Array.from({ length: 37 }, (_, i) => END - (37 - i) * STEP);
const wave = (level, seed) =>
  TIMES.map((_, i) => level * (1 + 0.1 * Math.sin(i / 6) + 0.03 * Math.sin(i / 1.7 + seed * 7)));
const LEVELS = [88, 92, 96, 99, 101, 104, 108, 113, 119, 131];
const OUT = wave(103, 3).map((v, i) => (i > 20 ? v * (i === 21 ? 2.4 : 3.9) : v));
const score = (seed, out) =>
  TIMES.map((_, i) => (out && i > 20 ? 5.9 + 0.2 * Math.sin(i) : 0.9 * Math.abs(Math.sin(i / 2 + seed))));

const spec = (log) => ({
  unit: "Mbit/s",
  log,
  from: TIMES[0],
  to: END,
  times: TIMES,
  stepMillis: STEP,
  centre: wave(102, 0),
  lower: wave(63, 0),
  upper: wave(156, 0),
  judged: TIMES.map(() => 11),
  members: [
    { id: "d", name: "web-07", values: OUT, scores: score(1, true), token: "--deviant-1" },
    ...LEVELS.map((l, i) => ({
      id: `${i}`,
      name: `web-${i}`,
      values: wave(l, i).map((v, k) => (i === 2 && k > 29 ? null : v)),
      scores: score(i),
      token: null,
    })),
  ],
  events: [{ from: TIMES[21], to: null, token: "--deviant-1" }],
  flags: [
    { at: TIMES[9], text: "web-12 joined" },
    { at: TIMES[20], text: "weight of web-07 10 to 40" },
  ],
  opensAt: 4.5,
  closesBelow: 2.7,
  opensWords: "3 of 4",
  closesWords: "6",
  words: "web-07 is at 412 Mbit/s, its peers at 88 to 131.",
});
const SPECS = [
  spec(true),
  {
    ...spec(false),
    lane: false,
    lanes: [
      { name: "web-07", spans: [{ from: TIMES[21], to: END, token: "--deviant-1", words: "open, 6.2" }] },
      {
        name: "web-02",
        note: "only at High",
        spans: [
          { from: TIMES[5], to: TIMES[6], dashed: true },
          { from: TIMES[15], to: TIMES[16], dashed: true },
        ],
      },
    ],
  },
];
const crowd = Array.from({ length: 60 }, (_, i) => 40 + 18 * Math.sin(i * 1.7) + i / 6).sort((a, b) => a - b);

export const peersSample = () =>
  html`<div class="kit-peers">
      ${strip({
        ticks: LEVELS,
        centre: 104,
        lower: 62,
        upper: 158,
        deviants: [{ value: 412, words: "web-07 412 Mbit/s" }],
        label: "one out",
      })}
      ${strip(
        {
          ticks: LEVELS,
          centre: 104,
          lower: 62,
          upper: 158,
          deviants: [{ value: 412 }, { value: 20 }, { value: 240 }],
          label: "three out",
        },
        { width: 214, height: 28 },
      )}
      ${strip({ ticks: LEVELS, centre: 104, lower: 62, upper: 158, label: "alike" }, { width: 214, height: 18 })}
      ${strip({
        ticks: [21, 22, 23, 58, 60, 63],
        bands: [
          { lower: 21, upper: 23 },
          { lower: 58, upper: 63 },
        ],
        label: "split",
      })}
      ${strip(
        {
          ticks: crowd,
          count: 400,
          centre: 45,
          lower: 10,
          upper: 80,
          deviants: [{ value: 120 }],
          label: "four hundred",
        },
        { width: 214, height: 34 },
      )}
      ${strip({}, { width: 214, height: 22 })}
      ${deviationBar({
        value: 412,
        centre: 104,
        lower: 62,
        upper: 158,
        low: 88,
        high: 412,
        hot: true,
        log: true,
      })}${deviationBar({ value: 96, centre: 104, lower: 62, upper: 158, low: 88, high: 412, log: true })}
      ${buckets([1, 0.4, null, 4.6, 5, 6, 6, 6, 5.9, 6, 6.1, 6.2], 4.5)}
      ${lane(
        [
          { from: END - 20 * 60 * MINUTE, to: END - 18 * 60 * MINUTE, token: "--peer-strong" },
          { from: END - 80 * MINUTE, to: null, token: "--deviant-1" },
        ],
        { from: END - 1440 * MINUTE, to: END, window: { from: END - 360 * MINUTE, to: END }, label: "two events" },
      )}
      ${bandLine(OUT, wave(63, 0), wave(156, 0))}${weeks([0, 2, 1, 5, 3, 0, 8, 4])}
    </div>
    ${SPECS.map((s) => html`<section class="pane kit-group"><group-chart .spec=${s}></group-chart></section>`)}`;
