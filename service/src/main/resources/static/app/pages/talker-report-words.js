// Saved reports of top talkers in words, and between the question of a page and that of a report.
import { post } from "../core/api.js";
import { DIMENSIONS, MEASURES, percent, TRAFFIC } from "../core/talkers.js";
import { moment } from "../core/time.js";
import { DAYS } from "./maintenance-words.js";
import { isEverything, scopeWords } from "./scope-fields.js";

const SPANS = { m: ["minute", "minutes"], h: ["hour", "hours"], d: ["day", "days"] };

/** "7 days", "1 hour"; the text itself when it is no length. */
export function windowWords(window) {
  const match = /^([1-9]\d{0,5})([mhd])$/.exec(window ?? "");
  return match ? `${match[1]} ${SPANS[match[2]][match[1] === "1" ? 0 : 1]}` : (window ?? "");
}
export const windowOk = (window) => /^[1-9]\d{0,5}[mhd]$/.test(window ?? "");

const direction = { sent: "sent", received: "received", both: "sent or received" };

/** "The 20 VMs with most volume sent in 7 days, East-West, 10000/tcp, with tier=web". */
export function queryWords(q) {
  const of = DIMENSIONS[q.by] ?? [q.by, q.by];
  const parts = [`The ${q.limit ?? 20} ${of[1]} with most ${(MEASURES[q.measure ?? "bytes"]?.[0] ?? q.measure).toLowerCase()}${q.direction && q.direction !== "both" ? ` ${direction[q.direction]}` : ""} in ${windowWords(q.window)}`];
  if (q.trafficType) parts.push(TRAFFIC[q.trafficType]);
  if (q.ports?.length) parts.push(q.ports.join(", "));
  if (q.networks?.length) parts.push(`in ${q.networks.join(" or ")}`);
  if (!isEverything(q.scope)) parts.push(`of objects ${scopeWords(q.scope)}`);
  return parts.join(", ");
}

const dayWord = (d) => DAYS.find(([id]) => id === d)?.[1] ?? d;

/** "every Mon at 07:00, Europe/Berlin"; "not sent by itself". */
export function scheduleWords(s) {
  if (!s) return "not sent by itself";
  const days = s.days?.length && s.days.length < 7 ? `every ${DAYS.map(([d]) => d).filter((d) => s.days.includes(d)).map(dayWord).join(", ")}` : "every day";
  return `${days} at ${s.time}, ${s.zone}`;
}

export const shareWords = (share) => (share === null || share === undefined ? "none" : `above ${percent(share)}`);

export const at = (iso) => (iso ? moment(Date.parse(iso)) : "-");

/** The page on which a report's question can be looked at now, as parameters of its address; what only a scope can say stays behind. */
export function pageParams(q) {
  const scope = q.scope ?? {};
  const tag = (name) => (scope.tags ?? []).find((t) => t.startsWith(`${name}=`))?.slice(name.length + 1);
  const tiers = tag("tier") ? [[tag("app"), tag("tier")].filter(Boolean).join("/")] : [];
  return { by: q.by === "vm" ? null : q.by, measure: q.measure === "bytes" ? null : q.measure, direction: q.direction ?? null, traffic: q.trafficType ?? null, ports: (q.ports ?? []).join(","), network: q.networks ?? [], of: [...(scope.objects ?? []), ...(scope.ancestors ?? []), ...(scope.groups ?? [])], tier: tiers, range: q.window, from: null, to: null };
}

/** A tier is named by its application and its own tag: shop/web. */
function tierTags(name) {
  const slash = name.indexOf("/");
  return slash < 0 ? [`tier=${name}`] : [`app=${name.slice(0, slash)}`, `tier=${name.slice(slash + 1)}`];
}

/** A scope that means the ends that narrow a page; null where none can. */
export async function scopeOf({ of, tiers }) {
  if (tiers.length === 1 && !of.length) return { tags: tierTags(tiers[0]) };
  if (!of.length || tiers.length) return of.length || tiers.length ? null : {};
  if (of.some((id) => id.startsWith("end-"))) return null;
  const { items } = await post("/objects/query", { ids: of, limit: of.length });
  if (!items.length) return { groups: of };
  if (items.length < of.length) return null;
  const whole = items.some((o) => ["HostSystem", "ClusterComputeResource", "Datacenter", "ResourcePool", "Datastore"].includes(o.objectKind));
  return whole ? { ancestors: of } : { objects: of };
}
