import { byState, deviantsOf, groupShape, metricShown, stateWord } from "/app/core/outliers.js";
import { equal, test } from "/test/harness.js";

const deviant = (event, value, severity = "warning", score = 5) => ({ event, value, severity, score });
const metric = (key, deviants = [], state = "alike") => ({ key, state, centre: 10, lower: 8, upper: 14, deviants });
const group = (name, state, ...metrics) => ({ name, now: { state, metrics } });

test("A deviant of several metrics stands once, with the one in which it is farthest out", () => {
  // 18 is two widths above the middle, 4 three widths below.
  const found = deviantsOf(group("g", "deviants", metric("a", [deviant("e", 18)]), metric("b", [deviant("e", 4)])));
  equal(
    found.map((d) => [d.event, d.metric.key]),
    [["e", "b"]],
  );
});

test("Deviants stand by severity, then by score on either side", () => {
  const all = [deviant("a", 20, "warning", 3), deviant("b", 0, "warning", -9), deviant("c", 15, "critical", 1)];
  equal(
    deviantsOf(group("g", "deviants", metric("m", all))).map((d) => d.event),
    ["c", "b", "a"],
  );
});

test("A group has the shape of its worst deviant, else that of its state", () => {
  equal(groupShape(group("g", "deviants", metric("m", [deviant("a", 20, "information")]))), "info");
  equal(
    [groupShape(group("g", "split")), groupShape(group("g", "alike")), groupShape(group("g", "unheard-of"))],
    ["split", "alike", "unknown"],
  );
  equal([stateWord("too-few"), stateWord("unheard-of")], ["too few values", "unheard-of"]);
});

test("The metric of a group is that of its worst deviant, else the one that is split, else the first", () => {
  equal(metricShown(group("g", "x", metric("a"), metric("b", [deviant("e", 20)]))).key, "b");
  equal(metricShown(group("g", "x", metric("a"), metric("b", [], "split"))).key, "b");
  equal([metricShown(group("g", "x", metric("a"))).key, metricShown(group("g", "x"))], ["a", null]);
});

test("A member whose configuration differs is a deviant without a metric", () => {
  const drifted = group("g", "deviants", metric("m", [deviant("a", 20, "warning")]));
  drifted.now.configuration = [{ event: "c", score: null, severity: "critical", properties: 2 }];
  equal(
    deviantsOf(drifted).map((d) => [d.event, d.metric?.key ?? null]),
    [
      ["c", null],
      ["a", "m"],
    ],
  );
  equal([groupShape(drifted), metricShown(drifted).key], ["critical", "m"]);
});

test("Groups stand by what is worst in them, then by state, then by name", () => {
  const groups = [
    group("off", "disabled"),
    group("b", "alike"),
    group("a", "alike"),
    group("half", "split"),
    group("mild", "deviants", metric("m", [deviant("e", 20, "warning", 4)])),
    group("far", "deviants", metric("m", [deviant("e", 20, "warning", -9)])),
    group("bad", "deviants", metric("m", [deviant("e", 20, "critical", 1)])),
  ];
  equal(
    groups.sort(byState).map((g) => g.name),
    ["bad", "far", "mild", "half", "a", "b", "off"],
  );
});
