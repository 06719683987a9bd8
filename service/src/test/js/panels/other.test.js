import { render } from "/app/core/html.js";
import { drawPanel, linesOf } from "/app/panels/draw.js";
import { equal, test } from "/test/harness.js";

const HOUR = 3_600_000;
const vm = {
  id: "7a7c1c52-1a53-5d3b-8f52-1b5f2b7c9e01",
  adapterKind: "VMWARE",
  objectKind: "VirtualMachine",
  name: "db",
};
const change = {
  id: 4,
  time: new Date(48 * HOUR).toISOString(),
  kind: "recorded",
  object: vm,
  key: "driver",
  before: null,
  after: "NVMe driver",
  author: "ada",
  recorded: {},
};
const IMPACT = {
  type: "impact",
  from: 0,
  to: 96 * HOUR,
  impact: {
    changes: [
      { change, comparison: { verdict: "Read latency better." } },
      { change: { ...change, id: 5 }, reason: "less than 35 minutes ago" },
    ],
    index: {
      goal: "balanced",
      objects: [vm],
      baseFrom: 0,
      baseTo: 24 * HOUR,
      stepMillis: 24 * HOUR,
      times: [0, 1, 2, 3].map((d) => d * 24 * HOUR),
      values: [50, 50, 79, null],
    },
  },
};
const forecast = { key: "disk|used", unit: "GB", limit: 1000, level: 900, days: 4, earliest: 3, latest: 5 };
const CAPACITY = { type: "capacity", capacity: [{ object: vm, forecast }] };

const context = { drives: false, isChosen: () => false, tab: () => 0, set: () => {} };
function drawn(answer) {
  const root = document.createElement("div");
  render(drawPanel({ answer, panel: { type: answer.type }, context }), root);
  return root;
}

test("The index is a chart with changes as flags, above what each change did", () => {
  const root = drawn(IMPACT);
  const { spec } = root.querySelector("series-chart");
  equal(spec.series[0].values, [50, 50, 79, null]);
  equal(
    spec.flags.map((f) => f.at),
    [48 * HOUR, 48 * HOUR],
  );
  const [judged, young] = root.querySelectorAll("li");
  equal(judged.textContent.includes("Read latency better."), true);
  equal(young.querySelector(".main").title, "less than 35 minutes ago");
});

test("Without an index there is no chart", () => {
  const root = drawn({ ...IMPACT, impact: { changes: IMPACT.impact.changes } });
  equal(root.querySelector("series-chart"), null);
  equal(root.querySelectorAll("li").length, 2);
});

test("What fills up names its object, and warns of the next two weeks", () => {
  const root = drawn(CAPACITY);
  equal(root.querySelector("b").textContent, "db");
  equal(root.querySelector(".st-warning").textContent, "4 days");
});

test("Findings are lines of a file", () => {
  equal(
    linesOf(IMPACT)
      .slice(1)
      .map((line) => line[3]),
    ["Read latency better.", "less than 35 minutes ago"],
  );
  equal(linesOf(CAPACITY)[1], ["db", "disk|used", 900, 1000, "GB", 4, 3, 5]);
  const talker = { rank: 1, talker: { name: "web-1" }, value: 12, share: 0.5 };
  equal(linesOf({ type: "talkers", talkers: { unit: "B", items: [talker] } })[1], [1, "web-1", 12, 0.5]);
  equal(linesOf({ type: "outliers", outliers: { events: [], groups: [] } }).length, 1);
});
