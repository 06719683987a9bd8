// What follows the cursor on a group chart: a line with what it points at, and the members at that moment at the right
// edge.
import { short } from "../core/format.js";
import { clock, DAY, moment } from "../core/time.js";
import { deviantText } from "../parts/peers.js";
import { runs } from "./decimate.js";
import { stepAt } from "./group-layout.js";
import { clipped, diamond, finite, foldedFlags, upright } from "./group-paint.js";
import { ink, stroke } from "./canvas.js";

const LABELS = 8;
const NEAR = 8;
const FLAGS = 6;
const LONG = 80;

/** The member of `spec` that the list points at, over all others. */
function pointed(context, spec, at) {
  const member = spec.members.find((m) => m.id === spec.pointed);
  if (!member) return;
  clipped(context, at, () => {
    context.strokeStyle = ink(member.token ?? "--ink");
    context.lineWidth = 2;
    stroke(context, runs(spec.times, at.xs, member.values, at.y, at.gap));
  });
}

/** Members at one moment on the same axis, those that differ and the middle with their names. */
function marginal(context, spec, at, step) {
  const x = at.marginal;
  upright(context, x - 22, at.top, at.bottom, "--line");
  context.font = at.font;
  context.textAlign = "left";
  context.fillStyle = ink("--ink-3");
  context.fillText(`at ${moment(spec.times[step])}`, x - 16, 13);
  const [low, high] = [spec.lower[step], spec.upper[step]];
  if (finite(low) && finite(high)) {
    context.fillStyle = ink("--band");
    const y = Math.max(at.top, at.y(high));
    context.fillRect(x - 14, y, 26, Math.max(1, Math.min(at.bottom, at.y(low)) - y));
  }
  context.strokeStyle = ink("--peer-strong");
  context.lineWidth = 1;
  context.beginPath();
  for (const m of spec.members) {
    if (m.token || !finite(m.values[step])) continue;
    const y = Math.round(at.y(m.values[step])) + 0.5;
    context.moveTo(x - 9, y);
    context.lineTo(x + 7, y);
  }
  context.stroke();
  const named = [];
  const centre = spec.centre[step];
  if (finite(centre)) {
    context.strokeStyle = ink("--ink");
    context.lineWidth = 1.6;
    context.beginPath();
    context.moveTo(x - 14, at.y(centre));
    context.lineTo(x + 12, at.y(centre));
    context.stroke();
    named.push({ y: at.y(centre), text: `median ${short(centre * at.units.factor)}`, token: "--ink-2", font: at.font });
  }
  for (const m of spec.members) {
    const shown = m.token || m.id === spec.pointed;
    if (!shown || !finite(m.values[step]) || named.length >= LABELS) continue;
    const y = at.y(m.values[step]);
    if (m.token) diamond(context, x - 1, y, 5.5, m.token);
    named.push({
      y,
      text: `${m.name.length > 15 ? `${m.name.slice(0, 14)}\u2026` : m.name} ${short(m.values[step] * at.units.factor)}`,
      token: m.token ? deviantText(m.token) : "--ink",
      font: at.strong,
    });
  }
  let last = -Infinity;
  for (const label of named.sort((a, b) => a.y - b.y)) {
    const y = Math.max(label.y + 4, last + 13);
    last = y;
    context.font = label.font;
    context.fillStyle = ink(label.token);
    context.fillText(label.text, x + 16, y);
  }
}

function readout(context, spec, at, step) {
  const lines = spec.members.filter((m) => (m.token || m.id === spec.pointed) && finite(m.values[step])).slice(0, 3);
  const [first] = lines;
  const rows = [
    [
      clock(spec.times[step]),
      first && finite(first.scores[step]) ? `score ${short(Math.abs(first.scores[step]))}` : "",
      "--ink",
    ],
  ];
  for (const m of lines)
    rows.push([
      m.name,
      `${short(m.values[step] * at.units.factor)} ${at.units.unit}`,
      m.token ? deviantText(m.token) : "--ink",
    ]);
  if (finite(spec.centre[step]))
    rows.push([
      `median of ${spec.judged[step] ?? spec.members.length}`,
      short(spec.centre[step] * at.units.factor),
      "--ink-2",
    ]);
  // Near flags it says what they stand for, where they are folded or cut off.
  const near = foldedFlags(spec, at).find((f) => Math.abs(f.x - at.xs[step]) < NEAR);
  for (const flag of (near?.flags ?? []).slice(0, FLAGS))
    rows.push([
      `${clock(flag.at)} ${flag.text.length > LONG ? `${flag.text.slice(0, LONG - 1)}\u2026` : flag.text}`,
      "",
      "--ink-2",
    ]);
  context.font = at.font;
  const width = Math.max(...rows.map(([a, b]) => context.measureText(`${a}   ${b}`).width)) + 34;
  const height = rows.length * 18 + 8;
  const cursorX = at.xs[step];
  const x = cursorX - width - 10 > at.left ? cursorX - width - 10 : cursorX + 10;
  const marks = lines.map((m) => at.y(m.values[step]));
  const y =
    marks.length && marks[0] < (at.top + at.bottom) / 2
      ? Math.min(at.bottom - height - 4, Math.max(...marks) + 14)
      : at.top + 4;
  context.fillStyle = ink("--surface");
  context.strokeStyle = ink("--line-strong");
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width, height, 5);
  context.fill();
  context.stroke();
  rows.forEach(([left, right, token], i) => {
    context.fillStyle = ink(token);
    context.font = i === 0 || i <= lines.length ? at.strong : at.font;
    context.textAlign = "left";
    context.fillText(left, x + 9, y + 18 + i * 18);
    context.textAlign = "right";
    context.fillText(right, x + width - 9, y + 18 + i * 18);
  });
}

/** What follows the cursor, and the members at the right edge: at the cursor, else now. */
export function paintGroupCursor(context, spec, at, time) {
  pointed(context, spec, at);
  const inside = time !== null && time >= spec.from && time <= spec.to ? time : null;
  const step = stepAt(spec, inside);
  if (step < 0) return;
  if (at.marginal !== null) marginal(context, spec, at, step);
  if (inside === null) return;
  const x = at.xs[step];
  upright(context, x, at.top, at.lane ? at.laneBottom : at.bottom, "--cursor");
  const dot = (y, token, r) => {
    context.beginPath();
    context.arc(x, y, r, 0, 7);
    context.fillStyle = ink(token);
    context.fill();
    context.strokeStyle = ink("--surface");
    context.lineWidth = 1.5;
    context.stroke();
  };
  if (finite(spec.centre[step])) dot(at.y(spec.centre[step]), "--median", 3);
  for (const m of spec.members) if (m.token && finite(m.values[step])) dot(at.y(m.values[step]), m.token, 4);
  readout(context, spec, at, step);
  const words = spec.to - spec.from > DAY ? moment(spec.times[step]) : clock(spec.times[step]);
  context.font = at.font;
  const half = context.measureText(words).width / 2 + 5;
  const middle = Math.min(Math.max(x, at.left + half), at.right - half);
  context.fillStyle = ink("--surface");
  context.fillRect(middle - half, at.height - 17, 2 * half, 16);
  context.fillStyle = ink("--ink");
  context.textAlign = "center";
  context.fillText(words, middle, at.height - 5);
}
