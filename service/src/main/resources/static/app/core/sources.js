// How many sources there are in each state, for the rail and the pages.
import { get } from "./api.js";
import { Load } from "./load.js";
import { lastTick } from "./time.js";

/** Not before the first view is there: the rail can wait. */
const LATER = 30_000;
const started = performance.now();

export const sourceCounts = new Load((_tick, signal) => get("/sources/counts", {}, signal));
export const wantSourceCounts = () => sourceCounts.want(lastTick());

/** How many have stopped, read once a minute, a while after the window was opened. */
export function stoppedSources() {
  if (performance.now() - started > LATER) wantSourceCounts();
  return sourceCounts.data?.stopped ?? 0;
}
