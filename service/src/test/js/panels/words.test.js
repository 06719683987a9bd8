import {
  asRange,
  cellText,
  conditionWords,
  figures,
  instanceWords,
  isLessWorse,
  millis,
  placeWords,
  reportingWords,
  ruleWords,
  stateOf,
  titleOf,
  transformWords,
  windowWords,
} from "/app/panels/words.js";
import { equal, test } from "/test/harness.js";

test("A column that is called by its key has the name that people read of its metric", () => {
  equal(titleOf({ name: "cpu", key: "cpu|usage_average", title: "cpu|usage_average" }), "CPU usage");
  equal(titleOf({ name: "cpu", key: "cpu|usage_average", title: "Load" }), "Load");
  equal(titleOf({ name: "cpu", key: "cpu|usage_average" }), "CPU usage");
  equal(titleOf({ name: "cpu", title: "Load" }), "Load");
  equal(titleOf({ name: "cpu" }), "cpu");
});

test("A place among peers is said in words, and not with fewer than three", () => {
  equal(placeWords({ rank: 1, peers: 5 }), "highest of 5");
  equal(placeWords({ rank: 5, peers: 5 }), "least of 5");
  equal(placeWords({ rank: 2, peers: 5 }), "2nd of 5");
  equal(placeWords({ rank: 3, peers: 50 }), "3rd of 50");
  equal(placeWords({ rank: 12, peers: 50 }), "12th of 50");
  equal(placeWords({ rank: 22, peers: 50 }), "22nd of 50");
  equal(placeWords({ rank: null, peers: 2 }), "");
});

test("A percentile by a variable is called by it", () => {
  equal(transformWords({ percentile: "$p" }), "percentile $p");
  equal(transformWords({ percentile: 99.9 }), "p99.9");
});

test("The figures of a column share a unit, and nothing is a dash", () => {
  const of = figures({ unit: "KB" }, [1024 * 1024, 512]);
  equal(of.unit, "GiB");
  equal(of.text(1024 * 1024), "1");
  equal(cellText({ type: "number", unit: "%" }, null), "-");
  equal(cellText({ type: "number", unit: "%", decimals: 2 }, 1.5), "1.50");
  equal(cellText({ type: "text" }, "poweredOn"), "poweredOn");
});

test("A value beyond a bound has the state of the worst one passed", () => {
  const column = { bounds: [2.5, 5, 10] };
  equal(
    [2.5, 2.6, 5.1, 11].map((v) => stateOf(column, v)),
    ["normal", "warning", "immediate", "critical"],
  );
  equal(stateOf({ bounds: [14, null, 3] }, 9, true), "warning");
  equal(stateOf({ bounds: [14, null, 3] }, 2, true), "critical");
  equal(stateOf({}, 9), null);
});

test("Less is worse where the definition says so, or the bounds fall", () => {
  equal(isLessWorse({ name: "a", bounds: [14, 7] }, {}), true);
  equal(isLessWorse({ name: "a", bounds: [7, 14] }, {}), false);
  equal(
    isLessWorse({ name: "a", bounds: [14] }, { columns: [{ name: "a", colour: { bounds: [14], above: false } }] }),
    true,
  );
});

test("Lengths of files are words, milliseconds and ranges of the address", () => {
  equal(["24h", "5m", "2w", "now"].map(windowWords), ["24 h", "5 min", "2 w", "now"]);
  equal(millis("90s"), 90_000);
  equal(["24h", "2w", "90s", "x"].map(asRange), ["24h", "14d", "2m", null]);
});

test("A rule of objects is a sentence", () => {
  equal(ruleWords({ kind: "VMWARE/VirtualMachine", subject: "$cluster" }), "VMs of or below $cluster");
  equal(
    ruleWords({
      kind: "VMWARE/VirtualMachine",
      select: {
        scope: { tags: ["env=$env"], name: "shop-*" },
        where: [[{ metric: { any: ["cpu|usage_average"] }, op: ">", value: 80 }]],
      },
    }),
    "VMs named shop-* with tag env=$env where CPU usage above 80",
  );
  equal(
    ruleWords({ kind: "VMWARE/HostSystem", subject: "$vm", select: { paths: [["parents"]] } }),
    "Hosts from $vm by its parents",
  );
});

test("Conditions and statistics are words", () => {
  equal(conditionWords({ attribute: "alerts", op: ">", value: 0 }), "open alerts above 0");
  equal(conditionWords({ tag: "env", op: "exists" }), "tag env is there");
  equal(["avg", { percentile: 95 }, { reaches: 100 }, undefined].map(transformWords), [
    "mean",
    "p95",
    "days until 100",
    "",
  ]);
});

test("Who reports is said only where not all do", () => {
  equal(reportingWords({ matched: 40, reporting: 31 }), "31 of 40 report");
  equal(reportingWords({ matched: 40, reporting: 40 }), "");
});

test("An instance that is made of tags is called by their values, the host first", () => {
  equal(instanceWords("devicename=naa.5,hostname=esx-1"), "esx-1 naa.5");
  equal(instanceWords("uuid=d1"), "d1");
  equal(instanceWords("scsi0:0"), "scsi0:0");
  equal(instanceWords("a=b=c"), "a=b=c");
  equal(instanceWords("1,2"), "1,2");
  equal(instanceWords(""), "");
  equal(instanceWords(null), "");
});
