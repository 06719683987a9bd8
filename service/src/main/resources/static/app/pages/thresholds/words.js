// Thresholds in words, and what a new one begins with.
import { NONE, number, plural } from "../../core/format.js";
import { metricName, propertyName } from "../../core/metrics.js";
import { OPERATORS, SEVERITIES, rank } from "../../core/severity.js";

export const TYPES = [
  ["metric", "metric"],
  ["property", "property"],
  ["no-data", "no data"],
];
export const NUMERIC = ["gt", "ge", "lt", "le", "eq", "ne", "inside", "outside"];
export const TEXTUAL = [
  "eq",
  "ne",
  "contains",
  "not-contains",
  "starts-with",
  "not-starts-with",
  "ends-with",
  "not-ends-with",
  "matches",
  "not-matches",
];
export const RANGES = ["inside", "outside"];
/** Operators that compare with what is usual, and the names of both together. */
export const USUAL = { gt: "gt-usual", lt: "lt-usual", outside: "outside-usual" };
export const SENSITIVITIES = ["low", "medium", "high"];

export const FIELDS = {
  name: "Name",
  description: "Description",
  enabled: "Enabled",
  objectKind: "Object kind",
  scope: "Scope",
  condition: "Condition",
  trigger: "When it opens and closes",
  overrides: "Overrides",
  alert: "Alert",
  tags: "Tags",
  owner: "Owner",
  interval: "Judged every",
};

export const BLANK = {
  name: "",
  description: null,
  enabled: true,
  objectKind: null,
  scope: {},
  condition: {
    type: "metric",
    key: "",
    instances: false,
    operator: "gt",
    levels: [{ severity: "warning", bound: { type: "number", value: null } }],
  },
  trigger: { violations: 3, of: 3, minimumDuration: "0s", clearAfter: 3 },
  overrides: [],
  alert: { impact: "health", recommendations: [] },
  tags: [],
  owner: null,
  interval: "1m",
};

/** Worst first. */
export const byRank = (levels) => levels.toSorted((a, b) => rank(b.severity) - rank(a.severity));
export const freeSeverities = (levels) => SEVERITIES.filter((s) => !levels.some((l) => l.severity === s));

export const isLearned = (condition) => condition.levels[0]?.bound?.type === "learned";

/** A learned bound in words: "medium", "low by 5 % and by a tenth of it". */
function learnedText({ sensitivity, minimumDeviation: least, minimumRelativeDeviation: share }, unit) {
  const by = [
    least ? `${number(least)}${unit ? ` ${unit}` : ""}` : "",
    share ? `${number(share * 100)} % of it` : "",
  ].filter(Boolean);
  return `${sensitivity ?? "medium"}${by.length ? ` by ${by.join(" and ")}` : ""}`;
}

/** A bound in words: "90", "1.2 x mem|size + 5". */
function boundText(bound, unit = "") {
  if (!bound) return NONE;
  if (bound.type === "learned") return learnedText(bound, unit);
  const tail = unit ? ` ${unit}` : "";
  if (bound.type === "number")
    return bound.value === null || bound.value === undefined
      ? "\u2026"
      : `${number((bound.factor ?? 1) * bound.value + (bound.offset ?? 0))}${tail}`;
  const factor =
    bound.factor !== undefined && bound.factor !== null && bound.factor !== 1 ? `${number(bound.factor)} x ` : "";
  const offset = bound.offset ? ` ${bound.offset < 0 ? "-" : "+"} ${number(Math.abs(bound.offset))}` : "";
  return `${factor}${bound.type === "metric" ? metricName(bound.key || "?|?") : bound.key || "?"}${offset}`;
}

export function levelText(level, condition, unit = "") {
  if (condition.type === "no-data") return level.after ?? "\u2026";
  if (condition.type === "property" && level.text !== undefined && level.text !== null)
    return `\u201c${level.text}\u201d`;
  const upper =
    RANGES.includes(condition.operator) && !isLearned(condition) ? ` to ${boundText(level.upper, unit)}` : "";
  return `${boundText(level.bound, upper ? "" : unit)}${upper}`;
}

const keyText = (condition) =>
  !condition.key ? "\u2026" : condition.type === "property" ? propertyName(condition.key) : metricName(condition.key);

/** What it watches for: "CPU usage above 90 % critical, 80 % warning". */
export function conditionText(condition, unit = "") {
  const levels = byRank(condition.levels ?? []).map((l) => `${levelText(l, condition, unit)} ${l.severity}`);
  if (condition.type === "no-data")
    return `no data of ${condition.key ? keyText(condition) : "anything"} for ${levels.join(", ")}`;
  const operator = isLearned(condition) ? USUAL[condition.operator] : condition.operator;
  return `${keyText(condition)}${condition.instances ? " of each instance" : ""} ${OPERATORS[operator] ?? operator}${isLearned(condition) ? ":" : ""} ${levels.join(", ")}`;
}

export function triggerText(trigger) {
  const { violations = 1, of = violations, minimumDuration = "0s", clearAfter = 1 } = trigger ?? {};
  return `${of === 1 ? "at once" : violations === of ? `${of} in a row` : `${violations} of ${of}`}${/^0/.test(minimumDuration) ? "" : `, at least ${minimumDuration}`}; clear after ${clearAfter}`;
}

/** How many symptoms of it are open, and the worst. */
export function openOf(state) {
  const open = Object.entries(state?.open ?? {}).filter(([, n]) => n > 0);
  return {
    count: open.reduce((n, [, c]) => n + c, 0),
    worst: SEVERITIES.find((s) => open.some(([severity]) => severity === s)) ?? null,
  };
}

/** `[shape, words]` of how it does. */
export function stateOf(threshold) {
  const { state } = threshold;
  if (!threshold.enabled) return ["alike", "disabled"];
  if (state?.error) return ["immediate", state.error];
  if (!state?.tick) return ["unknown", "waiting for its first tick"];
  if (!state.objects) return ["unknown", "no object in scope"];
  const { count, worst } = openOf(state);
  if (count) return [worst === "information" ? "info" : worst, `${plural(count, "symptom")} open`];
  const learning = isLearned(threshold.condition) ? ", or too little learned," : "";
  if (state.unknown >= state.objects) return ["unknown", `no value${learning} for any object`];
  return [
    "alike",
    `${plural(state.objects, "object")} judged${state.unknown ? `, ${state.unknown} without a value${learning ? " or still learning" : ""}` : ""}`,
  ];
}

/** A duration such as "10m" in milliseconds; null when it is none. */
export function millisOf(text) {
  const match = /^(\d{1,8})(ms|s|m|h|d)$/.exec((text ?? "").trim());
  return match ? Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2]] : null;
}
