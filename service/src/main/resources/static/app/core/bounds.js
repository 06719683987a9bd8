// What is usual for a series, learned from its own past: bounds by the hour.
import { get } from "./api.js";
import { HOUR } from "./time.js";

/** Bounds over whole hours around a window; `sensitivity` says how wide they are. */
export const boundsOf = (object, key, from, to, sensitivity, signal) =>
  get(
    `/objects/${object}/bounds`,
    { key, from: String(Math.floor(from / HOUR) * HOUR), to: String(Math.ceil(to / HOUR) * HOUR), sensitivity },
    signal,
  );

/** The middle of what is usual as a line of a chart, with the band around it; null where nothing is learned. */
export function usualLine(bounds, times) {
  if (!bounds?.upper.some((v) => v !== null)) return null;
  const at = (list) => times.map((t) => list[Math.floor((t - bounds.times[0]) / HOUR)] ?? null);
  // What does not go below zero needs no room there.
  const floor = bounds.usual.some((v) => v < 0) ? -Infinity : 0;
  const min = at(bounds.lower).map((v) => (v === null ? null : Math.max(v, floor)));
  return { name: "usual", style: "median", values: at(bounds.usual), min, max: at(bounds.upper) };
}

/** How far learning is, in words; empty where there are bounds. */
export function learningWords({ state, learnedDays, neededDays }) {
  if (state === "learning") return `learning, day ${Math.max(1, learnedDays)} of ${neededDays}`;
  return state === "no-values" ? "nothing learned yet" : "";
}

/** Whether a member of an alert was compared with what is usual for it. */
export const isUsual = (member) => Boolean(member.operator?.endsWith("-usual"));
