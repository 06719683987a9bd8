// Draws a group chart: what is accepted, peers and deviants, with lanes and scores below.
import { number } from "../core/format.js";
import { clock, moment } from "../core/time.js";
import { runs } from "./decimate.js";
import { LABEL_HEIGHT } from "./axes.js";
import { ink, stroke } from "./canvas.js";
import { timeTicks } from "./scale.js";

const APART = 84;
const FOLD = 60;
const LETTER = 6;

export const finite = (v) => v !== null && v !== undefined;

function halo(context, text, x, y) {
  context.strokeStyle = ink("--surface");
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

export function rule(context, from, to, y, token, dash = []) {
  context.strokeStyle = ink(token);
  context.lineWidth = 1;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(from, Math.round(y) + 0.5);
  context.lineTo(to, Math.round(y) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

export function upright(context, x, from, to, token, dash = []) {
  context.strokeStyle = ink(token);
  context.lineWidth = 1;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, from);
  context.lineTo(Math.round(x) + 0.5, to);
  context.stroke();
  context.setLineDash([]);
}

export function diamond(context, x, y, r, token) {
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
  const apart = spec.wall ? 2 * LABEL_HEIGHT : LABEL_HEIGHT;
  let above = Infinity;
  for (const tick of at.ticks) {
    const y = at.y(tick / at.units.factor);
    if (y < at.top - 2 || y > at.bottom + 2) continue;
    rule(context, at.left, at.right, y, "--grid");
    context.fillStyle = ink("--axis");
    if (above - y < apart) continue;
    context.fillText(number(tick), at.left - 8, y);
    above = y;
  }
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillStyle = ink("--axis");
  for (const [time, label] of timeTicks(spec.from, spec.to, at.right - at.left, spec.wall ? 2.4 * APART : APART)) {
    const x = at.x(time);
    if (x > at.left + (spec.wall ? 36 : 8) && x < at.right - (spec.wall ? 36 : 4))
      context.fillText(label, x, at.height - 5);
  }
}

/** The accepted range where there is one, with its edges. */
function band(context, spec, at) {
  const stretches = [];
  let open = null;
  spec.times.forEach((t, i) => {
    if (!finite(spec.lower[i]) || !finite(spec.upper[i])) return;
    if (!open || t - spec.times[open.at(-1)] > at.gap) stretches.push((open = []));
    open.push(i);
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

/** What is usual for the middle of the group: its two ends, dotted. */
function usual(context, spec, at) {
  context.strokeStyle = ink("--axis");
  context.lineWidth = 1.2;
  context.setLineDash([1, 3]);
  for (const edge of [spec.usualLower, spec.usualUpper]) stroke(context, runs(spec.times, at.xs, edge, at.y, at.gap));
  context.setLineDash([]);
}

/** Where a member that reports no longer had its last value; -1 for one that goes on. */
function ended(spec, member, at) {
  const last = member.values.findLastIndex(finite);
  return last < 0 || spec.times.at(-1) - spec.times[last] < 2.5 * at.gap ? -1 : last;
}

/** All peers in one go, behind what differs; `crowd` keeps their image. */
function peers(context, spec, at, crowd, { y, bottom, key, of }) {
  const lines = [];
  for (const m of spec.members) if (!m.token) lines.push(of(m));
  crowd.paint(context, {
    times: spec.times,
    lines,
    at: { left: at.left, right: at.right, bottom, xs: at.xs, y },
    gap: at.gap,
    key,
    width: 1,
    colour: ink("--peer"),
  });
}

function washes(context, spec, at) {
  for (const { from, to, token } of spec.events) {
    const end = to ?? spec.to;
    if (end < spec.from || from > spec.to) continue;
    const x = at.x(Math.max(from, spec.from));
    context.fillStyle = ink("--deviant-wash");
    context.fillRect(
      x,
      at.top - 2,
      Math.max(2, at.x(Math.min(end, spec.to)) - x),
      (at.lane ? at.laneBottom : at.bottom + (spec.lanes?.length ?? 0) * at.row) - at.top + 2,
    );
    if (from >= spec.from) upright(context, x, at.top - 2, at.bottom, token ?? "--deviant-1");
  }
}

export function clipped(context, at, draw, bottom = at.height) {
  context.save();
  context.beginPath();
  context.rect(at.left, 0, at.right - at.left + 1, bottom);
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
    halo(
      context,
      `${m.name}: no data since ${moment(spec.times[last] + spec.stepMillis)}`,
      x + (at.right - x > 170 ? 8 : -8),
      Math.min(at.bottom - 6, y + 15),
    );
  }
}

/** Several flags in few words: "2 changes, 1 note". */
function foldedWords(flags) {
  const notes = flags.filter((f) => f.note).length;
  const of = (n, word) => (n ? `${n} ${word}${n === 1 ? "" : "s"}` : "");
  return [of(flags.length - notes, "change"), of(notes, "note")].filter(Boolean).join(", ");
}

/** Flags of a chart where they stand, those closer than 60 px together. */
export function foldedFlags(spec, at) {
  const folded = [];
  for (const flag of spec.flags.toSorted((a, b) => a.at - b.at)) {
    if (flag.at < spec.from || flag.at > spec.to) continue;
    const x = at.x(flag.at);
    const last = folded.at(-1);
    if (last && x - last.x < FOLD) last.flags.push(flag);
    else folded.push({ x, flags: [flag] });
  }
  return folded;
}

/** Changes and notes as flags with their words beside them. */
function flags(context, spec, at) {
  const folded = foldedFlags(spec, at);
  folded.forEach(({ x, flags: all }, i) => {
    upright(context, x, 14, at.bottom, "--cursor", [1, 3]);
    context.fillStyle = ink("--ink-3");
    context.beginPath();
    for (const [dx, dy] of [
      [-4, 4],
      [4, 4],
      [4, 10],
      [0, 14],
      [-4, 10],
    ])
      context.lineTo(x + dx, dy);
    context.fill();
    const words = all.length > 1 ? foldedWords(all) : `${clock(all[0].at)} ${all[0].text}`;
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

function scores(context, spec, at, crowd) {
  const close = spec.closesBelow;
  const open = spec.opensAt;
  const of = (m) => m.scores;
  clipped(context, at, () => {
    peers(context, spec, at, crowd, { y: at.score, bottom: at.laneBottom, key: at.scoreKey, of });
    deviants(context, spec, at, at.score, of, 1.7);
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
  const opensY = Math.max(at.laneTop + 22, at.score(open) + 4);
  context.fillText(
    `opens at ${number(open, 2)}${spec.opensWords ? `, ${spec.opensWords}` : ""}`,
    at.marginal - 16,
    opensY,
  );
  context.fillStyle = ink("--ink-3");
  context.fillText(
    `closes under ${number(close, 2)}${spec.closesWords ? `, ${spec.closesWords}` : ""}`,
    at.marginal - 16,
    Math.max(opensY + 14, at.score(close) + 4),
  );
}

/** A lane below for each member that would have been out: filled, or dashed where only another setting finds it. */
function lanes(context, spec, at) {
  (spec.lanes ?? []).forEach(({ name, spans, note }, i) => {
    const y = at.rowTop + i * at.row;
    const dashed = spans.every((s) => s.dashed);
    rule(context, at.left, at.right, y + 5, "--line");
    context.font = at.font;
    context.textAlign = "right";
    context.fillStyle = ink(dashed ? "--ink-3" : "--ink-2");
    context.fillText(name.length > 16 ? `${name.slice(0, 15)}\u2026` : name, at.left - 7, y + 9);
    for (const s of spans) {
      const x = at.x(Math.max(s.from, spec.from));
      const width = Math.max(7, at.x(Math.min(s.to ?? spec.to, spec.to)) - x);
      const left = Math.min(x, at.right - width);
      context.beginPath();
      context.roundRect(left, y + (s.dashed ? 0.5 : 0), width, s.dashed ? 10 : 11, 2);
      if (s.dashed) {
        context.strokeStyle = ink("--control");
        context.lineWidth = 1;
        context.setLineDash([2, 1.5]);
        context.stroke();
        context.setLineDash([]);
      } else {
        context.fillStyle = ink(s.token);
        context.fill();
      }
      if (!s.words || s.dashed) continue;
      context.fillStyle = ink("--ink-2");
      const reach = s.words.length * LETTER + 10;
      const right =
        left + width + reach < at.right &&
        !spans.some((o) => o !== s && at.x(o.from) > left && at.x(o.from) < left + width + reach);
      const room =
        right ||
        (left - reach > at.left &&
          !spans.some((o) => o !== s && at.x(o.to ?? spec.to) < left && at.x(o.to ?? spec.to) > left - reach));
      context.textAlign = right ? "left" : "right";
      if (room) context.fillText(s.words, right ? left + width + 6 : left - 6, y + 9);
    }
    if (note && at.marginal !== null) {
      context.textAlign = "left";
      context.fillStyle = ink("--ink-3");
      context.fillText(note, at.right + 8, y + 9);
    }
  });
}

/** A diamond where the line of a deviant ends. */
function tips(context, spec, at) {
  for (const m of spec.members) {
    const last = m.token ? m.values.findLastIndex(finite) : -1;
    if (last >= 0) diamond(context, Math.min(at.xs[last], at.right - 7), at.y(m.values[last]), 7, m.token);
  }
}

/**
 * Draws everything but what follows the cursor; `crowds` are two of peers that are kept, by `values` and by `scores`.
 */
export function paintGroup(context, spec, at, crowds) {
  axes(context, spec, at);
  const values = (m) => m.values;
  clipped(context, at, () => washes(context, spec, at));
  clipped(
    context,
    at,
    () => {
      band(context, spec, at);
      peers(context, spec, at, crowds.values, { y: at.y, bottom: at.bottom, key: at.valueKey, of: values });
      context.strokeStyle = ink("--median");
      context.lineWidth = 1.3;
      context.setLineDash([4, 3]);
      stroke(context, runs(spec.times, at.xs, spec.centre, at.y, at.gap));
      context.setLineDash([]);
      if (spec.usualLower) usual(context, spec, at);
      deviants(context, spec, at, at.y, values, spec.wall ? 5 : 2.2);
      if (!spec.wall) endings(context, spec, at);
    },
    at.bottom + 2,
  );
  if (spec.wall) return tips(context, spec, at);
  const first = spec.upper.findIndex(finite);
  if (first >= 0 && at.right - at.xs[first] > 160) {
    context.font = at.font;
    context.textAlign = "left";
    context.fillStyle = ink("--accent");
    halo(context, "accepted range", at.xs[first] + 8, Math.max(at.top + 8, at.y(spec.upper[first]) - 6));
  }
  const known = spec.usualUpper?.findIndex(finite) ?? -1;
  if (known >= 0 && at.right - at.xs[known] > 160) {
    context.font = at.font;
    context.textAlign = "left";
    context.fillStyle = ink("--axis");
    halo(context, "usual for the median", at.xs[known] + 8, Math.min(at.bottom - 4, at.y(spec.usualUpper[known]) + 14));
  }
  flags(context, spec, at);
  lanes(context, spec, at);
  if (at.lane) scores(context, spec, at, crowds.scores);
}
