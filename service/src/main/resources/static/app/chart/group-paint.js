// Draws a group chart: accepted range, peers and deviants with their scores below; above it what follows the cursor, with the
// members at that moment at the right edge.
import { number, short } from "../core/format.js";
import { clock, DAY, moment } from "../core/time.js";
import { deviantText } from "../parts/peers.js";
import { extentsOf, paintExtents } from "./crowd.js";
import { runs } from "./decimate.js";
import { ink, stroke } from "./paint.js";
import { timeTicks } from "./scale.js";
import { stepAt } from "./group-layout.js";

const APART = 84;
const FOLD = 60;
const LABELS = 8;
const LETTER = 6;

const finite = (v) => v !== null && v !== undefined;

function halo(context, text, x, y) {
  context.strokeStyle = ink("--surface");
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

function rule(context, from, to, y, token, dash = []) {
  context.strokeStyle = ink(token);
  context.lineWidth = 1;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(from, Math.round(y) + 0.5);
  context.lineTo(to, Math.round(y) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

function upright(context, x, from, to, token, dash = []) {
  context.strokeStyle = ink(token);
  context.lineWidth = 1;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, from);
  context.lineTo(Math.round(x) + 0.5, to);
  context.stroke();
  context.setLineDash([]);
}

function diamond(context, x, y, r, token) {
  context.fillStyle = ink(token);
  context.beginPath();
  context.moveTo(x, y - r);
  context.lineTo(x + r, y);
  context.lineTo(x, y + r);
  context.lineTo(x - r, y);
  context.fill();
}

function axes(context, spec, at) {
  context.font = at.font;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const tick of at.ticks) {
    const y = at.y(tick / at.units.factor);
    if (y < at.top - 2 || y > at.bottom + 2) continue;
    rule(context, at.left, at.right, y, "--grid");
    context.fillStyle = ink("--axis");
    context.fillText(number(tick), at.left - 8, y);
  }
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillStyle = ink("--axis");
  for (const [time, label] of timeTicks(spec.from, spec.to, at.right - at.left, APART)) {
    const x = at.x(time);
    if (x > at.left + 8 && x < at.right - 4) context.fillText(label, x, at.height - 5);
  }
}

/** The accepted range where there is one, with its edges. */
function band(context, spec, at) {
  const stretches = [];
  let open = null;
  spec.times.forEach((t, i) => {
    if (!finite(spec.lower[i]) || !finite(spec.upper[i])) open = null;
    else {
      if (!open || t - spec.times[open.at(-1)] > at.gap) stretches.push((open = []));
      open.push(i);
    }
  });
  for (const steps of stretches) {
    const line = (list, order) => order.map((i) => [at.xs[i], at.y(list[i])]);
    const upper = line(spec.upper, steps);
    const lower = line(spec.lower, steps.toReversed());
    context.fillStyle = ink("--band");
    context.beginPath();
    for (const [x, y] of [...upper, ...lower]) context.lineTo(x, y);
    context.fill();
    context.strokeStyle = ink("--band-edge");
    context.lineWidth = 1;
    for (const edge of [upper, lower]) {
      context.beginPath();
      for (const [x, y] of edge) context.lineTo(x, y);
      context.stroke();
    }
  }
}

/** Where a member that reports no longer had its last value; -1 for one that goes on. */
function ended(spec, member, at) {
  const last = member.values.findLastIndex(finite);
  return last < 0 || spec.times.at(-1) - spec.times[last] < 2.5 * at.gap ? -1 : last;
}

function crowds(context, spec, at, y, of) {
  const lines = spec.members.filter((m) => !m.token).map((m) => [{ values: of(m) }, at.gap]);
  if (!lines.length) return;
  const ratio = context.getTransform().a;
  const area = { left: at.left, right: at.right, bottom: at.height, xs: at.xs, y };
  paintExtents(context, extentsOf(spec, lines, area, ratio, 1), area, ratio, 1, ink("--peer"));
}

function washes(context, spec, at) {
  for (const { from, to, token } of spec.events) {
    const end = to ?? spec.to;
    if (end < spec.from || from > spec.to) continue;
    const x = at.x(Math.max(from, spec.from));
    context.fillStyle = ink("--deviant-wash");
    context.fillRect(x, at.top - 2, Math.max(2, at.x(Math.min(end, spec.to)) - x), (at.lane ? at.laneBottom : at.bottom) - at.top + 2);
    if (from >= spec.from) upright(context, x, at.top - 2, at.bottom, token ?? "--deviant-1");
  }
}

function clipped(context, at, draw) {
  context.save();
  context.beginPath();
  context.rect(at.left, 0, at.right - at.left + 1, at.height);
  context.clip();
  draw();
  context.restore();
}

function deviants(context, spec, at, y, of, width) {
  for (const m of spec.members) {
    if (!m.token) continue;
    context.strokeStyle = ink(m.token);
    context.lineWidth = width;
    context.lineJoin = "round";
    stroke(context, runs(spec.times, at.xs, of(m), y, at.gap));
  }
}

function endings(context, spec, at) {
  let told = 0;
  for (const m of spec.members) {
    const last = ended(spec, m, at);
    if (last < 0) continue;
    const [x, y] = [at.xs[last], at.y(m.values[last])];
    context.strokeStyle = ink("--unknown");
    context.lineWidth = 1.4;
    context.setLineDash([2, 1.6]);
    context.beginPath();
    context.arc(x, y, 3.6, 0, 7);
    context.stroke();
    context.setLineDash([]);
    if (told++ >= 2) continue;
    context.fillStyle = ink("--ink-3");
    context.font = at.font;
    context.textAlign = at.right - x > 170 ? "left" : "right";
    halo(context, `${m.name}: no data since ${moment(spec.times[last] + spec.stepMillis)}`, x + (at.right - x > 170 ? 8 : -8), Math.min(at.bottom - 6, y + 15));
  }
}

/** Changes as flags with their words beside them; those closer than 60 px are folded. */
function flags(context, spec, at) {
  const folded = [];
  for (const flag of spec.flags.toSorted((a, b) => a.at - b.at)) {
    if (flag.at < spec.from || flag.at > spec.to) continue;
    const x = at.x(flag.at);
    const last = folded.at(-1);
    if (last && x - last.x < FOLD) last.flags.push(flag);
    else folded.push({ x, flags: [flag] });
  }
  folded.forEach(({ x, flags: all }, i) => {
    upright(context, x, 14, at.bottom, "--cursor", [1, 3]);
    context.fillStyle = ink("--ink-3");
    context.beginPath();
    for (const [dx, dy] of [[-4, 4], [4, 4], [4, 10], [0, 14], [-4, 10]]) context.lineTo(x + dx, dy);
    context.fill();
    const words = all.length > 1 ? `${all.length} changes` : `${clock(all[0].at)} ${all[0].text}`;
    const before = (folded[i - 1]?.x ?? at.left) + 12;
    const room = (folded[i + 1]?.x ?? at.right) - x - 14;
    context.fillStyle = ink("--ink-2");
    context.font = at.font;
    const fits = Math.floor(Math.max(room, x - before - 14) / LETTER);
    if (fits < 6) return;
    const text = words.length > fits ? `${words.slice(0, fits - 1)}\u2026` : words;
    const right = room >= text.length * LETTER;
    context.textAlign = right ? "left" : "right";
    context.fillText(text, x + (right ? 9 : -9), 13);
  });
}

function scores(context, spec, at) {
  const close = spec.closesBelow;
  const open = spec.opensAt;
  const size = (m) => m.scores.map((s) => (s === null ? null : Math.abs(s)));
  clipped(context, at, () => {
    crowds(context, spec, at, at.score, size);
    deviants(context, spec, at, at.score, size, 1.7);
  });
  rule(context, at.left, at.right, at.laneBottom - 2, "--line-strong");
  rule(context, at.left, at.right, at.score(open), "--ink-2", [5, 3]);
  rule(context, at.left, at.right, at.score(close), "--line-strong", [2, 3]);
  context.font = at.font;
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.fillStyle = ink("--ink-2");
  context.fillText(number(open, 2), at.left - 8, at.score(open));
  context.fillStyle = ink("--axis");
  context.fillText("0", at.left - 8, at.laneBottom - 2);
  context.textBaseline = "alphabetic";
  if (at.marginal === null) return;
  context.textAlign = "left";
  context.fillStyle = ink("--ink-3");
  context.fillText("score", at.marginal - 16, at.laneTop + 8);
  context.fillStyle = ink("--ink-2");
  context.fillText(`opens at ${number(open, 2)}${spec.opensWords ? `, ${spec.opensWords}` : ""}`, at.marginal - 16, Math.max(at.laneTop + 22, at.score(open) + 4));
  context.fillStyle = ink("--ink-3");
  context.fillText(`closes under ${number(close, 2)}${spec.closesWords ? `, ${spec.closesWords}` : ""}`, at.marginal - 16, Math.max(at.laneTop + 36, at.score(close) + 4));
}

export function paintGroup(context, spec, at) {
  axes(context, spec, at);
  const values = (m) => m.values;
  clipped(context, at, () => {
    washes(context, spec, at);
    band(context, spec, at);
    crowds(context, spec, at, at.y, values);
    context.strokeStyle = ink("--median");
    context.lineWidth = 1.3;
    context.setLineDash([4, 3]);
    stroke(context, runs(spec.times, at.xs, spec.centre, at.y, at.gap));
    context.setLineDash([]);
    deviants(context, spec, at, at.y, values, 2.2);
    endings(context, spec, at);
  });
  const first = spec.upper.findIndex(finite);
  if (first >= 0 && at.right - at.xs[first] > 160) {
    context.font = at.font;
    context.textAlign = "left";
    context.fillStyle = ink("--accent");
    halo(context, "accepted range", at.xs[first] + 8, Math.max(at.top + 8, at.y(spec.upper[first]) - 6));
  }
  flags(context, spec, at);
  if (at.lane) scores(context, spec, at);
}

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
  for (const m of spec.members) if (!m.token && finite(m.values[step])) rule(context, x - 9, x + 7, at.y(m.values[step]), "--peer-strong");
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
    named.push({ y, text: `${m.name.length > 15 ? `${m.name.slice(0, 14)}\u2026` : m.name} ${short(m.values[step] * at.units.factor)}`, token: m.token ? deviantText(m.token) : "--ink", font: at.strong });
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
  const rows = [[clock(spec.times[step]), first && finite(first.scores[step]) ? `score ${short(Math.abs(first.scores[step]))}` : "", "--ink"]];
  for (const m of lines) rows.push([m.name, `${short(m.values[step] * at.units.factor)} ${at.units.unit}`, m.token ? deviantText(m.token) : "--ink"]);
  if (finite(spec.centre[step])) rows.push([`median of ${spec.judged[step] ?? spec.members.length}`, short(spec.centre[step] * at.units.factor), "--ink-2"]);
  context.font = at.font;
  const width = Math.max(...rows.map(([a, b]) => context.measureText(`${a}   ${b}`).width)) + 34;
  const height = rows.length * 18 + 8;
  const cursorX = at.xs[step];
  const x = cursorX - width - 10 > at.left ? cursorX - width - 10 : cursorX + 10;
  const marks = lines.map((m) => at.y(m.values[step]));
  const y = marks.length && marks[0] < (at.top + at.bottom) / 2 ? Math.min(at.bottom - height - 4, Math.max(...marks) + 14) : at.top + 4;
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
