// Severities in their order, and how figures and bounds of alerts read.
import { beside, NONE, withUnit } from "./format.js";
import { isNetwork, metricName, propertyName } from "./metrics.js";

/** Worst first, as every list has them. */
export const SEVERITIES = ["critical", "immediate", "warning", "information"];

/** 4 for critical down to 1 for information, 0 for none or one that is not known. */
export const rank = (severity) => {
  const at = SEVERITIES.indexOf(severity);
  return at < 0 ? 0 : SEVERITIES.length - at;
};

export const worse = (a, b) => (rank(a) >= rank(b) ? a : b);

/** The token of a severity's lines and marks. */
export const MARKS = {
  critical: "--critical",
  immediate: "--immediate-mark",
  warning: "--warning-mark",
  information: "--info",
};

export const OPERATORS = {
  gt: "above",
  ge: "at least",
  lt: "below",
  le: "at most",
  eq: "equal to",
  ne: "other than",
  inside: "within",
  outside: "outside",
  "gt-usual": "above the usual",
  "lt-usual": "below the usual",
  "outside-usual": "outside the usual",
  contains: "containing",
  "not-contains": "not containing",
  "starts-with": "starting with",
  "not-starts-with": "not starting with",
  "ends-with": "ending with",
  "not-ends-with": "not ending with",
  matches: "matching",
  "not-matches": "not matching",
};

/** What a finding (an alert, one of its members, a step of its history) says now: "97.1 %", a text, "no data". */
export function found({ value, text, unknown, bound, upper }, unit, key = "") {
  if (unknown) return "no data";
  if (text !== null && text !== undefined) return text;
  return value === null || value === undefined
    ? NONE
    : beside(value, upper !== null && upper !== undefined && value >= upper ? upper : bound, unit, isNetwork(key));
}

/**
 * What it is judged against: "above 90 %", "outside 2 to 8 ms".
 * @param {{bound: any, upper?: any}} limits
 * @param {string} operator
 * @param {string} unit
 */
export function against({ bound, upper }, operator, unit, key = "") {
  if (bound === null || bound === undefined) return "";
  const words = OPERATORS[operator] ?? "";
  const of = (v) => withUnit(v, unit, isNetwork(key));
  return upper === null || upper === undefined ? `${words} ${of(bound)}` : `${words} ${of(bound)} to ${of(upper)}`;
}

/** The same for a narrow column: of a usual range only the end that was left, "above 32.8 %". */
export function againstShort({ bound, upper }, operator, unit, key = "") {
  const side = /^(gt|lt|outside)-usual$/.exec(operator ?? "")?.[1];
  if (!side || upper === null || upper === undefined) return against({ bound, upper }, side ?? operator, unit, key);
  return against(side === "outside" ? { bound, upper } : { bound: side === "gt" ? upper : bound }, side, unit, key);
}

/** On which side of its peers an alert of an outlier group has its object. */
function side({ operator, value, bound, upper }) {
  const known = { gt: "above", ge: "above", lt: "below", le: "below" }[operator];
  if (known) return known;
  if (value === null || value === undefined) return "unlike";
  return upper !== null && upper !== undefined && value > upper
    ? "above"
    : bound !== null && bound !== undefined && value < bound
      ? "below"
      : "unlike";
}

/**
 * What an alert is called: by its rule, and of an outlier group, whose name says nothing of it, by what it found:
 * "Network sent above its peers".
 */
export const titleOf = (alert) =>
  alert.definition.source === "outlier-group"
    ? `${alert.key ? (alert.text ? propertyName(alert.key) : metricName(alert.key)) : "Values"} ${side(alert)} its peers`
    : alert.definition.name;
