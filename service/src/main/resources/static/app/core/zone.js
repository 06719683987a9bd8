// The zone in which the pages show times, and what an instant is called in it. Addresses and the API have instants
// only.
import { keep, kept } from "./store.js";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

export function isZone(name) {
  try {
    return Boolean(new Intl.DateTimeFormat("en-GB", { timeZone: name }));
  } catch {
    return false;
  }
}

export const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((z) => z !== "UTC")];

let zone = null;
let isBrowsers = true;

function read() {
  const chosen = kept("zone", null);
  isBrowsers = !chosen || !isZone(chosen) || chosen === browserZone();
  zone = isBrowsers ? browserZone() : chosen;
}

/** The name of the zone, as "Europe/Berlin" or "UTC". */
export const zoneName = () => (zone === null && read(), zone);

/** Shows times in a zone from now on, in this browser; null is that of the browser. */
export function setZone(name) {
  keep("zone", name);
  read();
}
addEventListener("storage", (event) => event.key === "peerlens.zone" && read());

const formats = new Map();
const offsets = new Map();
const MOST_OFFSETS = 20_000;

/** How far the clocks of the zone are before UTC at an instant, in milliseconds. */
function offsetAt(ms) {
  const name = zoneName();
  if (isBrowsers) return -new Date(ms).getTimezoneOffset() * MINUTE;
  if (name === "UTC" || Number.isNaN(ms)) return 0;
  // No zone changes its clocks but at a quarter of an hour.
  const quarter = Math.floor(ms / QUARTER) * QUARTER;
  const key = `${name} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (!formats.has(name))
    formats.set(
      name,
      new Intl.DateTimeFormat("en-GB", {
        timeZone: name,
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      }),
    );
  const of = Object.fromEntries(
    formats
      .get(name)
      .formatToParts(quarter)
      .map((p) => [p.type, Number(p.value)]),
  );
  const offset = Date.UTC(of.year, of.month - 1, of.day, of.hour, of.minute, of.second) - quarter;
  if (offsets.size > MOST_OFFSETS) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/**
 * What calendar and clock say at an instant: `{ year, month (0 to 11), day, weekday (0 = Sunday), hour, minute, second
 * }`.
 */
export function wall(ms) {
  const d = new Date(Number(ms) + offsetAt(Number(ms)));
  return {
    year: d.getUTCFullYear(),
    month: d.getUTCMonth(),
    day: d.getUTCDate(),
    weekday: d.getUTCDay(),
    hour: d.getUTCHours(),
    minute: d.getUTCMinutes(),
    second: d.getUTCSeconds(),
  };
}

/**
 * The instant at which calendar and clock say this; months, days and hours may run over. A time that comes twice, when
 * clocks are put back, is the first of them; one that is left out is as much later as clocks are put forward.
 */
export function fromWall(year, month, day, hour = 0, minute = 0, second = 0) {
  const utc = Date.UTC(year, month, day, hour, minute, second);
  const before = utc - offsetAt(utc - DAY);
  const fitting = [before, utc - offsetAt(utc + DAY)].filter((ms) => ms + offsetAt(ms) === utc);
  return fitting.length ? Math.min(...fitting) : before;
}

/** Midnight at which the day of an instant begins, or a day some days later. */
export function midnight(ms, later = 0) {
  const { year, month, day } = wall(ms);
  return fromWall(year, month, day + later);
}

/**
 * The next time that the clock shows an hour, today or tomorrow; with `days`, on a later day whatever the time is now.
 */
export function nextAt(hour, { days = null, now = Date.now() } = {}) {
  const { year, month, day } = wall(now);
  if (days !== null) return fromWall(year, month, day + days, hour);
  const today = fromWall(year, month, day, hour);
  return today > now ? today : fromWall(year, month, day + 1, hour);
}

export const sameDay = (a, b) => {
  const [x, y] = [wall(a), wall(b)];
  return x.day === y.day && x.month === y.month && x.year === y.year;
};

/** What a zone is called for short at an instant: "CET", "UTC", "GMT+5:30". */
export const zoneShort = (ms = Date.now()) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zoneName(), timeZoneName: "short" })
    .formatToParts(ms)
    .find((p) => p.type === "timeZoneName")?.value ?? zoneName();

const two = (n) => String(n).padStart(2, "0");

/** As a field shows it: "2026-11-23 14:05"; empty for nothing. */
export function fieldText(ms) {
  if (ms === null || ms === undefined || Number.isNaN(Number(ms))) return "";
  const { year, month, day, hour, minute } = wall(ms);
  return `${year}-${two(month + 1)}-${two(day)} ${two(hour)}:${two(minute)}`;
}

const AHEAD = { m: MINUTE, h: HOUR, d: DAY };

/**
 * Reads what somebody types into a field: "2026-11-23 14:05", "14:05", "tomorrow 8:00", "in 2h", an instant with its
 * zone; NaN if it cannot.
 */
export function parseMoment(text, now = Date.now()) {
  const t = (text ?? "").trim().toLowerCase();
  if (t === "now") return now;
  const ahead = /^in (\d{1,4}) ?([mhd])$/.exec(t);
  if (ahead) return now + Number(ahead[1]) * AHEAD[ahead[2]];
  if (/^\d{4}-\d\d-\d\dt\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:\d\d)$/.test(t)) return Date.parse(t.toUpperCase());
  const match =
    /^(?:(\d{4})-(\d{1,2})-(\d{1,2})[t ]+|(today|tomorrow|yesterday) +)?(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(t);
  if (!match) return NaN;
  const [, y, mo, d, word, h, m, s] = match;
  if (Number(m) > 59 || Number(s ?? 0) > 59 || Number(h) * 3600 + Number(m) * 60 + Number(s ?? 0) > 24 * 3600)
    return NaN;
  const today = wall(now);
  const [year, month, day] = y
    ? [Number(y), Number(mo) - 1, Number(d)]
    : [today.year, today.month, today.day + ({ tomorrow: 1, yesterday: -1 }[word] ?? 0)];
  if (y && (month < 0 || month > 11 || day < 1 || day > new Date(Date.UTC(year, month + 1, 0)).getUTCDate()))
    return NaN;
  return fromWall(year, month, day, Number(h), Number(m), Number(s ?? 0));
}
