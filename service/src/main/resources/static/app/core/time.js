// The range of the page: relative ("6h" until now) or absolute (from, to in the address).
import { amend, param } from "./url.js";
import { fromWall, parseMoment, sameDay, wall } from "./zone.js";

export { sameDay, zoneShort as zone } from "./zone.js";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const RELATIVE = [
  ["15m", "Last 15 minutes"],
  ["1h", "Last hour"],
  ["3h", "Last 3 hours"],
  ["6h", "Last 6 hours"],
  ["12h", "Last 12 hours"],
  ["24h", "Last 24 hours"],
  ["7d", "Last 7 days"],
  ["14d", "Last 14 days"],
  ["30d", "Last 30 days"],
];

const UNIT = { m: MINUTE, h: HOUR, d: DAY };

export function span(text) {
  const match = /^(\d{1,4})([mhd])$/.exec(text ?? "");
  return match ? Number(match[1]) * UNIT[match[2]] : null;
}

const UNIT_WORD = { m: "minute", h: "hour", d: "day" };

/** What a length is called: "Last 36 hours", "Last day". */
export function spanName(text) {
  const [, n, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const words = n === "1" ? UNIT_WORD[unit] : unit ? `${n} ${UNIT_WORD[unit]}s` : text;
  return RELATIVE.find(([key]) => key === text)?.[1] ?? `Last ${words}`;
}

// While live, "now" moves only at ticks, so that every pane of the page shows the same window.
let tick = Date.now();
export const lastTick = () => tick;
export function advance() {
  tick = Date.now();
}

/** The window of the page in epoch milliseconds; `live` when it ends now and is not paused. */
export function range() {
  const from = Date.parse(param("from"));
  const to = Date.parse(param("to"));
  if (from < to) return { from, to, live: false, relative: null };
  const relative = span(param("range")) ? param("range") : "6h";
  return { from: tick - span(relative), to: tick, live: true, relative };
}

const iso = (ms) => new Date(Math.round(ms / 1000) * 1000).toISOString().replace(".000Z", "Z");

export function setRelative(text) {
  advance();
  amend({ range: text, from: null, to: null });
}

// The windows one zoomed in from, so that a double click leads back through them.
const zoomed = [];

export function setAbsolute(from, to, { zoom = false } = {}) {
  if (zoom) zoomed.push({ range: param("range"), from: param("from"), to: param("to") });
  const least = 2 * MINUTE;
  if (to - from < least) [from, to] = [(from + to - least) / 2, (from + to + least) / 2];
  amend({ range: null, from: iso(from), to: iso(to) });
}

export function zoomBack() {
  const before = zoomed.pop();
  if (before) amend(before);
}

export function pause() {
  const { from, to } = range();
  setAbsolute(from, to);
}

/** Back to the live window of the same length, or the nearest one offered. */
export function resume() {
  const { from, to } = range();
  const near = RELATIVE.reduce(
    (best, [key]) => (Math.abs(span(key) - (to - from)) < Math.abs(span(best) - (to - from)) ? key : best),
    "6h",
  );
  setRelative(near);
}

export function shift(windows) {
  const { from, to } = range();
  const by = (to - from) * windows;
  if (to + by >= Date.now() - MINUTE && windows > 0) resume();
  else setAbsolute(from + by, to + by);
}

const two = (n) => String(n).padStart(2, "0");
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export const clock = (ms, seconds = false) => {
  const { hour, minute, second } = wall(ms);
  return `${two(hour)}:${two(minute)}${seconds ? `:${two(second)}` : ""}`;
};
export const weekday = (ms) => DAYS[wall(ms).weekday];
export const date = (ms) => {
  const { year, month, day } = wall(ms);
  return `${day} ${MONTHS[month]}${year === wall(Date.now()).year ? "" : ` ${year}`}`;
};

/** A clock time today, else the date too. */
export function moment(ms, seconds = false) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return "-";
  return sameDay(ms, Date.now()) ? clock(ms, seconds) : `${date(ms)} ${clock(ms, seconds)}`;
}

/** "08:25 to 14:25", or with dates when the window touches another day. */
export function windowText({ from, to }) {
  if (to - from > 2 * DAY) return `${date(from)} to ${date(to)}`;
  if (sameDay(from, to)) return `${sameDay(from, Date.now()) ? "" : `${date(from)} `}${clock(from)} to ${clock(to)}`;
  return `${date(from)} ${clock(from)} to ${date(to)} ${clock(to)}`;
}

/** "11 s", "4 min", "2 h 5 min", "3 d 4 h". */
export function duration(ms) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return "-";
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 100) return `${s} s`;
  const m = Math.round(s / 60);
  if (m < 100) return `${m} min`;
  const h = Math.floor(m / 60);
  if (h < 48) return m % 60 ? `${h} h ${m % 60} min` : `${h} h`;
  return h % 24 ? `${Math.floor(h / 24)} d ${h % 24} h` : `${Math.floor(h / 24)} d`;
}

/** Reads "yesterday 9-11", "08:25 to 14:25", "14 Mar 10:00 to 12:00", "3h", "last hour", an ISO interval; null if not. */
export function parseRange(text, now = Date.now()) {
  const t = text.trim().toLowerCase();
  const relative = t
    .replace(/^last\s+(?=[a-z])/, "1 ")
    .replace(/^last\s+/, "")
    .replace(/\s*(minutes?|min)$/, "m")
    .replace(/\s*hours?$/, "h")
    .replace(/\s*days?$/, "d");
  if (span(relative)) return { relative };
  const parts = text
    .trim()
    .split(/\s+to\s+|\s*\/\s*/i)
    .map((part) => (/^\d{4}-\d\d-\d\d$/.test(part) ? parseMoment(`${part} 00:00`) : parseMoment(part)));
  const dated = /\d{4}-\d\d-\d\d/.test(text);
  if (dated && parts.length === 2 && !parts.some(Number.isNaN)) return ordered(parts[0], parts[1]);
  const match =
    /^(?:(today|yesterday|(\d{1,2})\s+([a-z]{3})[a-z]*)\s*)?(\d{1,2})(?::(\d{2}))?\s*(?:-|to)\s*(\d{1,2})(?::(\d{2}))?$/.exec(
      t,
    );
  if (!match) return null;
  const minutes = (h, m) => Number(h) * 60 + Number(m ?? 0);
  if (Math.max(minutes(match[4], match[5]), minutes(match[6], match[7])) > 24 * 60) return null;
  if (Math.max(Number(match[5] ?? 0), Number(match[7] ?? 0)) > 59) return null;
  let { year, month, day } = wall(Number(now));
  if (match[1] === "yesterday") day--;
  else if (match[2]) {
    const named = MONTHS.findIndex((m) => m.toLowerCase() === match[3]);
    if (named < 0) return null;
    month = named;
    day = Number(match[2]);
    if (fromWall(year, month, day) > Number(now)) year--;
    // A 31 February would else be in March.
    if (wall(fromWall(year, month, day)).day !== day) return null;
  }
  const at = (h, m) => fromWall(year, month, day, Number(h), Number(m ?? 0));
  return ordered(at(match[4], match[5]), at(match[6], match[7]));
}

const ordered = (from, to) => (from < to ? { from, to } : null);
