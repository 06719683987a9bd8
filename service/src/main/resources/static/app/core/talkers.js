// Traffic as the pages ask for it: dimensions and measures with their words, how values read, and the question as the address holds it.
import { post } from "./api.js";
import { bytes, count, NONE, number, scale, withUnit } from "./format.js";
import { Load } from "./load.js";
import { param, place } from "./url.js";

/** What is ranked: `[one, several, tab, those that belong to none]`. */
export const DIMENSIONS = {
  vm: ["VM", "VMs", "VM", "ends that are no VM"],
  host: ["host", "hosts", "Host", "ends on no known host"],
  cluster: ["cluster", "clusters", "Cluster", "ends in no cluster"],
  tier: ["tier", "tiers", "Tier", "ends without a tag tier"],
  network: ["network", "networks", "Network", "ends in no named network"],
  port: ["port", "ports", "Port", "traffic without a port"],
  protocol: ["protocol", "protocols", "Protocol", "traffic without a protocol"],
  pair: ["pair", "pairs", "Pair", "traffic without a pair"],
};

/** What ranks: `[words, head of the column, unit of its lines]`. */
export const MEASURES = {
  bytes: ["Volume", "Volume", "bit/s"],
  rate: ["Rate", "Mean rate", "bit/s"],
  peak: ["Peak rate", "Peak minute", "bit/s"],
  packets: ["Packets", "Packets", "packets/s"],
  sessions: ["Sessions", "Sessions", "sessions/s"],
  flows: ["Flow records", "Records", "records/s"],
  resets: ["TCP resets", "Resets", "resets/s"],
  drops: ["Drops", "Drops", "drops/s"],
};

export const DIRECTIONS = [["received", "Received"], ["sent", "Sent"], ["both", "Both"]];
export const TRAFFIC = { "east-west": "East-West", "north-south": "North-South", external: "External" };

const MILLION = 1e7;

/** A value with its unit: "474 GiB", "1,204", "48.2 M". */
export function amount(v, unit) {
  if (v === null || v === undefined || !Number.isFinite(v)) return NONE;
  if (unit === "B") return bytes(v);
  if (unit) return withUnit(v, unit);
  return v >= MILLION ? `${number(v / 1e6, 4)} M` : v > 0 && v < 10 && !Number.isInteger(v) ? number(v, 2) : count(v);
}

/** A share as people say it: "18.9 %", "0.3 %", "< 0.1 %". */
export function percent(share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return NONE;
  const p = share * 100;
  return p > 0 && p < 0.1 ? "< 0.1 %" : `${p >= 99.95 ? Math.round(p) : p.toFixed(1)} %`;
}

/** A change since another time: "+66 %", "new", "0 %"; "12 times" when percents say nothing any more. */
export function changeText(change, value) {
  if (!change) return NONE;
  if (change.change === null) return value > 0 ? "new" : NONE;
  const p = Math.round(change.change * 100);
  if (p >= 1000) return `${number(change.change + 1, 2)} times`;
  return p === 0 ? "0 %" : `${p > 0 ? "+" : "\u2212"}${Math.abs(p)} %`;
}

/** How lines of a measure are scaled when the largest is `most`. */
export const lineScale = (measure, most) => {
  const unit = MEASURES[measure]?.[2] ?? "";
  return unit === "bit/s" ? scale(unit, most) : { unit, factor: 1, text: (v) => number(v) };
};

const all = (name) => place.query.getAll(name);
const TIER = "tier:";

/** Dimensions that have a sender and a receiver; of the others, traffic counts in both directions. */
export const hasDirection = (by) => !["port", "protocol", "pair"].includes(by);

/** The question of the page, as its address says it. */
export function question() {
  const by = DIMENSIONS[param("by")] ? param("by") : "vm";
  const measure = MEASURES[param("measure")] ? param("measure") : "bytes";
  const direction = hasDirection(by) ? (DIRECTIONS.some(([d]) => d === param("direction")) ? param("direction") : "sent") : "both";
  return { by, measure, direction, ...narrowing() };
}

/** What narrows the traffic: `of` and `peers` are ids of objects or `tier:NAME`. */
export const narrowing = () => ({ traffic: TRAFFIC[param("traffic")] ? param("traffic") : null, ports: param("ports").split(",").filter(Boolean), networks: all("network"), of: all("of"), peers: all("peer") });

export const isNarrowed = (q) => Boolean(q.traffic || q.ports.length || q.networks.length || q.of.length || q.peers.length);

/** Parameters of the address that drop all that narrows. */
export const NOTHING_NARROWED = { traffic: null, ports: null, network: null, of: null, peer: null };

/** An object, or the tier by its name, as the address names it. */
export const tierRef = (name) => TIER + name;
export const isTier = (ref) => ref.startsWith(TIER);

const SOLE = (address) => (address.includes(":") ? `${address}/128` : `${address}/32`);

/** What narrows the question to one talker, as parameters of the address; empty for one that nothing can narrow to. */
export function narrowTo(talker) {
  if (talker.from) {
    const one = talker.from.object ? { of: [talker.from.object.id] } : talker.from.network ? { network: [talker.from.network] } : talker.from.address ? { network: [SOLE(talker.from.address)] } : {};
    return { ...one, ...(talker.to?.object ? { peer: [talker.to.object.id] } : {}) };
  }
  if (talker.object) return { of: [talker.object.id] };
  if (talker.tier) return { of: [tierRef(talker.tier)] };
  if (talker.service) return { ports: talker.service };
  if (talker.network) return { network: [talker.network] };
  return {};
}

/** What a row opens: the next level below it. */
export const BELOW = { vm: "pair", host: "pair", cluster: "pair", tier: "pair", network: "pair", port: "vm", protocol: "port" };

// So many ids fit into an address that every server takes.
const MOST = 180;
// Who is in a tier changes; what is older than this is read again behind what is shown.
const FRESH = 600_000;
const members = new Map();
const names = new Map();

async function readMembers(name, signal) {
  const { items, total } = await post("/objects/query", { tag: [`tier=${name}`], limit: 1000 }, signal);
  return { ids: items.map((o) => o.id), total, at: Date.now() };
}

/** Reads what ids of objects are called, and which objects a tier has. */
const naming = new Load(async (ids, tiers, _stretch, signal) => {
  if (ids.length) {
    const { items } = await post("/objects/query", { ids, limit: ids.length }, signal);
    for (const o of items) names.set(o.id, o.name);
    for (const id of ids) if (!names.has(id)) names.set(id, "an object that is gone");
  }
  for (const tier of tiers) members.set(tier, await readMembers(tier, signal));
  return members.size;
});

/** What is not known yet of these is asked for; true once all is. */
export function resolved(refs) {
  const ids = [...new Set(refs.filter((r) => !isTier(r) && !names.has(r)))].slice(0, 500);
  const tiers = [...new Set(refs.filter(isTier))].map((r) => r.slice(TIER.length));
  const old = tiers.filter((t) => !(Date.now() - (members.get(t)?.at ?? 0) < FRESH));
  if (ids.length || old.length) naming.want(ids, old, Math.floor(Date.now() / FRESH));
  return tiers.every((t) => members.has(t));
}

/** Why what narrows could not be read; null when it could. */
export const resolving = naming;

export const nameOf = (ref) => (isTier(ref) ? `tier ${ref.slice(TIER.length)}` : (names.get(ref) ?? "\u2026"));

/** The ids behind references; of a tier that has more than fit into an address, the first ones. */
function idsOf(refs) {
  const ids = new Set();
  for (const ref of refs) for (const id of isTier(ref) ? (members.get(ref.slice(TIER.length))?.ids ?? []) : [ref]) ids.add(id);
  return [...ids].slice(0, MOST);
}

/** What an answer leaves out because a tier has too many members to be asked for; null when nothing. */
export function cutShort(q) {
  for (const ref of [...q.of, ...q.peers]) {
    const total = isTier(ref) ? (members.get(ref.slice(TIER.length))?.total ?? 0) : 0;
    if (total > MOST) return `the first ${MOST} of ${count(total)} objects of ${nameOf(ref)}`;
  }
  return null;
}

// No object has it: a tier without members has no traffic.
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** What narrows, as the API takes it; `scope` holds where nothing else says which talkers count. */
export function filterQuery(q, scope) {
  const of = q.of.length ? idsOf(q.of) : scope ? [scope] : [];
  const peers = idsOf(q.peers);
  return {
    trafficType: q.traffic,
    ports: q.ports,
    network: q.networks,
    scope: q.of.length && !of.length ? [NOBODY] : of,
    peerScope: q.peers.length && !peers.length ? [NOBODY] : peers,
  };
}

/** Where traffic goes that is in no network with a name. */
export const endName = (end) => end?.name ?? "several receivers";
export const serviceText = (s) => (s?.name ? `${s.name} ${s.service}` : (s?.service ?? ""));
