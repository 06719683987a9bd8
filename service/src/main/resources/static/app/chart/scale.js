// Axes: round numbers for values, clock times for time.
import { clock, DAY, date, HOUR, MINUTE, weekday } from "../core/time.js";

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

const STEPS = [1, 2, 5, 10, 15, 30].map((m) => m * MINUTE).concat([1, 2, 3, 6, 12].map((h) => h * HOUR), [1, 2, 4, 7, 14].map((d) => d * DAY));

/** Time ticks on round local times: `[ms, label]`, about one in `apart` pixels. */
export function timeTicks(from, to, width, apart = 84) {
  const wanted = Math.max(1, width / apart);
  const step = STEPS.find((s) => (to - from) / s <= wanted) ?? 28 * DAY;
  const ticks = [];
  if (step >= DAY) {
    const day = new Date(from);
    day.setHours(0, 0, 0, 0);
    for (; day <= to; day.setDate(day.getDate() + step / DAY)) {
      if (day >= from) ticks.push([day.getTime(), step === DAY && to - from < 8 * DAY ? `${weekday(day)} ${day.getDate()}` : date(day)]);
    }
    return ticks;
  }
  // Local time, so that 6-hour ticks fall on 06:00 and 12:00 here and not in Greenwich.
  const offset = new Date(from).getTimezoneOffset() * MINUTE;
  for (let t = Math.ceil((from - offset) / step) * step + offset; t <= to; t += step) {
    const midnight = new Date(t).getHours() === 0 && new Date(t).getMinutes() === 0;
    ticks.push([t, midnight && to - from > 20 * HOUR ? date(t) : clock(t)]);
  }
  return ticks;
}
