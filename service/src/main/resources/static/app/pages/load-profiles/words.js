// Load profiles in words.
import { bytes, count, NONE, number, withUnit } from "../../core/format.js";
import { DAY, date } from "../../core/time.js";
import { hoursText } from "../shared/hours.js";

/** What groups can be: `[key, words of the group, words of the choice]`. */
export const GROUPINGS = [
  ["cluster", "by cluster", "Clusters"],
  ["host", "by host", "Hosts"],
  ["vm", "by machine", "Machines"],
  ["tag", "by tag", "Values of a tag"],
];

/** The name of the group that holds every machine. */
export const ALL = "All";
export const groupName = (name) => (name === ALL ? "All machines" : name);

export const iops = (v) => (v === null || v === undefined ? NONE : v < 10 ? number(v, 2) : count(v));
export const millis = (v) => withUnit(v, "ms");
export const byteRate = (v) => withUnit(v, "bytes/s");
export const size = (v) => bytes(v);

/** A share as people say it: "61 %", "4.2 %", "< 0.1 %". */
export function share(v) {
  if (v === null || v === undefined || !Number.isFinite(v)) return NONE;
  const p = v * 100;
  if (p > 0 && p < 0.1) return "< 0.1 %";
  return `${p >= 10 || Number.isInteger(p) ? Math.round(p) : p.toFixed(1)} %`;
}

/** "8K", as the profiles of the hours are called: a power of two of bytes. */
export function blockWord(v) {
  const steps = ["", "K", "M", "G"];
  let at = 0;
  while (v >= 1024 && at < steps.length - 1) {
    v /= 1024;
    at++;
  }
  return `${number(v)}${steps[at]}`;
}

/** Which machines a profile is of: "Cluster B, by host". */
export function subject(profile) {
  const grouping = GROUPINGS.find(([key]) => key === profile.by)?.[1] ?? "";
  return `${profile.ancestor?.name ?? "All machines"}, ${grouping}${profile.by === "tag" ? ` ${profile.tag}` : ""}`;
}

/** "365 days, 28 Nov 2025 to 28 Nov 2026". */
export function period({ from, to }) {
  const [a, b] = [Date.parse(from), Date.parse(to)];
  const days = Math.round((b - a) / DAY);
  return `${days ? `${count(days)} ${days === 1 ? "day" : "days"}, ` : ""}${date(a)} to ${date(b)}`;
}

/** What was read: period, hours and how many machines. */
export const readWords = (profile) =>
  `${period(profile)}; ${hoursText(profile.onlyDuring)}; ${count(profile.machines)} machines`;

/** What a group's load is, in one line. */
export function finding(group) {
  const name = groupName(group.name);
  const [first] = group.clusters;
  if (first) return `${name}: ${share(first.shareOfHours)} of hours are ${first.name}`;
  if (!group.hoursWithIops) return `${name}: no operations are known of this time`;
  return group.idleHours >= group.hoursWithIops
    ? `${name}: idle in all ${count(group.hoursWithIops)} hours that are known`
    : `${name}: ${iops(group.iops.p95)} IOPS at the 95th percentile`;
}

/** What history does not say, by the names of the API: `[words, what would tell]`. */
export const UNKNOWNS = {
  randomness: ["Randomness", "vscsiStats of a host, or a benchmark run that is like this load"],
  "working set": ["Working set", "a benchmark run that is like this load and says how much it worked on"],
  "sizes within an hour": ["Sizes within an hour", "vscsiStats of a host"],
};
