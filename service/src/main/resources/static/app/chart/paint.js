// Draws a chart on its two canvases: lines and axes below, what follows the cursor above.
import { number, scale, short, shortened } from "../core/format.js";
import { clock, DAY, moment } from "../core/time.js";
import { extentsOf, isZigzag, paintExtents } from "./crowd.js";
import { broken, nearest, runs, spacing } from "./decimate.js";
import { niceTicks, timeTicks } from "./scale.js";

const MARGIN = { top: 8, right: 10, bottom: 20 };
const FONT = "11px ";
const APART = 66;
/** Labels of values are at least so far apart, in pixels. */
export const LABEL_HEIGHT = 14;
const LIMIT_REACH = 4;

// Colours of each themed part of the page, read once per theme; painting uses those of the last `theme` call.
let palettes = new WeakMap();
let colours = () => () => "";
addEventListener("themechange", () => (palettes = new WeakMap()));

/** Makes what follows paint in the colours that hold at `element`. */
export function theme(element) {
  const root = element.closest("[data-theme]");
  if (!palettes.has(root)) {
    const style = getComputedStyle(root);
    const cache = new Map();
    palettes.set(root, (name) => {
      if (!cache.has(name)) cache.set(name, style.getPropertyValue(name).trim());
      return cache.get(name);
    });
  }
  const palette = palettes.get(root);
  colours = () => palette;
}

/** A colour by its token, in the theme of the last `theme` call. */
export const ink = (token) => colours()(token);

/** Fits a canvas to its box at the resolution of the screen and gives its context in CSS pixels. */
export function fit(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

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
  const ticks = niceTicks(low * units.factor, (high || 1 / units.factor) * units.factor, Math.max(2, Math.min(4, bottom / 48)));
  const widest = ticks.reduce((most, tick) => Math.max(most, number(tick).length), 1);
  const left = Math.max(26, 10 + widest * 6.4);
  const right = width - (spec.labels === "beside" ? 116 : MARGIN.right);
  const bounds = [ticks[0], ticks.at(-1)];
  const x = (t) => left + ((t - spec.from) / (spec.to - spec.from)) * (right - left);
  const y = (v) => bottom - ((v * units.factor - bounds[0]) / (bounds[1] - bounds[0])) * (bottom - MARGIN.top);
  const gaps = spec.series.map((s) => 2.5 * Math.max(spacing(spec.times, s.values), spec.stepMillis ?? 0));
  const xs = Float64Array.from(spec.times, x);
  return { width, height, left, right, top: MARGIN.top, bottom, x, y, xs, ticks, units, gaps, font: FONT + colours()("--font") };
}

/** Strokes runs of points, `[x, y, x, y, ...]` each. */
export function stroke(context, lines) {
  context.beginPath();
  for (const line of lines) {
    // A sample alone is a dot.
    context.moveTo(line.length === 2 ? line[0] - 1 : line[0], line[1]);
    if (line.length === 2) context.lineTo(line[0] + 1, line[1]);
    for (let i = 2; i < line.length; i += 2) context.lineTo(line[i], line[i + 1]);
  }
  context.stroke();
}

/** Rules across with their values, and times below. */
export function axes(context, spec, at) {
  const colour = colours();
  context.font = at.font;
  context.fillStyle = colour("--axis");
  context.strokeStyle = colour("--grid");
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  let above = Infinity;
  for (const tick of at.ticks) {
    const y = Math.round(at.y(tick / at.units.factor)) + 0.5;
    context.beginPath();
    context.moveTo(at.left, y);
    context.lineTo(at.right, y);
    context.stroke();
    // A low chart has no room for all labels.
    if (spec.empty || above - y < LABEL_HEIGHT) continue;
    context.fillText(number(tick), at.left - 6, y);
    above = y;
  }
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  for (const [time, label] of timeTicks(spec.from, spec.to, at.right - at.left, APART)) {
    const x = at.x(time);
    const half = label.length * 3.2;
    if (x - half >= at.left - 16 && x + half <= at.right + 12) context.fillText(label, x, at.height - 5);
  }
}

function envelope(context, spec, s, at, gap) {
  const steps = [];
  let last = NaN;
  let before = NaN;
  for (let i = 0; i < spec.times.length; i++) {
    if (s.min[i] === null) continue;
    if (!steps.length || broken(spec.times, s.min, i, last, before, gap)) steps.push([]);
    steps.at(-1).push(i);
    before = last;
    last = spec.times[i];
  }
  const fill = () => {
    for (const run of steps) {
      context.beginPath();
      for (const i of run) context.lineTo(at.x(spec.times[i]), at.y(s.max[i]));
      for (const i of run.toReversed()) context.lineTo(at.x(spec.times[i]), at.y(s.min[i]));
      context.fill();
    }
  };
  context.fillStyle = colours()("--band");
  if (!spec.forecast) return fill();
  // What is ahead is dimmed.
  const now = at.x(spec.forecast);
  for (const [from, to, alpha] of [[at.left, now, 1], [now, at.right, 0.5]]) {
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, at.bottom + 2);
    context.clip();
    context.globalAlpha = alpha;
    fill();
    context.restore();
  }
}

const WIDTHS = { main: 2, line: 1.6, median: 1.1 };
const DEPTH = ["median", "line", "main"];

/** Index of the last value of a line that ends well before the window does; -1 for a line that goes on. */
export function endOf(spec, s, gap) {
  const last = s.values.findLastIndex((v) => v !== null);
  return last < 0 || Math.min(spec.to, Date.now()) - spec.times[last] < Math.max(2 * gap, 180_000) ? -1 : last;
}

/** A dashed ring where the line of a silent object ends. */
function ending(context, spec, s, at, gap) {
  const last = endOf(spec, s, gap);
  if (last < 0) return;
  const x = at.x(spec.times[last]);
  const y = at.y(s.values[last]);
  context.strokeStyle = colours()("--unknown");
  context.lineWidth = 1.6;
  context.setLineDash([2.2, 2]);
  context.beginPath();
  context.arc(x, y, 4.5, 0, 7);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = colours()("--ink-2");
  context.font = at.font;
  const text = `no data since ${moment(spec.times[last] + (spec.stepMillis ?? 0))}`;
  const room = at.right - x > 120;
  context.textAlign = room ? "left" : "right";
  const [textX, textY] = [room ? x + 8 : x - 8, Math.max(at.top + 8, y - 10)];
  context.strokeStyle = colours()("--surface");
  context.lineWidth = 3;
  context.strokeText(text, textX, textY);
  context.fillText(text, textX, textY);
}

/** One line in its own colour: stroked, or filled when it is a zigzag that would take a canvas long. */
function line(context, spec, s, at, gap) {
  const width = WIDTHS[s.style];
  const ink = colours()(s.colour ?? (s.style === "median" ? "--median" : "--series-1"));
  if (s.style !== "median") {
    const ratio = context.getTransform().a;
    const extents = extentsOf(spec, [[s, gap]], at, ratio, width);
    if (isZigzag(extents[0])) {
      paintExtents(context, extents, at, ratio, width, ink);
      return;
    }
  }
  context.strokeStyle = ink;
  context.lineWidth = width;
  context.setLineDash(s.style === "median" ? [4, 3] : []);
  stroke(context, runs(spec.times, at.xs, s.values, at.y, gap));
  context.setLineDash([]);
}

/** Peers, all lines of a colour in one go, behind everything else. */
function crowds(context, spec, at) {
  const byColour = new Map();
  spec.series.forEach((s, i) => {
    if (s.style !== "peer") return;
    if (s.min && s.max) envelope(context, spec, s, at, at.gaps[i]);
    const name = s.colour ?? "--peer";
    byColour.set(name, [...(byColour.get(name) ?? []), [s, at.gaps[i]]]);
  });
  const ratio = context.getTransform().a;
  for (const [name, lines] of byColour) paintExtents(context, extentsOf(spec, lines, at, ratio, 1), at, ratio, 1, colours()(name));
}

export function paintBase(context, spec, at) {
  axes(context, spec, at);
  context.save();
  context.beginPath();
  context.rect(at.left, 0, at.right - at.left, at.bottom + 2);
  context.clip();
  washes(context, spec, at);
  context.lineJoin = "bevel";
  crowds(context, spec, at);
  for (const style of DEPTH) {
    spec.series.forEach((s, i) => {
      if (s.style !== style) return;
      if (s.min && s.max) envelope(context, spec, s, at, at.gaps[i]);
      line(context, spec, s, at, at.gaps[i]);
      if (style === "main") ending(context, spec, s, at, at.gaps[i]);
    });
  }
  limits(context, spec, at);
  context.restore();
  flags(context, spec, at);
  if (spec.labels) endLabels(context, spec, at);
}

/** Spans in which something was open, washed, with a rule at their start. */
function washes(context, spec, at) {
  for (const { from, to, colour } of spec.washes ?? []) {
    if (to < spec.from || from > spec.to) continue;
    const x = at.x(Math.max(from, spec.from));
    context.fillStyle = colours()(colour ?? "--deviant-wash");
    context.fillRect(x, at.top, Math.max(1, at.x(Math.min(to, spec.to)) - x), at.bottom - at.top);
    if (from < spec.from || colour) continue;
    context.fillStyle = colours()("--line-strong");
    context.fillRect(Math.round(x), at.top, 1, at.bottom - at.top);
  }
}

const LABEL = 14;

/** Static limits: dashed lines in the colour of their severity, each value at the left end where no other line is in its way. */
function limits(context, spec, at) {
  const inside = (spec.limits ?? []).map((l) => ({ ...l, y: Math.round(at.y(l.value)) + 0.5 })).filter(({ y }) => y >= at.top - 1 && y <= at.bottom + 1);
  const free = (from, to, own) => from >= at.top - 2 && inside.every((l) => l === own || l.y < from || l.y > to);
  context.font = at.font;
  context.textAlign = "left";
  for (const limit of inside) {
    const { y, value, colour } = limit;
    context.strokeStyle = colours()(colour);
    context.lineWidth = 1;
    context.setLineDash([5, 3]);
    context.beginPath();
    context.moveTo(at.left, y);
    context.lineTo(at.right, y);
    context.stroke();
    context.setLineDash([]);
    const above = free(y - LABEL, y, limit);
    if (!above && !free(y, y + LABEL, limit)) continue;
    const text = short(value * at.units.factor);
    const textY = above ? y - 4 : y + 11;
    context.strokeStyle = colours()("--surface");
    context.lineWidth = 3;
    context.strokeText(text, at.left + 3, textY);
    context.fillStyle = colours()("--ink-2");
    context.fillText(text, at.left + 3, textY);
  }
}

function flags(context, spec, at) {
  context.strokeStyle = colours()("--ink-3");
  context.fillStyle = colours()("--ink-3");
  context.lineWidth = 1;
  for (const flag of spec.flags ?? []) {
    if (flag.at < spec.from || flag.at > spec.to) continue;
    const x = Math.round(at.x(flag.at)) + 0.5;
    context.setLineDash([1, 3]);
    context.beginPath();
    context.moveTo(x, at.top);
    context.lineTo(x, at.bottom);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(x - 3.5, 0);
    context.lineTo(x + 3.5, 0);
    context.lineTo(x + 3.5, 5);
    context.lineTo(x, 8.5);
    context.lineTo(x - 3.5, 5);
    context.fill();
  }
}

/** Names at the ends of the lines, beside the plot or above them within it, pushed apart so that none covers another; at most 8. */
function endLabels(context, spec, at) {
  const within = spec.labels === "within";
  const labels = spec.series
    .filter((s) => s.style === "line" || s.style === "main")
    .map((s) => ({ s, y: at.y(s.values.findLast((v) => v !== null) ?? 0) - (within ? 9 : 0) }))
    .slice(0, 8)
    .sort((a, b) => a.y - b.y);
  labels.forEach((label, i) => (label.y = Math.max(label.y, i ? labels[i - 1].y + 14 : at.top + 6)));
  for (let i = labels.length - 1; i >= 0; i--) {
    labels[i].y = Math.min(labels[i].y, i === labels.length - 1 ? at.bottom - (within ? 7 : 0) : labels[i + 1].y - 14);
  }
  context.font = at.font;
  context.textAlign = within ? "right" : "left";
  context.textBaseline = "middle";
  context.strokeStyle = colours()("--surface");
  context.lineWidth = 3;
  for (const { s, y } of labels) {
    context.fillStyle = colours()(s.colour ?? "--series-1");
    const name = shortened(s.name, within ? 28 : 17);
    if (within) context.strokeText(name, at.right - 4, y);
    context.fillText(name, within ? at.right - 4 : at.right + 8, y);
  }
  context.textBaseline = "alphabetic";
}

/** Index of the value shown for the cursor, or of the last value; -1 when there is none. */
export function shown(spec, s, gap, time) {
  if (time === null) return s.values.findLastIndex((v) => v !== null);
  return nearest(spec.times, s.values, time, Math.max(gap, spec.stepMillis ?? 0));
}

/** The rule of the cursor across a chart; where it lies. */
function rule(context, at, time, pinned) {
  const x = Math.round(at.x(time)) + 0.5;
  context.strokeStyle = colours()("--cursor");
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, pinned ? 0 : at.top);
  context.lineTo(x, at.bottom);
  context.stroke();
  return x;
}

/** The cursor of a chart that names its values itself. */
export function paintTime(context, spec, at, time, pinned) {
  if (time === null || time < spec.from || time > spec.to) return;
  const x = rule(context, at, time, pinned);
  context.font = `600 ${at.font}`;
  timeLabel(context, spec, at, time, x);
}

export function paintCursor(context, spec, at, time, pinned) {
  if (time === null || time < spec.from || time > spec.to) return;
  const colour = colours();
  const x = rule(context, at, time, pinned);
  context.font = `600 ${at.font}`;
  const marks = spec.series.flatMap((s, i) => (s.style === "main" || s.style === "line" ? [[s, shown(spec, s, at.gaps[i], time)]] : [])).filter(([, i]) => i >= 0);
  const flip = x - at.left < 44;
  const taken = [];
  for (const [s, i] of marks) {
    const y = at.y(s.values[i]);
    const own = colour(s.colour ?? "--series-1");
    context.beginPath();
    context.arc(x, y, 3.2, 0, 7);
    context.fillStyle = own;
    context.fill();
    context.strokeStyle = colour("--surface");
    context.lineWidth = 1.5;
    context.stroke();
    let labelY = Math.max(at.top + 5, y - 7);
    while (taken.some((t) => Math.abs(t - labelY) < 12)) labelY -= 12;
    taken.push(labelY);
    if (labelY < 8) continue;
    context.textAlign = flip ? "left" : "right";
    context.lineWidth = 3;
    const text = short(s.values[i] * at.units.factor);
    context.strokeText(text, x + (flip ? 7 : -7), labelY);
    context.fillStyle = s.style === "main" ? colour("--ink") : own;
    context.fillText(text, x + (flip ? 7 : -7), labelY);
  }
  timeLabel(context, spec, at, time, x);
}

/** The time of the cursor, on the axis, over whatever label stands there. */
function timeLabel(context, spec, at, time, x) {
  const label = spec.to - spec.from > DAY ? moment(time) : clock(time, spec.to - spec.from < 3_600_000);
  const half = context.measureText(label).width / 2 + 4;
  const centre = Math.min(Math.max(x, at.left + half), at.right - half);
  let [coverFrom, coverTo] = [centre - half, centre + half];
  for (const [tick, text] of timeTicks(spec.from, spec.to, at.right - at.left, APART)) {
    const reach = text.length * 3.4;
    if (Math.abs(at.x(tick) - centre) < half + reach) {
      coverFrom = Math.min(coverFrom, at.x(tick) - reach);
      coverTo = Math.max(coverTo, at.x(tick) + reach);
    }
  }
  context.fillStyle = colours()("--surface");
  context.fillRect(coverFrom, at.bottom + 2, coverTo - coverFrom, 17);
  context.fillStyle = colours()("--ink");
  context.textAlign = "center";
  context.fillText(label, centre, at.height - 5);
}

export function paintSelection(context, at, from, to) {
  const colour = colours();
  context.fillStyle = colour("--band");
  context.fillRect(Math.min(from, to), at.top, Math.abs(to - from), at.bottom - at.top);
  context.strokeStyle = colour("--accent");
  context.lineWidth = 1;
  for (const x of [from, to]) {
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, at.top);
    context.lineTo(Math.round(x) + 0.5, at.bottom);
    context.stroke();
  }
}
