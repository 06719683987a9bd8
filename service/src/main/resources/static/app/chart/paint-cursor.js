// What follows the cursor over a chart.
import { short } from "../core/format.js";
import { timeLabel } from "./axes.js";
import { ink } from "./canvas.js";
import { nearest } from "./decimate.js";

/** Index of the value shown for the cursor, or of the last value; -1 when there is none. */
export function shown(spec, s, gap, time) {
  if (time === null) return s.values.findLastIndex((v) => v !== null);
  return nearest(spec.times, s.values, time, Math.max(gap, spec.stepMillis ?? 0));
}

/** The rule of the cursor across a chart; where it lies. */
function rule(context, at, time, pinned) {
  const x = Math.round(at.x(time)) + 0.5;
  context.strokeStyle = ink("--cursor");
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
  const x = rule(context, at, time, pinned);
  context.font = `600 ${at.font}`;
  const marks = spec.series
    .flatMap((s, i) => (s.style === "main" || s.style === "line" ? [[s, shown(spec, s, at.gaps[i], time)]] : []))
    .filter(([, i]) => i >= 0);
  const flip = x - at.left < 44;
  const taken = [];
  for (const [s, i] of marks) {
    const y = at.y(s.values[i]);
    const own = ink(s.colour ?? "--series-1");
    context.beginPath();
    context.arc(x, y, 3.2, 0, 7);
    context.fillStyle = own;
    context.fill();
    context.strokeStyle = ink("--surface");
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
    context.fillStyle = s.style === "main" ? ink("--ink") : own;
    context.fillText(text, x + (flip ? 7 : -7), labelY);
  }
  timeLabel(context, spec, at, time, x);
}

export function paintSelection(context, at, from, to) {
  context.fillStyle = ink("--band");
  context.fillRect(Math.min(from, to), at.top, Math.abs(to - from), at.bottom - at.top);
  context.strokeStyle = ink("--accent");
  context.lineWidth = 1;
  for (const x of [from, to]) {
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, at.top);
    context.lineTo(Math.round(x) + 0.5, at.bottom);
    context.stroke();
  }
}
