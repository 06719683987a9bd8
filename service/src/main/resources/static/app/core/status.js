// The state of ingest, shared by the frame and the pages, and the live tick of all pages.
import { get } from "./api.js";
import { Load } from "./load.js";
import { session } from "./session.js";
import { advance, range } from "./time.js";

const STATUS_EVERY = 10_000;
export const TICK_EVERY = 60_000;

export const ingest = new Load((signal) => get("/ingest/status", {}, signal));

/** Age of the newest sample in milliseconds now, or null when there is none. */
export function dataAge() {
  const totals = ingest.data?.totals;
  if (!totals || totals.newestSampleAgeSeconds === null) return null;
  return totals.newestSampleAgeSeconds * 1000 + (Date.now() - ingest.at);
}

/** Past two ticks nothing new has come: the page says so. */
export const isStale = () => (dataAge() ?? 0) > 2 * TICK_EVERY;

export function startStatus(onTick) {
  ingest.want();
  setInterval(() => {
    if (document.visibilityState === "visible" && session.info && !ingest.loading) ingest.again();
  }, STATUS_EVERY);
  setInterval(() => {
    if (document.visibilityState !== "visible" || !session.info || !range().live) return;
    advance();
    onTick();
  }, TICK_EVERY);
}
