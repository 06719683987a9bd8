// What is usual for the metrics of an object, learned from its own past: bounds by the hour, and two days ahead.
import { get } from "../core/api.js";
import { Load } from "../core/load.js";
import { DAY, HOUR } from "../core/time.js";

const LONGEST = 35 * DAY;
const AHEAD = 2 * DAY;

export class ObjectBounds {
  constructor(id) {
    this.bounds = new Load(async (keys, from, to, signal) => {
      const found = new Map();
      await Promise.all(keys.map(async (key) => found.set(key, await get(`/objects/${id}/bounds`, { key, from: String(from), to: String(to) }, signal))));
      return found;
    });
  }

  /** Bounds change by the hour only, so they are read again when the range reaches into another one. */
  want(keys, from, to) {
    const end = Math.ceil(Math.min(to + aheadOf(from, to), Date.now() + AHEAD) / HOUR) * HOUR;
    const last = Math.min(end, Math.floor((Date.now() + AHEAD) / HOUR) * HOUR);
    this.bounds.want(keys, Math.floor(Math.max(from, last - LONGEST) / HOUR) * HOUR, last);
  }

  /** `{ times, stepMillis, lower, upper, centre }`; null where nothing is learned. */
  of(key) {
    const b = this.bounds.data?.get(key);
    if (!b || b.upper.every((v) => v === null)) return null;
    return { times: b.times, stepMillis: HOUR, lower: b.lower, upper: b.upper, centre: b.usual };
  }

  /** Why a metric has no band; undefined where it has one. */
  note(key) {
    const b = this.bounds.data?.get(key);
    if (!b || this.of(key)) return undefined;
    if (b.state === "learning") return `learning, day ${Math.max(1, b.learnedDays)} of ${b.neededDays}`;
    return b.state === "no-values" ? "nothing learned yet" : undefined;
  }
}

/** How far beyond a range that ends now its band is drawn. */
export const aheadOf = (from, to) => (to >= Date.now() - 60_000 ? Math.min(AHEAD, (to - from) / 6) : 0);

/** Times that go on in the same steps until `end`. */
export function longer(times, stepMillis, end) {
  if (!times.length || !(stepMillis > 0)) return times;
  const all = [...times];
  while (all.at(-1) + stepMillis < end) all.push(all.at(-1) + stepMillis);
  return all;
}
