import {
  BLANK,
  byRank,
  conditionText,
  freeSeverities,
  levelText,
  millisOf,
  openOf,
  stateOf,
  triggerText,
} from "/app/pages/thresholds/words.js";
import { equal, test } from "/test/harness.js";

const level = (severity, value, more = {}) => ({ severity, bound: { type: "number", value }, ...more });
const metric = (operator, ...levels) => ({
  type: "metric",
  key: "cpu|usage_average",
  instances: false,
  operator,
  levels,
});

for (const [condition, unit, text] of [
  [metric("gt", level("warning", 80), level("critical", 90)), "%", "CPU usage above 90 % critical, 80 % warning"],
  [metric("le", level("warning", 0)), "", "CPU usage at most 0 warning"],
  [
    metric("outside", level("warning", 2, { upper: { type: "number", value: 8 } })),
    "ms",
    "CPU usage outside 2 to 8 ms warning",
  ],
  [{ ...metric("gt", level("warning", 80)), instances: true }, "%", "CPU usage of each instance above 80 % warning"],
  [metric("gt", level("warning", null)), "%", "CPU usage above \u2026 warning"],
  [{ ...metric("gt", level("warning", 80)), key: "" }, "%", "\u2026 above 80 % warning"],
  [
    metric("gt", {
      severity: "critical",
      bound: { type: "learned", sensitivity: "low", minimumDeviation: 5, minimumRelativeDeviation: 0.1 },
    }),
    "%",
    "CPU usage above the usual: low by 5 % and 10 % of it critical",
  ],
  [metric("lt", { severity: "warning", bound: { type: "learned" } }), "%", "CPU usage below the usual: medium warning"],
  [
    {
      type: "no-data",
      key: null,
      levels: [
        { severity: "critical", after: "15m" },
        { severity: "warning", after: "5m" },
      ],
    },
    "",
    "no data of anything for 15m critical, 5m warning",
  ],
  [
    { type: "no-data", key: "cpu|usage_average", levels: [{ severity: "critical" }] },
    "",
    "no data of CPU usage for \u2026 critical",
  ],
])
  test(`A condition reads "${text}"`, () => equal(conditionText(condition, unit), text));

test("A bound that is made from another metric says how", () => {
  const bound = (more) =>
    levelText({ bound: { type: "metric", key: "cpu|usage_average", ...more } }, { type: "metric", operator: "gt" });
  equal(
    [bound({}), bound({ factor: 1 }), bound({ factor: 1.2, offset: 5 }), bound({ factor: 0, offset: -5 })],
    ["CPU usage", "CPU usage", "1.2 x CPU usage + 5", "0 x CPU usage - 5"],
  );
});

test("A bound of a number is what factor and offset make of it", () => {
  equal(
    levelText({ bound: { type: "number", value: 10, factor: 2, offset: -5 } }, { type: "metric", operator: "gt" }, "%"),
    "15 %",
  );
});

test("A text of a property stands in quotes, an empty one too", () => {
  const property = { type: "property", operator: "eq" };
  equal([levelText({ text: "off" }, property), levelText({ text: "" }, property)], ["\u201coff\u201d", "\u201c\u201d"]);
});

for (const [trigger, text] of [
  [{ violations: 3, of: 3, minimumDuration: "0s", clearAfter: 2 }, "3 in a row; clear after 2"],
  [{ violations: 3, of: 5, minimumDuration: "10m", clearAfter: 3 }, "3 of 5, at least 10m; clear after 3"],
  [{ violations: 1, of: 1, minimumDuration: "0s", clearAfter: 1 }, "at once; clear after 1"],
  [{ violations: 2 }, "2 in a row; clear after 1"],
  [undefined, "at once; clear after 1"],
])
  test(`The trigger ${JSON.stringify(trigger)} reads "${text}"`, () => equal(triggerText(trigger), text));

test("Levels stand worst first, and the list that they come from stays as it is", () => {
  const levels = [level("information", 1), level("critical", 3), level("warning", 2)];
  equal(
    [byRank(levels).map((l) => l.severity), levels[0].severity],
    [["critical", "warning", "information"], "information"],
  );
  equal(freeSeverities(levels), ["immediate"]);
});

test("Open symptoms are counted over severities, and the worst is named", () => {
  equal(openOf({ open: { warning: 3, critical: 1, immediate: 0 } }), { count: 4, worst: "critical" });
  equal([openOf({ open: {} }), openOf(null)], Array(2).fill({ count: 0, worst: null }));
});

const threshold = (state, more = {}) => ({
  ...BLANK,
  state: { tick: "x", objects: 12, unknown: 0, open: {}, ...state },
  ...more,
});
const learned = { condition: metric("gt", { severity: "warning", bound: { type: "learned" } }) };
for (const [about, rule, state] of [
  ["is switched off", threshold({ error: "x" }, { enabled: false }), ["alike", "disabled"]],
  ["failed", threshold({ error: "it is wrong" }), ["immediate", "it is wrong"]],
  ["is new", threshold({ tick: null }), ["unknown", "waiting for its first tick"]],
  ["has no objects", threshold({ objects: 0 }), ["unknown", "no object in scope"]],
  ["has symptoms", threshold({ open: { warning: 1 } }), ["warning", "1 symptom open"]],
  ["has symptoms of little weight", threshold({ open: { information: 2 } }), ["info", "2 symptoms open"]],
  ["has no values", threshold({ unknown: 12 }), ["unknown", "no value for any object"]],
  [
    "is still learning",
    threshold({ unknown: 12 }, learned),
    ["unknown", "no value, or too little learned, for any object"],
  ],
  ["does well", threshold({ objects: 1 }), ["alike", "1 object judged"]],
  ["lacks some values", threshold({ unknown: 2 }), ["alike", "12 objects judged, 2 without a value"]],
  [
    "learns some",
    threshold({ unknown: 2 }, learned),
    ["alike", "12 objects judged, 2 without a value or still learning"],
  ],
])
  test(`A threshold that ${about} says so`, () => equal(stateOf(rule), state));

for (const [text, ms] of [
  ["250ms", 250],
  ["0s", 0],
  [" 10m ", 600_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
  ["1.5h", null],
  ["10", null],
  ["m", null],
  ["-5m", null],
  ["", null],
  [null, null],
])
  test(`The duration "${text}" has ${ms === null ? "no length" : `${ms} ms`}`, () => equal(millisOf(text), ms));
