// Axes: round numbers for values, clock times for time.
import { clock, DAY, date, HOUR, MINUTE, weekday } from "../core/time.js";
import { fromWall, midnight, wall } from "../core/zone.js";

/** Ticks at 1, 2, 2.5 or 5 times a power of ten that cover `low` to `high` in about `parts` steps. */
export function niceTicks(low, high, parts) {
  if (!(high > low)) high = low + (Math.abs(low) || 1);
  const rough = (high - low) / Math.max(1, parts);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const STEPS = [1, 2, 5, 10, 15, 30]
  .map((m) => m * MINUTE)
  .concat(
    [1, 2, 3, 6, 12].map((h) => h * HOUR),
    [1, 2, 4, 7, 14].map((d) => d * DAY),
  );

/**
 * Time ticks on round local times: `[ms, label]`, about one in `apart` pixels.
 * @returns {[number, string][]}
 */
export function timeTicks(from, to, width, apart = 84) {
  const wanted = Math.max(1, width / apart);
  const step = STEPS.find((s) => (to - from) / s <= wanted) ?? 28 * DAY;
  /** @type {[number, string][]} */
  const ticks = [];
  if (step >= DAY) {
    for (let n = 0, day = midnight(from); day <= to; day = midnight(from, (n += step / DAY))) {
      if (day >= from)
        ticks.push([day, step === DAY && to - from < 8 * DAY ? `${weekday(day)} ${wall(day).day}` : date(day)]);
    }
    return ticks;
  }
  // From midnight of the zone, so that 6-hour ticks fall on 06:00 and 12:00 there, on a day of 23 or 25 hours too.
  for (let day = 0, begin = midnight(from); begin <= to; begin = midnight(from, ++day)) {
    const next = midnight(from, day + 1);
    const { year, month, day: date_ } = wall(begin);
    for (let n = 0; n < 26 * HOUR; n += step) {
      const t = step >= HOUR ? fromWall(year, month, date_, n / HOUR) : begin + n;
      if (t >= next) break;
      if (t >= from && t <= to && t !== ticks.at(-1)?.[0])
        ticks.push([t, n === 0 && to - from > 20 * HOUR ? date(t) : clock(t)]);
    }
  }
  return ticks;
}
