import { BLANK, cleanGroup, proposedName, shownField } from "/app/pages/outliers/definition-words.js";
import { equal, test } from "/test/harness.js";

for (const [scope, name] of [
  [{ tags: ["app=shop", "tier=web"] }, "shop/web"],
  [{ name: "kiosk-*" }, "kiosk"],
  [{ name: "*" }, "VMs"],
  [{ tags: ["prod"], properties: ["os=linux"] }, "prod/linux"],
  [{ ancestors: ["1"] }, "VMs"],
  [{}, ""],
])
  test(`A group of ${JSON.stringify(scope)} may be called "${name}"`, () =>
    equal(proposedName(scope, { objectKind: "VirtualMachine" }), name));

test("A group is sent without what says nothing", () => {
  const sent = cleanGroup({
    ...BLANK,
    name: "web",
    description: "",
    scope: { tags: [], name: "web-*" },
    sensitivity: 4.5,
    metrics: [{ key: "a|b", minDeviation: null, transform: undefined, name: "x" }],
    alert: { severity: "warning", impact: null, recommendations: ["restart", " "] },
  });
  equal([sent.scope, sent.sensitivity, sent.metrics], [{ name: "web-*" }, "4.5", [{ key: "a|b" }]]);
  equal(sent.alert, { severity: "warning", recommendations: ["restart"] });
  equal(["description" in sent, "groupEvent" in sent], [false, false]);
  equal("alert" in cleanGroup({ ...BLANK, alert: null }), false);
});

test("A group without patterns is sent as one of before there were any", () => {
  const sent = cleanGroup({ ...BLANK, properties: [], configuration: { lasts: "2h" } });
  equal(["properties" in sent, "configuration" in sent], [false, false]);
});

test("Patterns are sent with what they accept and with the parts of the rule that were given", () => {
  const sent = cleanGroup({
    ...BLANK,
    properties: [
      { pattern: "config|*", accept: [] },
      { pattern: "a", accept: ["x"] },
    ],
    configuration: { lasts: "2h", majority: undefined },
  });
  equal(sent.properties, [{ pattern: "config|*" }, { pattern: "a", accept: ["x"] }]);
  equal(sent.configuration, { lasts: "2h" });
});

for (const [name, value, text] of [
  ["properties", null, "none"],
  ["properties", [{ pattern: "config|*" }, { pattern: "a", accept: ["x", "y"] }], "config|*; a, accepting x, y"],
  ["configuration", {}, "80 % of at least 5 members, for 1h"],
  ["configuration", { majority: 0.9, fewest: 8, lasts: "2d" }, "90 % of at least 8 members, for 2d"],
  ["scope", {}, "every object of the kind"],
  ["metrics", [{ key: "cpu|usage_average", minDeviation: 0 }], "CPU usage, at least 0"],
  ["metrics", null, ""],
  ["objectKind", null, "none"],
  ["opens", { violations: 3, of: 4 }, "3 of 4 buckets"],
  ["groupEvent", null, "not held against its past"],
  ["groupEvent", { minimumRelativeDeviation: 0.07 }, "medium, 7 % beyond"],
  ["alert", null, "no alert"],
  ["alert", { severity: "warning", impact: "risk", recommendations: ["x"] }, "warning, risk, 1 recommendation"],
  ["enabled", false, "no"],
  ["closesAfter", 0, "0"],
  ["description", null, "none"],
])
  test(`The field ${name} of ${JSON.stringify(value)} reads "${text}"`, () => equal(shownField(name, value), text));
