// How things stand, shared by the frame and the pages, and the live tick of all pages.
import { get } from "./api.js";
import { Load } from "./load.js";
import { session } from "./session.js";
import { advance, range } from "./time.js";

const SUMMARY_EVERY = 10_000;
const TICK_EVERY = 60_000;

/** The rate and lag of ingest, and what is open; read again when something opens or closes. */
export const summary = new Load((_version, signal) => get("/summary", {}, signal));

/** The rates and the lag of ingest; null while they are not known. */
export const totals = () => summary.data?.ingest ?? null;

/** Age of the newest sample in milliseconds now, or null when there is none. */
export function dataAge() {
  const age = totals()?.newestSampleAgeSeconds ?? null;
  return age === null ? null : age * 1000 + (Date.now() - summary.at);
}

/** Past two ticks nothing new has come: the page says so. */
export const isStale = () => (dataAge() ?? 0) > 2 * TICK_EVERY;

export function startStatus(onTick) {
  setInterval(() => {
    if (document.visibilityState === "visible" && session.info && !summary.loading) summary.again();
  }, SUMMARY_EVERY);
  setInterval(() => {
    if (document.visibilityState !== "visible" || !session.info || !range().live) return;
    advance();
    onTick();
  }, TICK_EVERY);
}
