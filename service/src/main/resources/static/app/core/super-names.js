// Names of super metrics by the key of their values, read when a key is met that is not known yet.
import { get } from "./api.js";
import { redraw } from "./bus.js";

const PREFIX = "Super Metric|sm_";
const AGAIN = 60_000;
const names = new Map();
let asked = -AGAIN;

export const isSuperMetric = (key) => key.startsWith(PREFIX);

/** How many names are known: what was made of them is made again when it grows. */
export const namesKnown = () => names.size;

/** The name, or null while it is not known; then it is asked for, and the page drawn again. */
export function superMetricName(key) {
  const name = names.get(key);
  if (name === undefined) ask();
  return name ?? null;
}

async function ask() {
  const now = performance.now();
  if (now - asked < AGAIN) return;
  asked = now;
  try {
    let cursor = null;
    do {
      const page = await get("/super-metrics", { limit: 1000, cursor });
      for (const { key, name } of page.items) names.set(key, name);
      cursor = page.nextCursor;
    } while (cursor);
    redraw();
  } catch {
    // The key serves as well; it is asked for again in a minute.
  }
}
