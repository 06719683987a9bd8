// What was open when, and what changed: one answer for the time rail and the pages.
import { alertVersion } from "./alerts.js";
import { get } from "./api.js";
import { Load } from "./load.js";
import { DAY, lastTick, MINUTE } from "./time.js";

const MOST = 500;

/**
 * Alerts, outlier events that raised none, and, of all objects, `changes`, newest first: open or made at any moment
 * since `from`.
 */
export const timeline = new Load((from, ancestor, _version, signal) =>
  get("/timeline", { from: String(from), ancestor, limit: MOST, changes: MOST }, signal),
);

/** What the rail spans: the shortest of 24 h, 7 d, 30 d that holds the window. */
export function railSpan({ from, to }) {
  const end = Math.max(lastTick(), to);
  const length = [DAY, 7 * DAY, 30 * DAY].find((l) => end - from <= l * 1.001) ?? end - from;
  return { from: end - length, to: end };
}

/** Reads what the rail over a window shows, of the objects below `ancestor`; null is all. */
export const wantTimeline = (window, ancestor) =>
  timeline.want(Math.floor(railSpan(window).from / MINUTE) * MINUTE, ancestor ?? undefined, alertVersion());

/** Reads it again, where something shows it: pages without a time rail may not have asked yet. */
export const timelineAgain = () => (timeline.data || timeline.error) && timeline.again();
