// The lines of a chart with their bands, peers behind everything else.
import { moment } from "../core/time.js";
import { ink, stroke } from "./canvas.js";
import { extentsOf, isZigzag, paintExtents } from "./crowd.js";
import { broken, runs } from "./decimate.js";

const WIDTHS = { main: 2, line: 1.6, median: 1.1 };
const DEPTH = ["median", "line", "main"];

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
  context.fillStyle = ink("--band");
  if (!spec.forecast) return fill();
  // What is ahead is dimmed.
  const now = at.x(spec.forecast);
  for (const [from, to, alpha] of [
    [at.left, now, 1],
    [now, at.right, 0.5],
  ]) {
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, at.bottom + 2);
    context.clip();
    context.globalAlpha = alpha;
    fill();
    context.restore();
  }
}

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
  context.strokeStyle = ink("--unknown");
  context.lineWidth = 1.6;
  context.setLineDash([2.2, 2]);
  context.beginPath();
  context.arc(x, y, 4.5, 0, 7);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = ink("--ink-2");
  context.font = at.font;
  const text = `no data since ${moment(spec.times[last] + (spec.stepMillis ?? 0))}`;
  const room = at.right - x > 120;
  context.textAlign = room ? "left" : "right";
  const [textX, textY] = [room ? x + 8 : x - 8, Math.max(at.top + 8, y - 10)];
  context.strokeStyle = ink("--surface");
  context.lineWidth = 3;
  context.strokeText(text, textX, textY);
  context.fillText(text, textX, textY);
}

/** One line in its own colour: stroked, or filled when it is a zigzag that would take a canvas long. */
function line(context, spec, s, at, gap) {
  const width = WIDTHS[s.style];
  const colour = ink(s.colour ?? (s.style === "median" ? "--median" : "--series-1"));
  if (s.style !== "median") {
    const ratio = context.getTransform().a;
    const extents = extentsOf(spec, [[s, gap]], at, ratio, width);
    if (isZigzag(extents[0])) {
      paintExtents(context, extents, at, ratio, width, colour);
      return;
    }
  }
  context.strokeStyle = colour;
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
  for (const [name, lines] of byColour)
    paintExtents(context, extentsOf(spec, lines, at, ratio, 1), at, ratio, 1, ink(name));
}

/** All lines, the main one above the others. */
export function paintSeries(context, spec, at) {
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
}
