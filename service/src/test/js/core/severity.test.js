import { against, againstShort, found, rank, SEVERITIES, titleOf, worse } from "/app/core/severity.js";
import { equal, test } from "/test/harness.js";

test("Severities rank from critical down to information, and none is least", () => {
  equal([...SEVERITIES, null, undefined, ""].map(rank), [4, 3, 2, 1, 0, 0, 0]);
});

test("A severity that nobody knows is no worse than one that is known", () => {
  equal([rank("catastrophic"), worse("catastrophic", "information")], [0, "information"]);
});

test("The worse of two severities is found in either order", () => {
  equal([worse("warning", "critical"), worse("critical", "warning")], ["critical", "critical"]);
  equal([worse("warning", null), worse(null, "warning"), worse(null, null)], ["warning", "warning", null]);
});

test("A finding without a value says no data when that is known", () => {
  equal(found({ value: 97, unknown: true }, "%"), "no data");
  equal([found({ value: null }, "%"), found({}, "%")], ["-", "-"]);
});

test("A finding is its text, even an empty one, or its value with the unit", () => {
  equal([found({ value: null, text: "poweredOff" }, ""), found({ text: "", value: 1 }, "")], ["poweredOff", ""]);
  equal(found({ value: 0, text: null, bound: 5 }, "%"), "0 %");
});

test("A value beyond the upper bound is told apart from that one", () => {
  equal(found({ value: 8.04, bound: 2, upper: 8 }, "ms"), "8.04 ms");
  equal(found({ value: 1.96, bound: 2, upper: 8 }, "ms"), "1.96 ms");
});

test("A rate of a network is found in bits and judged in bits", () => {
  equal(found({ value: 52736, bound: 10 }, "KBps", "net:vmnic0|usage_average"), "432 Mbit/s");
  equal(against({ bound: 52736 }, "gt", "KBps", "net|usage_average"), "above 432 Mbit/s");
});

for (const [limits, operator, text] of [
  [{ bound: 0 }, "le", "at most 0 %"],
  [{ bound: 2, upper: 0 }, "outside", "outside 2 % to 0 %"],
  [{ bound: 2, upper: 8 }, "inside", "within 2 % to 8 %"],
  [{ bound: 5 }, "ne", "other than 5 %"],
  [{ bound: null }, "gt", ""],
  [{}, "gt", ""],
])
  test(`Limits ${JSON.stringify(limits)} with ${operator} read as "${text}"`, () =>
    equal([against(limits, operator, "%"), againstShort(limits, operator, "%")], [text, text]));

const outlier = { definition: { name: "web", source: "outlier-group" }, key: "net|transmitted_average" };

test("An alert is called by its rule, one of an outlier group by what it found", () => {
  equal(titleOf({ definition: { name: "CPU is busy", source: "threshold" }, key: "cpu|usage" }), "CPU is busy");
  equal(titleOf({ ...outlier, operator: "gt" }), "Network sent above its peers");
  equal(titleOf({ ...outlier, operator: "lt-usual", value: 1, bound: 2, upper: 3 }), "Network sent below its peers");
  equal(titleOf({ ...outlier, operator: "outside", value: 4, bound: 2, upper: 3 }), "Network sent above its peers");
  equal(titleOf({ ...outlier, operator: "outside", value: 2.5, bound: 2, upper: 3 }), "Network sent unlike its peers");
  equal(titleOf({ ...outlier, key: null, operator: "outside", value: null }), "Values unlike its peers");
  equal(
    titleOf({ ...outlier, key: "config|network|dnsserver", operator: "ne", value: null, text: "8.8.8.8" }),
    "DNS servers unlike its peers",
  );
});
