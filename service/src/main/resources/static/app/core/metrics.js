// What metrics are called and which ones a page shows first. Names are those of vCenter's counters, which
// mappings keep; a metric that is not named gets words made from its key. The service reads the same file of names and
// follows the same rule when it explains alerts.
import NAMES from "./metric-names.json" with { type: "json" };
import PROPERTIES from "./property-names.json" with { type: "json" };
import { isSuperMetric, superMetricName } from "./super-names.js";

// What to draw first, of what an object reports; each entry is a list of which the first one reported counts.
const FIRST = [
  ["cpu|usage_average", "cpu|usage_active", "cpu|usage_user"],
  ["mem|usage_average", "mem|used_percent", "mem|active_average"],
  ["net|transmitted_average", "net|bytesTx_average", "net|bytes_sent_rate", "net|usage_average"],
  ["net|received_average", "net|bytesRx_average", "net|bytes_recv_rate"],
  ["cpu|readiness_average", "cpu|ready_summation", "system|load1"],
  ["virtualDisk|totalWriteLatency_average", "datastore|totalWriteLatency_average", "disk|maxTotalLatency_latest"],
  ["virtualDisk|totalReadLatency_average", "datastore|totalReadLatency_average"],
  ["disk|write_average", "virtualDisk|write_average", "diskio|write_bytes_rate"],
  ["disk|read_average", "virtualDisk|read_average", "diskio|read_bytes_rate"],
  ["mem|consumed_average", "mem|available"],
  ["disk|used_latest", "disk|used_percent"],
  ["cpu|usagemhz_average"],
];

/**
 * Group, instance (null = none) and metric: `virtualDisk:scsi0:1|read_average`; the last bar parts the metric from its
 * path.
 */
export function parseKey(key) {
  const bar = key.lastIndexOf("|");
  const path = key.slice(0, Math.max(0, bar));
  const metric = key.slice(bar + 1);
  const first = path.includes("|") ? path.indexOf("|") : path.length;
  const colon = path.slice(0, first).indexOf(":");
  if (colon < 0) return { group: path, instance: null, metric };
  return { group: path.slice(0, colon) + path.slice(first), instance: path.slice(colon + 1, first), metric };
}

const spaced = (text) =>
  text
    .replace(/_(average|summation|latest|maximum|minimum|none)$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_|]/g, " ")
    .toLowerCase();
/** Words that are written in capitals, also by the server (MetricWords). */
const ABBREVIATION = /\b(?:bios|dns|ip|mtu|ntp|numa|ssh|tls|uuid)\b/gi;
const capital = (words) =>
  words
    .replace(/^./, (c) => c.toUpperCase())
    .replace(ABBREVIATION, (word) => word.toUpperCase())
    .replace(/^Cpu/, "CPU");

/** The name people read: "Network sent", "Network sent, vmnic0"; from the key's own words when it has no name. */
export function metricName(key) {
  if (isSuperMetric(key)) return superMetricName(key) ?? key;
  const { group, instance, metric } = parseKey(key);
  const name = NAMES[group ? `${group}|${metric}` : metric] ?? capital(`${spaced(group)} ${spaced(metric)}`.trim());
  if (instance === null) return name;
  const flow = flowPart(key);
  return flow ? [name, ...flowWords(flow)].join(", ") : `${name}, ${instance}`;
}

/**
 * The name people read of a property: "vCPUs", "IP address, 4000"; made from the last part of its key when it has none.
 */
export function propertyName(key) {
  const { group, instance, metric } = parseKey(key);
  const path = group ? `${group}|` : "";
  const name = PROPERTIES[path + metric.replaceAll("_", "")] ?? PROPERTIES[path + metric] ?? capital(spaced(metric));
  return instance === null ? name : `${name}, ${instance}`;
}

/**
 * What people call an instance, which the object itself says: `datastore:naa.6000c1|name` is the name of that device.
 * Without it, the instance.
 */
export function instanceName(key, properties = {}) {
  const { group, instance } = parseKey(key);
  return properties[`${group.split("|")[0]}:${instance}|name`] ?? instance;
}

/** Which flows a key of `net:flow...` is of: `{ type, ports }`; null for other keys. */
export function flowPart(key) {
  const { group, instance } = parseKey(key);
  const [flow, ...words] = (instance ?? "").split(":");
  if (group !== "net" || flow !== "flow") return null;
  const type = { eastWest: "east-west", northSouth: "north-south" }[words[0]];
  const ports = (type ? words.slice(1) : words).join(":");
  return { type: type ?? "all", ports: ports ? ports.split("+") : [] };
}

const FLOW_METRIC = /^(?:(?:bytes|packets|drops)[RT]x_rate|(?:bytes|sessions|resets)[RT]x_summation)$/;

/** The keys under which a metric of flows is found, of a key without instance; other keys are alone. */
export function flowKeys(key) {
  const { group, instance, metric } = parseKey(key);
  if (group !== "net" || instance !== null || !FLOW_METRIC.test(metric)) return [key];
  return ["flow", "flow:eastWest", "flow:northSouth"].map((part) => `net:${part}|${metric}`);
}

const MOST_PORTS = 3;
function flowWords({ type, ports }) {
  const named = ports.length > MOST_PORTS ? MOST_PORTS - 1 : ports.length;
  return [
    ...(type === "all" ? [] : [type]),
    ...ports.slice(0, named),
    ...(named < ports.length ? [`${ports.length - named} more`] : []),
  ];
}

/** Network rates are shown in bits, all others in bytes. */
export const isNetwork = (key) => parseKey(key).group === "net";

/** `net:*|usage_average` stands for every instance of a metric. */
export const allInstances = (key) => key.replace(/:[^|]*/, "").replace("|", ":*|");

/**
 * The metrics to draw first for an object that reports `keys`, at most `most`; what is reported by instance only, such
 * as the network cards of a Linux host, comes as all its instances.
 */
export function firstMetrics(keys, most = 9) {
  const reported = new Set(keys);
  for (const key of keys) if (parseKey(key).instance !== null) reported.add(allInstances(key));
  const named = (option) => [option, allInstances(option)].find((key) => reported.has(key));
  const chosen = FIRST.map((options) => options.map(named).find(Boolean)).filter(Boolean);
  for (const key of keys) {
    if (chosen.length >= most) break;
    if (!chosen.includes(key) && parseKey(key).instance === null) chosen.push(key);
  }
  return chosen.slice(0, most);
}

const memory = (kind) => `peerlens.metrics.${kind}`;

/** The user's own choice and order for a kind of object, or null. */
export function chosenMetrics(kind) {
  try {
    const chosen = JSON.parse(localStorage.getItem(memory(kind)));
    return Array.isArray(chosen) && chosen.length ? chosen : null;
  } catch {
    return null;
  }
}

export function chooseMetrics(kind, keys) {
  if (keys === null) localStorage.removeItem(memory(kind));
  else localStorage.setItem(memory(kind), JSON.stringify(keys));
}

/** Kinds in the order of the tree, with the words for them. */
const KINDS = {
  Datacenter: ["Datacentre", "Datacentres"],
  ClusterComputeResource: ["Cluster", "Clusters"],
  HostSystem: ["Host", "Hosts"],
  VirtualMachine: ["VM", "VMs"],
  Datastore: ["Datastore", "Datastores"],
  ResourcePool: ["Resource pool", "Resource pools"],
  Host: ["Machine", "Machines"],
  IpAddress: ["IP address", "IP addresses"],
  BenchmarkRun: ["Benchmark run", "Benchmark runs"],
};
export const kindWord = (kind, n = 1) => KINDS[kind]?.[n === 1 ? 0 : 1] ?? kind;
export const kindRank = (kind) => {
  const order = ["VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore", "Datacenter"];
  const at = order.indexOf(kind);
  return at < 0 ? order.length : at;
};
