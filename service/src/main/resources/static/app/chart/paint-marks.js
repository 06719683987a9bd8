// What stands beside the lines of a chart: spans that are washed, limits, flags, and names at the ends of lines.
import { short, shortened } from "../core/format.js";
import { ink } from "./canvas.js";

const LABEL = 14;

/** How wide a letter of a name is. */
const LETTER = 6.35;

/** Spans in which something was open, washed, with a rule at their start. */
export function washes(context, spec, at) {
  for (const { from, to, colour } of spec.washes ?? []) {
    if (to < spec.from || from > spec.to) continue;
    const x = at.x(Math.max(from, spec.from));
    context.fillStyle = ink(colour ?? "--deviant-wash");
    context.fillRect(x, at.top, Math.max(1, at.x(Math.min(to, spec.to)) - x), at.bottom - at.top);
    if (from < spec.from || colour) continue;
    context.fillStyle = ink("--line-strong");
    context.fillRect(Math.round(x), at.top, 1, at.bottom - at.top);
  }
}

/**
 * Static limits: dashed lines in the colour of their severity, each value at the left end where no other line is in its
 * way.
 */
export function limits(context, spec, at) {
  const inside = (spec.limits ?? [])
    .map((l) => ({ ...l, y: Math.round(at.y(l.value)) + 0.5 }))
    .filter(({ y }) => y >= at.top - 1 && y <= at.bottom + 1);
  const free = (from, to, own) => from >= at.top - 2 && inside.every((l) => l === own || l.y < from || l.y > to);
  context.font = at.font;
  context.textAlign = "left";
  for (const limit of inside) {
    const { y, value, colour } = limit;
    context.strokeStyle = ink(colour);
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
    context.strokeStyle = ink("--surface");
    context.lineWidth = 3;
    context.strokeText(text, at.left + 3, textY);
    context.fillStyle = ink("--ink-2");
    context.fillText(text, at.left + 3, textY);
  }
}

/** Changes, each a flag above with a dotted line down. */
export function flags(context, spec, at) {
  context.strokeStyle = ink("--ink-3");
  context.fillStyle = ink("--ink-3");
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

/**
 * Names at the ends of the lines, beside the plot or above them within it, pushed apart so that none covers another; at
 * most 8.
 */
export function endLabels(context, spec, at) {
  const within = spec.labels === "within";
  const lines = spec.series
    .filter((s) => s.style === "line" || s.style === "main")
    .map((s) => ({ s, y: at.y(s.values.findLast((v) => v !== null) ?? 0) - (within ? 9 : 0) }));
  const named = within ? [] : (spec.limits ?? []).filter((l) => l.name).map((l) => ({ s: l, y: at.y(l.value) }));
  const most = within ? 28 : Math.floor((at.width - at.right - 8) / LETTER);
  const labels = [...lines, ...named]
    .filter(({ y }) => y >= at.top - LABEL)
    .slice(0, 8)
    .sort((a, b) => a.y - b.y);
  labels.forEach((label, i) => (label.y = Math.max(label.y, i ? labels[i - 1].y + 14 : at.top + 6)));
  for (let i = labels.length - 1; i >= 0; i--) {
    labels[i].y = Math.min(labels[i].y, i === labels.length - 1 ? at.bottom - (within ? 7 : 0) : labels[i + 1].y - 14);
  }
  context.font = at.font;
  context.textAlign = within ? "right" : "left";
  context.textBaseline = "middle";
  context.strokeStyle = ink("--surface");
  context.lineWidth = 3;
  for (const { s, y } of labels) {
    context.fillStyle = ink(s.colour ?? "--series-1");
    const name = shortened(s.name, most);
    if (within) context.strokeText(name, at.right - 4, y);
    context.fillText(name, within ? at.right - 4 : at.right + 8, y);
  }
  context.textBaseline = "alphabetic";
}
