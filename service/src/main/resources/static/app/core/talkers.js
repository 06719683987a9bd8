// Traffic as the pages ask for it: dimensions and measures with their words, how values read, and the question as the
// address holds it.
import { get, post } from "./api.js";
import { bytes, count, NONE, number, scale, withUnit } from "./format.js";
import { Load } from "./load.js";
import { param, place } from "./url.js";

/** What is ranked: `[one, several, tab, what belongs to none]`. */
export const DIMENSIONS = {
  vm: ["VM", "VMs", "VM", "no VM"],
  host: ["host", "hosts", "Host", "no host"],
  cluster: ["cluster", "clusters", "Cluster", "no cluster"],
  tier: ["tier", "tiers", "Tier", "no tier"],
  network: ["network", "networks", "Network", "no network"],
  port: ["port", "ports", "Port", "no port"],
  protocol: ["protocol", "protocols", "Protocol", "no protocol"],
  pair: ["pair", "pairs", "Pair", "no pair"],
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

export const DIRECTIONS = [
  ["received", "Received"],
  ["sent", "Sent"],
  ["both", "Both"],
];
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

const ENDS = ["vm", "host", "cluster", "tier", "network"];
const directionOf = () => (DIRECTIONS.some(([d]) => d === param("direction")) ? param("direction") : null);

/** What narrows the traffic: `of` and `peers` are ids of objects or groups, or keys of single ends. */
export const narrowing = () => ({
  traffic: TRAFFIC[param("traffic")] ? param("traffic") : null,
  ports: param("ports").split(",").filter(Boolean),
  networks: all("network"),
  tiers: all("tier"),
  of: all("of"),
  peers: all("peer"),
});

export const isNarrowed = (q) =>
  Boolean(q.traffic || q.ports.length || q.networks.length || q.tiers.length || q.of.length || q.peers.length);

/** Whether it is said whose traffic it is: then there is a direction in it. */
const hasSubject = (q, scope) => Boolean(q.of.length || q.networks.length || q.tiers.length || scope);

/** Ends send and receive; ports, protocols and pairs do so for the ends that narrow them. */
export const hasDirection = (by, q, scope) => ENDS.includes(by) || hasSubject(q, scope);

/** The question of the page, as its address says it. */
export function question(scope) {
  const by = DIMENSIONS[param("by")] ? param("by") : "vm";
  const measure = MEASURES[param("measure")] ? param("measure") : "bytes";
  const q = narrowing();
  return {
    by,
    measure,
    direction: hasDirection(by, q, scope) ? (directionOf() ?? (ENDS.includes(by) ? "sent" : "both")) : "both",
    ...q,
  };
}

/** The direction of a list of flows; both where it is not said whose they are. */
export const flowDirection = (q, scope) => (hasSubject(q, scope) ? (directionOf() ?? "both") : "both");

/** Parameters of the address that drop all that narrows. */
export const NOTHING_NARROWED = { traffic: null, ports: null, network: null, tier: null, of: null, peer: null };

/** What narrows, as parameters of the address. */
export const asParams = (q) => ({
  traffic: q.traffic,
  ports: q.ports.join(","),
  network: q.networks,
  tier: q.tiers,
  of: q.of,
  peer: q.peers,
});

/**
 * What narrows the question to one talker, by the filter that comes with it, as parameters of the address.
 * @param {{filter?: Record<string, any>}} talker
 */
export function narrowTo({ filter = {} }) {
  const { scope, peerScope, network, tier, ports, direction } = filter;
  return {
    ...(scope ? { of: scope } : {}),
    ...(peerScope ? { peer: peerScope } : {}),
    ...(network ? { network } : {}),
    ...(tier ? { tier } : {}),
    ...(ports ? { ports: ports.join(",") } : {}),
    ...(direction ? { direction } : {}),
  };
}

/** The question of a row: that of the page with the filters of the talker in their place. */
export function within(q, talker) {
  const { scope, peerScope, network, tier, ports, direction } = talker?.filter ?? {};
  return {
    ...q,
    of: scope ?? q.of,
    peers: peerScope ?? q.peers,
    networks: network ?? q.networks,
    tiers: tier ?? q.tiers,
    ports: ports ?? q.ports,
    direction: direction ?? q.direction,
  };
}

/** What a row opens: the next level below it. */
export const BELOW = {
  vm: "pair",
  host: "pair",
  cluster: "pair",
  tier: "pair",
  network: "pair",
  port: "vm",
  protocol: "port",
};

const names = new Map();
const MOST_NAMES = 5000;

/** Remembers what ends are called, so that chips say it. */
export function learn(talker) {
  if (names.size > MOST_NAMES) names.clear();
  for (const end of [talker.from, talker.to]) if (end) names.set(end.key, end.name);
  if (talker.object) names.set(talker.object.id, talker.object.name);
}

const isEnd = (ref) => ref.startsWith("end-");
const GONE = "one that is gone";
const MONTH = 30 * 86_400_000;

/** Reads what ids of objects and groups, and keys of ends, are called. */
const naming = new Load(async (refs, signal) => {
  const ids = refs.filter((r) => !isEnd(r));
  if (ids.length) {
    const { items } = await post("/objects/query", { ids, limit: ids.length }, signal);
    for (const o of items) names.set(o.id, o.name);
    if (ids.some((id) => !names.has(id)))
      for (const g of (await get("/groups", { limit: 1000 }, signal)).items) names.set(g.id, g.name);
  }
  for (const key of refs.filter(isEnd)) {
    const { items } = await get("/flows", { scope: [key], from: Date.now() - MONTH, limit: 1 }, signal);
    for (const f of items) for (const end of [f.from, f.to]) if (end?.key === key) names.set(key, end.name);
  }
  for (const ref of refs) if (!names.has(ref)) names.set(ref, GONE);
  return names.size;
});

// What is asked for while a page is drawn is read at once.
let unknown = new Set();
let asking = false;

/** What an object, a group or an end is called; an ellipsis until that is read. */
export function nameOf(ref) {
  if (names.has(ref)) return names.get(ref);
  unknown.add(ref);
  if (!asking && !naming.loading) {
    asking = true;
    queueMicrotask(() => {
      asking = false;
      naming.want([...unknown].slice(0, 100));
      unknown = new Set();
    });
  }
  return "\u2026";
}

/** What narrows, as the API takes it; `scope` holds where nothing else says which ends count. */
export const filterQuery = (q, scope) => ({
  trafficType: q.traffic,
  ports: q.ports,
  network: q.networks,
  tier: q.tiers,
  scope: q.of.length ? q.of : scope ? [scope] : [],
  peerScope: q.peers,
});

/** Where traffic goes that is in no network with a name. */
export const endName = (end) => end?.name ?? "several receivers";
export const serviceText = (s) => (s?.name && s.name !== s.service ? `${s.name} ${s.service}` : (s?.service ?? ""));
