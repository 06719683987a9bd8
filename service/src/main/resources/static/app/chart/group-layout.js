// Where everything of a group chart goes: values above, scores below on the same time, members at the cursor at the
// right edge.
import { number, scale } from "../core/format.js";
import { spacing } from "./decimate.js";
import { niceTicks } from "./scale.js";

const TOP = 24;
const AXIS = 20;
const GAP = 14;
const LANE = 62;
const ROW = 18;
const MARGIN = { wide: 150, narrow: 12 };
const NARROW = 560;
const FONT = "11px ";
/** On a wall text is read from afar, and lines are thick. */
const WALL = { font: "24px ", top: 16, axis: 36, digit: 13.5 };

const NAMES = 16;
const STEPS = [[1, 1.5, 2, 3, 4, 6, 8], [1, 2, 4, 6], [1, 2, 5], [1, 3], [1]];

/** Ticks of a logarithmic axis from `low` to `high`: few round numbers, evenly apart where that can be. */
export function logTicks(low, high, most) {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const within = (steps, every = 1) => {
    const found = [];
    for (let power = first; power <= last; power += every)
      for (const step of steps) found.push(Number((step * 10 ** power).toPrecision(3)));
    return found.filter((v) => v >= low * 0.999 && v <= high * 1.001);
  };
  for (const steps of STEPS) {
    const ticks = within(steps);
    if (ticks.length <= most)
      return ticks.length >= 2 ? ticks : niceTicks(low, high, 3).filter((v) => v >= low && v <= high && v > 0);
  }
  for (let every = 2; ; every++) {
    const ticks = within([1], every);
    if (ticks.length <= most) return ticks;
  }
}

/** The accepted range at another sensitivity: as far from the middle as that is from the one it was made for. */
export function bandAt(metric, times, log) {
  if (times === 1) return { lower: metric.lower, upper: metric.upper };
  const edge = (list) =>
    metric.centre.map((c, i) => {
      const v = list[i];
      if (c === null || v === null) return null;
      return log && c > 0 && v > 0 ? c * (v / c) ** times : c + (v - c) * times;
    });
  return { lower: edge(metric.lower), upper: edge(metric.upper) };
}

const known = new WeakMap();

/** Least and greatest of a list, and the least above 0; of a list that is drawn again that is known. */
function rangeOf(list) {
  let range = known.get(list);
  if (!range) {
    range = { low: Infinity, high: -Infinity, positive: Infinity };
    for (const v of list) {
      if (v === null) continue;
      if (v < range.low) range.low = v;
      if (v > range.high) range.high = v;
      if (v > 0 && v < range.positive) range.positive = v;
    }
    known.set(list, range);
  }
  return range;
}

function extremes(spec) {
  let low = Infinity;
  let high = -Infinity;
  const take = (list) => {
    const range = rangeOf(list);
    if (spec.log && range.high <= 0) return;
    low = Math.min(low, spec.log ? range.positive : range.low);
    high = Math.max(high, range.high);
  };
  take(spec.centre);
  for (const m of spec.members) take(m.values);
  // What is never below 0 has no axis below it, however wide the accepted range is.
  const floor = low >= 0 ? 0 : -Infinity;
  take(spec.lower);
  take(spec.upper);
  if (spec.usualLower) {
    take(spec.usualLower);
    take(spec.usualUpper);
  }
  low = Math.max(low, floor);
  return low <= high ? [low, high] : [spec.log ? 1 : 0, spec.log ? 10 : 1];
}

/**
 * The score at the top of its lane: a round one well above the limit, so that the lines stay where they are while the
 * limit is dragged.
 */
function scoreCap(opensAt) {
  const wanted = opensAt * 1.4 || 1;
  const power = 2 ** Math.floor(Math.log2(wanted));
  return wanted <= power ? power : wanted <= 1.5 * power ? 1.5 * power : 2 * power;
}

export function layoutGroup(spec, width, height, fonts) {
  let [low, high] = extremes(spec);
  if (!spec.log && low > 0 && !spec.tight) low = 0;
  const lane = spec.lane === false ? 0 : LANE;
  const axis = spec.wall ? WALL.axis : AXIS;
  const rows = spec.lanes?.length ?? 0;
  const bottom = height - axis - (lane ? lane + GAP : 0) - (rows ? rows * ROW + 8 : 0);
  const top = spec.wall ? WALL.top : TOP;
  const units = scale(spec.unit, Math.max(Math.abs(low), Math.abs(high)), spec.network);
  const most = Math.max(2, Math.min(5, (bottom - top) / 46));
  let ticks;
  let value;
  let span;
  if (spec.log) {
    const room = Math.log(high / low || 1) * 0.05 + 0.04;
    const [from, to] = (span = [Math.log(low) - room, Math.log(high) + room]);
    value = (v) => bottom - ((Math.log(Math.max(v, low * 0.98)) - from) / (to - from)) * (bottom - top);
    ticks = logTicks(low * units.factor, high * units.factor, most);
  } else {
    ticks = niceTicks(low * units.factor, (high || 1 / units.factor) * units.factor, most - 1);
    const [from, to] = (span = [ticks[0] / units.factor, ticks.at(-1) / units.factor]);
    value = (v) => bottom - ((v - from) / (to - from)) * (bottom - top);
  }
  const widest = ticks.reduce((n, tick) => Math.max(n, number(tick).length), 2);
  const names = (spec.lanes ?? []).reduce((n, l) => Math.max(n, Math.min(NAMES, l.name.length)), 0);
  const left = spec.wall ? 16 + widest * WALL.digit : Math.max(34, 12 + widest * 6.4, names * 6.2 + 14);
  const right = width - (width < NARROW || spec.margin === false ? MARGIN.narrow : MARGIN.wide);
  const x = (t) => left + ((t - spec.from) / (spec.to - spec.from)) * (right - left);
  const rowTop = bottom + 8;
  const size = spec.wall ? WALL.font : FONT;
  const laneTop = bottom + GAP + (rows ? rows * ROW + 8 : 0);
  const laneBottom = laneTop + lane;
  const cap = scoreCap(spec.opensAt);
  const score = (s) => laneBottom - 2 - (Math.min(Math.abs(s), cap) / cap) * (lane - 6);
  const gap = 1.6 * Math.max(spec.stepMillis, ...spec.members.slice(0, 20).map((m) => spacing(spec.times, m.values)));
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    lane: lane > 0,
    laneTop,
    laneBottom,
    rowTop,
    row: ROW,
    x,
    y: value,
    score,
    ticks,
    units,
    gap,
    // Tell whether a list of values, or of scores, lies where it lay before.
    valueKey: [spec.from, spec.to, spec.log, top, ...span].join(" "),
    scoreKey: [spec.from, spec.to, cap, laneTop].join(" "),
    xs: Float64Array.from(spec.times, x),
    marginal: right < width - 100 ? right + 30 : null,
    font: size + fonts,
    strong: `600 ${size}${fonts}`,
  };
}

/** The step that a moment lies in, or the newest; -1 when there is none. */
export function stepAt(spec, time) {
  if (!spec.times.length) return -1;
  if (time === null) return spec.times.length - 1;
  let low = 0;
  let high = spec.times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (spec.times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
