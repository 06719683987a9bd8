// What is usual for the metrics of an object, and how far ahead it is drawn.
import { boundsOf, learningWords, usualLine } from "../../core/bounds.js";
import { Load } from "../../core/load.js";
import { DAY, HOUR } from "../../core/time.js";

const LONGEST = 35 * DAY;
const AHEAD = 2 * DAY;

export class ObjectBounds {
  constructor(id) {
    this.bounds = new Load(
      async (keys, from, to, signal) =>
        new Map(
          await Promise.all(keys.map(async (key) => [key, await boundsOf(id, key, from, to, undefined, signal)])),
        ),
    );
  }

  /** Bounds change by the hour only, so they are read again when the range reaches into another one. */
  want(keys, from, to) {
    const newest = Math.floor((Date.now() + AHEAD) / HOUR) * HOUR;
    const end = Math.min(newest, Math.ceil((to + aheadOf(from, to)) / HOUR) * HOUR);
    this.bounds.want(keys, Math.floor(Math.max(from, end - LONGEST) / HOUR) * HOUR, end);
  }

  /** The middle of what is usual, with the band around it; null where nothing is learned. */
  line(key, times) {
    return usualLine(this.bounds.data?.get(key), times);
  }

  /** Why a metric has no band; undefined where it has one. */
  note(key) {
    const bounds = this.bounds.data?.get(key);
    return (bounds && learningWords(bounds)) || undefined;
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
