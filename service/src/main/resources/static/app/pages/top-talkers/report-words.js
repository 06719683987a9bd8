// Saved reports of top talkers in words, and between the question of a page and that of a report.
import { DIMENSIONS, MEASURES, nameOf, percent, TRAFFIC } from "../../core/talkers.js";
import { moment } from "../../core/time.js";

const SPANS = { m: ["minute", "minutes"], h: ["hour", "hours"], d: ["day", "days"] };

/** "7 days", "1 hour"; the text itself when it is no length. */
function windowWords(window) {
  const match = /^([1-9]\d{0,5})([mhd])$/.exec(window ?? "");
  return match ? `${match[1]} ${SPANS[match[2]][match[1] === "1" ? 0 : 1]}` : (window ?? "");
}
export const windowOk = (window) => /^[1-9]\d{0,5}[mhd]$/.test(window ?? "");

const direction = { sent: "sent", received: "received", both: "sent or received" };

const either = (list) =>
  list.length > 3 ? `${list.slice(0, 2).join(", ")} or ${list.length - 2} others` : list.join(" or ");

/** "The 20 VMs with most volume sent in 7 days, East-West, 10000/tcp, of tier web". */
export function queryWords(q) {
  const of = DIMENSIONS[q.by] ?? [q.by, q.by];
  const measure = (MEASURES[q.measure ?? "bytes"]?.[0] ?? q.measure).replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
  const parts = [
    `The ${q.limit ?? 20} ${of[1]} with most ${measure}${q.direction && q.direction !== "both" ? ` ${direction[q.direction]}` : ""} in ${windowWords(q.window)}`,
  ];
  if (q.trafficType) parts.push(TRAFFIC[q.trafficType]);
  if (q.ports?.length) parts.push(q.ports.join(", "));
  if (q.scope?.length) parts.push(`of ${either(q.scope.map(nameOf))}`);
  if (q.tier?.length) parts.push(`of tier ${either(q.tier)}`);
  if (q.network?.length) parts.push(`in ${either(q.network)}`);
  if (q.peerScope?.length) parts.push(`with ${either(q.peerScope.map(nameOf))}`);
  return parts.join(", ");
}

export const shareWords = (share) => (share === null || share === undefined ? "none" : `above ${percent(share)}`);

export const at = (iso) => (iso ? moment(Date.parse(iso)) : "-");

/** The page on which a report's question can be looked at now, as parameters of its address. */
export const pageParams = (q) => ({
  by: q.by === "vm" ? null : q.by,
  measure: q.measure === "bytes" ? null : q.measure,
  direction: q.direction ?? null,
  traffic: q.trafficType ?? null,
  ports: (q.ports ?? []).join(","),
  network: q.network ?? [],
  of: q.scope ?? [],
  peer: q.peerScope ?? [],
  tier: q.tier ?? [],
  range: q.window,
  from: null,
  to: null,
});

/** Whether a field of a report says something. */
export const filled = (v) => v !== null && v !== undefined && v !== "" && !(Array.isArray(v) && !v.length);
