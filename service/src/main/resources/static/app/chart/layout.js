// Where everything of a chart goes.
import { number, scale } from "../core/format.js";
import { ink } from "./canvas.js";
import { spacing } from "./decimate.js";
import { niceTicks } from "./scale.js";

const MARGIN = { top: 8, right: 10, bottom: 20 };
const FONT = "11px ";
const LIMIT_REACH = 4;
const ROOM = 116;

/** Where everything goes: computed when data or size change, used by both canvases. */
export function layout(spec, width, height) {
  let low = 0;
  let high = spec.atLeast ?? 0;
  for (const s of spec.series) {
    for (const list of [s.values, s.max, s.min]) {
      if (!list) continue;
      for (const v of list) {
        if (v === null) continue;
        if (v > high) high = v;
        if (v < low) low = v;
      }
    }
  }
  // A limit out of reach is drawn too, unless it would press the lines flat.
  const reach = Math.max(high, -low) * LIMIT_REACH;
  for (const { value } of spec.limits ?? []) {
    if (value > high && (value <= reach || high === 0)) high = value;
    if (value < low && (-value <= reach || low === 0)) low = value;
  }
  const units = spec.units ?? scale(spec.unit, Math.max(high, -low), spec.network);
  const bottom = height - MARGIN.bottom;
  const ticks = niceTicks(
    low * units.factor,
    (high || 1 / units.factor) * units.factor,
    Math.max(2, Math.min(4, bottom / 48)),
  );
  const widest = ticks.reduce((most, tick) => Math.max(most, number(tick).length), 1);
  const left = Math.max(26, 10 + widest * 6.4);
  const right = width - (spec.labels === "beside" ? (spec.room ?? ROOM) : MARGIN.right);
  const bounds = [ticks[0], ticks.at(-1)];
  const x = (t) => left + ((t - spec.from) / (spec.to - spec.from)) * (right - left);
  const y = (v) => bottom - ((v * units.factor - bounds[0]) / (bounds[1] - bounds[0])) * (bottom - MARGIN.top);
  const gaps = spec.series.map((s) => 2.5 * Math.max(spacing(spec.times, s.values), spec.stepMillis ?? 0));
  const xs = Float64Array.from(spec.times, x);
  return {
    width,
    height,
    left,
    right,
    top: MARGIN.top,
    bottom,
    x,
    y,
    xs,
    ticks,
    units,
    gaps,
    font: FONT + ink("--font"),
  };
}
