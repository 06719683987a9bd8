// The rows of a list of right-sizing as a file.
import { plural } from "../../core/format.js";
import { asCsv, download } from "../../parts/download.js";
import { decided } from "./words.js";

/** @type {[string, (r: any) => unknown][]} */
const COLUMNS = [
  ["kind", (r) => r.kind],
  ["object", (r) => r.object.name],
  ["snapshot or file", (r) => r.instance],
  ["resource", (r) => r.resource],
  ["unit", (r) => r.unit],
  ["now", (r) => r.now],
  ["recommended", (r) => r.size],
  ["p50", (r) => r.p50],
  ["p95", (r) => r.p95],
  ["p99", (r) => r.p99],
  ["regret, h a week", (r) => r.regretHoursPerWeek],
  ["full now, h a week", (r) => r.regretNowHoursPerWeek],
  ["gives back vCPUs", (r) => r.givesBackVcpus],
  ["gives back GB memory", (r) => r.givesBackMemoryGb],
  ["gives back GB disk", (r) => r.givesBackDiskGb],
  ["days", (r) => r.ageDays],
  ["owner", (r) => r.owner],
  ["decision", (r) => decided(r) || "open"],
  ["reason", (r) => r.reason],
];

/** Saves `list`, the rows of `tab`. */
export const saveList = (tab, list) =>
  download(
    `right-sizing-${tab}`,
    "csv",
    asCsv([COLUMNS.map(([name]) => name), ...list.map((r) => COLUMNS.map(([, of]) => of(r)))]),
    plural(list.length, "row"),
  );
