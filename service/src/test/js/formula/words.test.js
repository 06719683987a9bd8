import { FormulaWords } from "/app/formula/words.js";
import { answering, equal, test } from "/test/harness.js";

const LANGUAGE = {
  functions: [
    { name: "sum", signature: "sum(x)", summary: "the sum" },
    { name: "checksum", signature: "checksum(x)", summary: "" },
    { name: "avg", signature: "avg(x)", summary: "the mean" },
  ],
  clauses: [{ text: "metric=key", summary: "a key" }],
  operators: [
    { text: "+", summary: "plus" },
    { text: "==", summary: "equal" },
  ],
  textOperators: [{ text: "contains", summary: "contains" }],
};
const KINDS = {
  items: [
    {
      adapterKind: "VMWARE",
      objectKinds: [
        { adapterKind: "VMWARE", objectKind: "HostSystem", objects: 40 },
        { adapterKind: "VMWARE", objectKind: "VirtualMachine", objects: 12000 },
      ],
    },
    { adapterKind: "LINUX", objectKinds: [{ adapterKind: "LINUX", objectKind: "Host", objects: 3 }] },
  ],
};
const key = (name, more = {}) => ({ key: name, unit: "", source: "metric", instanced: false, objects: 5, ...more });
const HOST = "/adapter-kinds/VMWARE/object-kinds/HostSystem";
const API = {
  "/super-metrics/functions": LANGUAGE,
  "/adapter-kinds": KINDS,
  [`${HOST}/keys`]: {
    items: [
      key("cpu|usage_average", { unit: "%" }),
      key("net|usage_average", { unit: "KBps", instanced: true }),
      key("runtime|powerState", { source: "property" }),
      key("Super Metric|sm_1", { source: "super-metric", name: "Ready share", unit: "%" }),
    ],
  },
  "/adapter-kinds/LINUX/object-kinds/Host/keys": { items: [key("cpu|usage_average"), key("load|1")] },
  [`${HOST}/values`]: {
    items: [
      { value: "on", objects: 2 },
      { value: "off", objects: 1200 },
    ],
  },
};

const words = (assigned = []) => new FormulaWords(() => assigned);
/** What is listed at the caret, which is the sign \u00a6 in `marked`. */
async function listed(marked, completer = words()) {
  const context = completer.contextAt(marked.replace("\u00a6", ""), marked.indexOf("\u00a6"));
  return completer.complete(context);
}
const labels = (found) => found.items.map((i) => i.label);

test("Functions that begin with what was typed come before those that hold it", async () => {
  answering(API);
  equal(labels(await listed("sum\u00a6")), ["sum", "checksum"]);
});

test("A function is put in with its brackets and the caret between them", async () => {
  answering(API);
  const [avg] = (await listed("av\u00a6")).items;
  equal([avg.insert, avg.back, avg.end, avg.call], ["avg()", 1, "avg(x)", true]);
});

test("The caret stands behind the first clause of an entry that was put in", async () => {
  answering(API);
  const { items } = await listed("${\u00a6".replace("{", ""));
  equal(
    items.map((i) => `${i.insert.slice(0, i.insert.length - i.back)}\u00a6`),
    ["${this, metric=\u00a6", "${adaptertype=\u00a6"],
  );
});

test("Entries are offered also while the functions cannot be read", async () => {
  answering({});
  equal((await listed("\u00a6")).items.length, 2);
});

test("What could not be read is asked for again", async () => {
  const completer = words();
  answering({});
  await listed("\u00a6", completer);
  answering(API);
  equal(labels(await listed("av\u00a6", completer)), ["avg"]);
});

test("What was read is not asked for again", async () => {
  const asked = answering(API);
  const completer = words();
  await listed("av\u00a6", completer);
  await listed("su\u00a6", completer);
  equal(asked, ["/super-metrics/functions"]);
});

test("An alias is offered once, before the functions", async () => {
  answering(API);
  equal(labels(await listed("sum(x) as s1 + sum(y) as s1 / s\u00a6"))[0], "s1");
  equal(labels(await listed("sum(x) as s1 + sum(y) as s1 / s\u00a6")).filter((l) => l === "s1").length, 1);
});

test("A clause has the words that the service has for it", async () => {
  answering(API);
  const { items } = await listed("${this, metr\u00a6}");
  equal([items[0].insert, items[0].note], ["metric=", "a key"]);
});

test("Object kinds of the adapter are listed, those with most objects first", async () => {
  answering(API);
  const found = await listed("${adaptertype=vmware, objecttype=\u00a6}");
  equal(
    found.items.map((i) => [i.label, i.end]),
    [
      ["VirtualMachine", "12,000"],
      ["HostSystem", "40"],
    ],
  );
});

test("Keys are those of the kind, with what they are", async () => {
  answering(API);
  const { items } = await listed("${adaptertype=VMWARE, objecttype=HostSystem, metric=\u00a6}");
  equal(
    items.map((i) => [i.label, i.note]),
    [
      ["cpu|usage_average", "%"],
      ["net|usage_average", "KBps, with instances"],
      ["runtime|powerState", "property"],
      ["Ready share", "super metric, %"],
    ],
  );
});

test("A super metric is found by its name and put in by its key", async () => {
  answering(API);
  const { items } = await listed("${adaptertype=VMWARE, objecttype=HostSystem, metric=ready\u00a6}");
  equal(
    items.map((i) => i.insert),
    ["Super Metric|sm_1"],
  );
});

test("An attribute is likely to be one with instances", async () => {
  answering(API);
  equal(labels(await listed("${objecttype=HostSystem, attribute=\u00a6}"))[0], "net|usage_average");
});

test("A key that several kinds have is listed once", async () => {
  answering(API);
  const both = words([
    { adapterKind: "VMWARE", objectKind: "HostSystem" },
    { adapterKind: "LINUX", objectKind: "Host" },
  ]);
  equal(labels(await listed("${this, metric=usage_av\u00a6}", both)), ["cpu|usage_average", "net|usage_average"]);
});

test("Values are listed with most objects first", async () => {
  answering(API);
  const { items } = await listed('${objecttype=HostSystem, metric=x, where="runtime|powerState equals \u00a6"}');
  equal(
    items.map((i) => [i.label, i.end, i.next]),
    [
      ["off", "1200", '"'],
      ["on", "2", '"'],
    ],
  );
});

test("The value that is tested has no list", async () => {
  answering(API);
  equal(await listed("${objecttype=HostSystem, metric=x, where=($value == '\u00a6')}"), null);
});

test("Conditions compare, and do not add", async () => {
  answering(API);
  equal(labels(await listed('${objecttype=HostSystem, metric=x, where="a|b \u00a6"}')), ["contains", "=="]);
});

test("Levels lead down, and up when negative", async () => {
  answering({});
  const found = await listed("${objecttype=HostSystem, metric=x, depth=-\u00a6}");
  equal(labels(found), ["-1", "-2", "-5"]);
});
