// When a maintenance window takes effect next, or a report is due, for one that is not stored yet: the rules are those
// of the service.
import { DAY, MINUTE } from "../../core/time.js";
import { DAYS } from "./maintenance-words.js";

const WEEK = 7;
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: DAY };
const formats = new Map();

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds; a zone that does not exist throws. */
function offset(at, zone) {
  if (!formats.has(zone))
    formats.set(
      zone,
      new Intl.DateTimeFormat("en-GB", {
        timeZone: zone,
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      }),
    );
  const part = Object.fromEntries(
    formats
      .get(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return (
    Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) - Math.floor(at / 1000) * 1000
  );
}

/**
 * When the clocks of a zone show `wall` (as if it were UTC): the first time of two, and for a time that is skipped when
 * they go on.
 */
function momentOf(wall, zone) {
  const around = [offset(wall - DAY, zone), offset(wall + DAY, zone)];
  const times = around.map((o) => wall - o).filter((t, i) => offset(t, zone) === around[i]);
  if (times.length) return Math.min(...times);
  let [before, after] = [wall - Math.max(...around), wall - Math.min(...around)];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (offset(middle, zone) === around[0]) before = middle;
    else after = middle;
  }
  return after;
}

const iso = (ms) => new Date(ms).toISOString();

function weekly({ days, start, duration, zone, from, until }, now) {
  const [, n, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(duration ?? "") ?? [];
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(start ?? "") ?? [];
  if (!n || !hours || !days?.length) return null;
  const length = Number(n) * UNITS[unit];
  const begins = (Number(hours) * 60 + Number(minutes)) * MINUTE;
  const here = now - length + offset(now - length, zone);
  const earliest = Math.floor(here / DAY) * DAY - DAY;
  const first = from ? Math.max(earliest, Date.parse(`${from}T00:00:00Z`)) : earliest;
  const last = until ? Date.parse(`${until}T00:00:00Z`) : Infinity;
  for (let day = first; day <= Math.min(last, first + (2 * WEEK + 3) * DAY); day += DAY) {
    if (!days.includes(DAYS[(new Date(day).getUTCDay() + 6) % WEEK][0])) continue;
    const begin = momentOf(day + begins, zone);
    if (now < begin + length) return { from: iso(begin), to: iso(begin + length) };
  }
  return null;
}

/**
 * The next `n` times that come of a time of day in a zone, on some days of the week or on all, in epoch milliseconds;
 * none while what is typed makes no sense.
 */
export function nextTimes({ days = null, time, zone }, n, now = Date.now()) {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time ?? "") ?? [];
  if (!hours) return [];
  const found = [];
  try {
    const today = Math.floor((now + offset(now, zone)) / DAY) * DAY;
    for (let day = today; found.length < n && day <= today + n * WEEK * DAY; day += DAY) {
      if (days?.length && !days.includes(DAYS[(new Date(day).getUTCDay() + 6) % WEEK][0])) continue;
      const at = momentOf(day + (Number(hours) * 60 + Number(minutes)) * MINUTE, zone);
      if (at > now) found.push(at);
    }
  } catch {
    return [];
  }
  return found;
}

/**
 * The present or next time of a window, as the service says it of a stored one; null while what is typed makes no
 * sense.
 */
export function occurrence({ enabled, oneOff, recurring }, now = Date.now()) {
  try {
    const next = oneOff
      ? Date.parse(oneOff.to) > Math.max(now, Date.parse(oneOff.from))
        ? oneOff
        : null
      : weekly(recurring ?? {}, now);
    if (!next && recurring && !(recurring.days?.length && recurring.duration)) return null;
    return { enabled, activeNow: next !== null && Date.parse(next.from) <= now, next };
  } catch {
    return null;
  }
}
