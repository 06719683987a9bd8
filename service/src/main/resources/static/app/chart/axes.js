// The axes of a chart, and the time of the cursor on them.
import { number } from "../core/format.js";
import { clock, DAY, moment } from "../core/time.js";
import { ink } from "./canvas.js";
import { timeTicks } from "./scale.js";

const APART = 66;
/** Labels of values are at least so far apart, in pixels. */
export const LABEL_HEIGHT = 14;

/** Rules across with their values, and times below. */
export function axes(context, spec, at) {
  context.font = at.font;
  context.fillStyle = ink("--axis");
  context.strokeStyle = ink("--grid");
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

/** The time of the cursor, on the axis, over whatever label stands there. */
export function timeLabel(context, spec, at, time, x) {
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
  context.fillStyle = ink("--surface");
  context.fillRect(coverFrom, at.bottom + 2, coverTo - coverFrom, 17);
  context.fillStyle = ink("--ink");
  context.textAlign = "center";
  context.fillText(label, centre, at.height - 5);
}
