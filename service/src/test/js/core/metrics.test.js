import {
  allInstances,
  chooseMetrics,
  chosenMetrics,
  firstMetrics,
  flowKeys,
  flowPart,
  instanceName,
  isNetwork,
  kindRank,
  kindWord,
  metricName,
  parseKey,
} from "/app/core/metrics.js";
import { equal, holds, test } from "/test/harness.js";

for (const [key, group, instance, metric] of [
  ["cpu|usage_average", "cpu", null, "usage_average"],
  ["virtualDisk:scsi0:1|read_average", "virtualDisk", "scsi0:1", "read_average"],
  ["cpu:0|ready|x_summation", "cpu|ready", "0", "x_summation"],
  ["config|hw:1|x", "config|hw:1", null, "x"],
  ["uptime", "", null, "uptime"],
  ["net:|x", "net", "", "x"],
  ["", "", null, ""],
])
  test(`The key "${key}" is metric "${metric}" of ${instance === null ? "no instance" : `instance "${instance}"`}`, () =>
    equal(parseKey(key), { group, instance, metric }));

test("A metric without a name has the words of its key", () => {
  equal([metricName("myApp|openFiles_latest"), metricName("load")], ["My app open files", "Load"]);
  equal(metricName("net:vmnic0|transmitted_average"), "Network sent, vmnic0");
});

test("Flows of many ports name the first ones and count the others", () => {
  equal(flowPart("net:flow:eastWest:443/tcp+80/tcp|bytesTx_rate"), { type: "east-west", ports: ["443/tcp", "80/tcp"] });
  equal(flowPart("net:flow|bytesTx_rate"), { type: "all", ports: [] });
  equal([flowPart("net:vmnic0|x"), flowPart("cpu|x"), flowPart("disk:flow|x")], [null, null, null]);
  const name = metricName("net:flow:northSouth:1+2+3+4+5|bytesTx_rate");
  holds(name.endsWith(", north-south, 1, 2, 3 more"), name);
});

test("A metric of flows is found under three keys, any other one under its own", () => {
  equal(flowKeys("net|bytesTx_rate"), [
    "net:flow|bytesTx_rate",
    "net:flow:eastWest|bytesTx_rate",
    "net:flow:northSouth|bytesTx_rate",
  ]);
  equal(flowKeys("net|usage_average"), ["net|usage_average"]);
  equal(flowKeys("net:vmnic0|bytesTx_rate"), ["net:vmnic0|bytesTx_rate"]);
});

test("Only keys of the network are rates of a network", () => {
  equal(["net|x", "net:vmnic0|x", "network|x", "cpu|net"].map(isNetwork), [true, true, false, false]);
});

test("All instances of a metric have one key", () => {
  equal([allInstances("net:vmnic0|x"), allInstances("net|x")], ["net:*|x", "net:*|x"]);
});

test("An instance that the object does not name keeps its own name", () => {
  equal([instanceName("net:vmnic0|x"), instanceName("cpu|x", {})], ["vmnic0", null]);
});

test("What is drawn first is what is reported, each once and no more than asked for", () => {
  const keys = [
    "zoo|b",
    "cpu|usage_user",
    "cpu|usage_average",
    "net:eth0|bytes_sent_rate",
    "net:eth1|bytes_sent_rate",
    "zoo|a",
  ];
  equal(firstMetrics(keys), ["cpu|usage_average", "net:*|bytes_sent_rate", "zoo|b", "cpu|usage_user", "zoo|a"]);
  equal(firstMetrics(keys, 2), ["cpu|usage_average", "net:*|bytes_sent_rate"]);
  equal(firstMetrics([]), []);
});

test("A choice of metrics is kept for a kind until it is given back", () => {
  chooseMetrics("HostSystem", ["a|b", "c|d"]);
  equal([chosenMetrics("HostSystem"), chosenMetrics("VirtualMachine")], [["a|b", "c|d"], null]);
  chooseMetrics("HostSystem", null);
  equal(chosenMetrics("HostSystem"), null);
  localStorage.setItem("peerlens.metrics.HostSystem", "{not json");
  equal(chosenMetrics("HostSystem"), null, "what cannot be read is no choice");
});

test("Kinds have words in singular and plural, and an order; those not known have their id and come last", () => {
  equal([kindWord("HostSystem"), kindWord("HostSystem", 0), kindWord("Pod", 2)], ["Host", "Hosts", "Pod"]);
  holds(kindRank("VirtualMachine") < kindRank("Datacenter") && kindRank("Datacenter") < kindRank("Pod"), "order");
});
