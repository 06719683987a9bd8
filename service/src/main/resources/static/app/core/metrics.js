// What metrics are called and which ones a page shows first. Names are those of vCenter's counters, which
// mappings keep; a metric that is not named here gets words made from its key.
import { isSuperMetric, superMetricName } from "./super-names.js";

const NAMES = {
  "cpu|usage_average": "CPU usage",
  "cpu|usagemhz_average": "CPU used",
  "cpu|demand_average": "CPU demand",
  "cpu|ready_summation": "CPU ready time",
  "cpu|readiness_average": "CPU ready",
  "cpu|costop_summation": "CPU co-stop",
  "cpu|usage_active": "CPU usage",
  "cpu|usage_user": "CPU usage, user",
  "mem|usage_average": "Memory usage",
  "mem|active_average": "Memory active",
  "mem|consumed_average": "Memory consumed",
  "mem|vmmemctl_average": "Memory ballooned",
  "mem|swapinRate_average": "Swap-in rate",
  "mem|used_percent": "Memory usage",
  "mem|available": "Memory available",
  "net|transmitted_average": "Network sent",
  "net|received_average": "Network received",
  "net|usage_average": "Network usage",
  "net|bytesTx_average": "Network sent",
  "net|bytesRx_average": "Network received",
  "net|bytes_sent_rate": "Network sent",
  "net|bytes_recv_rate": "Network received",
  "net|droppedRx_summation": "Packets dropped, received",
  "net|droppedTx_summation": "Packets dropped, sent",
  "disk|read_average": "Disk read",
  "disk|write_average": "Disk written",
  "disk|usage_average": "Disk traffic",
  "disk|used_percent": "Disk usage",
  "disk|maxTotalLatency_latest": "Disk latency, highest",
  "disk|used_latest": "Space used",
  "disk|capacity_latest": "Capacity",
  "disk|provisioned_latest": "Space provisioned",
  "diskio|read_bytes_rate": "Disk read",
  "diskio|write_bytes_rate": "Disk written",
  "virtualDisk|totalWriteLatency_average": "Disk write latency",
  "virtualDisk|totalReadLatency_average": "Disk read latency",
  "virtualDisk|read_average": "Disk read",
  "virtualDisk|write_average": "Disk written",
  "datastore|totalWriteLatency_average": "Write latency",
  "datastore|totalReadLatency_average": "Read latency",
  "sys|uptime_latest": "Uptime",
  "system|load1": "Load, 1 min",
  "system|uptime": "Uptime",
  "processes|total": "Processes",
  "vmop|numVMotion_latest": "vMotions",
  "vmop|numPoweron_latest": "Power-ons",
};

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

export function parseKey(key) {
  const bar = key.indexOf("|");
  const head = key.slice(0, bar);
  const colon = head.indexOf(":");
  return {
    group: colon < 0 ? head : head.slice(0, colon),
    instance: colon < 0 ? null : head.slice(colon + 1),
    metric: key.slice(bar + 1),
  };
}

const spaced = (text) =>
  text
    .replace(/_(average|summation|latest|maximum|minimum|none)$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/_/g, " ")
    .toLowerCase();

/** The name people read: "Network sent", "Network sent, vmnic0"; from the key's own words when it has no name. */
export function metricName(key) {
  if (isSuperMetric(key)) return superMetricName(key) ?? key;
  const { group, instance, metric } = parseKey(key);
  const name = NAMES[`${group}|${metric}`] ?? `${spaced(group).replace(/^./, (c) => c.toUpperCase()).replace(/^Cpu/, "CPU")} ${spaced(metric)}`;
  return instance === null ? name : `${name}, ${instance}`;
}

/** Network rates are shown in bits, all others in bytes. */
export const isNetwork = (key) => parseKey(key).group === "net";

/** `net:*|usage_average` stands for every instance of a metric. */
export const allInstances = (key) => key.replace(/:[^|]*/, "").replace("|", ":*|");

/**
 * The metrics to draw first for an object that reports `keys`, at most `most`; what is reported by instance only, such as
 * the network cards of a Linux host, comes as all its instances.
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
};
export const kindWord = (kind, n = 1) => KINDS[kind]?.[n === 1 ? 0 : 1] ?? kind;
export const kindRank = (kind) => {
  const order = ["VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore", "Datacenter"];
  const at = order.indexOf(kind);
  return at < 0 ? order.length : at;
};
