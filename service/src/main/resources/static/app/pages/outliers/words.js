// Outlier groups and events in words.
import { count, NONE, number, scale, short, withUnit } from "../../core/format.js";
import { isNetwork, kindWord, metricName } from "../../core/metrics.js";
import { DAY, HOUR, clock, date, duration, moment, sameDay } from "../../core/time.js";

/** What a metric is called on every page. */
export const nameOf = (metric) => metricName(metric.key);
export const eventNumber = (event) => `O-${event.number}`;
export const isOver = (event) => event.state === "closed";

/** A value of a metric with its unit. */
export const valueText = (v, metric) => withUnit(v, metric.unit, isNetwork(metric.key));

/** Two ends of a range in one unit and as exact as each other: "88 to 131 Mbit/s"; on request without the unit. */
export function rangeText(low, high, metric, unit = true) {
  if (low === null || high === null || low === undefined || high === undefined) return NONE;
  const s = scale(metric.unit, Math.max(Math.abs(low), Math.abs(high)), isNetwork(metric.key));
  const most = Math.max(Math.abs(low), Math.abs(high)) * s.factor;
  const end = (v) => number(Number((v * s.factor).toFixed(most >= 100 ? 0 : most >= 10 ? 1 : 3)), 3);
  return `${end(low)} to ${end(high)}${unit && s.unit ? ` ${s.unit}` : ""}`;
}

/** What is accepted: "62 to 158 Mbit/s", and of what is never below 0 only how much. */
export function acceptedText(metric) {
  const { lower, upper, centre, value } = metric;
  if (lower < 0 && centre >= 0 && (value ?? 0) >= 0 && upper !== null) return `up to ${valueText(upper, metric)}`;
  return rangeText(lower, upper, metric);
}

/** What is said of two values in the unit of the first: "412 against 104". */
export function againstText(value, centre, metric) {
  const s = scale(metric.unit, Math.max(Math.abs(value ?? 0), Math.abs(centre ?? 0)), isNetwork(metric.key));
  return `${value === null ? NONE : short(value * s.factor)} against ${centre === null ? NONE : short(centre * s.factor)}`;
}

/** How far it is out, as people say it: "4.0 ×", and where a ratio says nothing the difference. */
export function farText({ value, centre, factor }, metric) {
  if (value === null || value === undefined) return "no data";
  if (factor !== null && factor !== undefined && metric.unit !== "%") return `${short(factor)} \u00d7`;
  if (centre === null || centre === undefined) return valueText(value, metric);
  const by = value - centre;
  return `${by < 0 ? "-" : "+"}${metric.unit === "%" ? `${short(Math.abs(by))} pts` : valueText(Math.abs(by), metric)}`;
}

/** A score with one digit behind the point, from ten on with none. */
export const scoreText = (score) =>
  score === null || score === undefined
    ? NONE
    : Math.abs(score) < 9.95
      ? Math.abs(score).toFixed(1)
      : number(Math.round(Math.abs(score)));

/** How long an event has lasted, or did. */
export const lasted = (event) => (event.closedAt ? Date.parse(event.closedAt) : Date.now()) - Date.parse(event.since);

/** "35 min ago", "3 h ago", "2 d ago". */
export function agoText(time) {
  if (!time) return NONE;
  const ms = Math.max(0, Date.now() - Date.parse(time));
  const unit = ms >= 2 * DAY ? DAY : ms >= 2 * HOUR ? HOUR : 1;
  return `${duration(Math.floor(ms / unit) * unit)} ago`;
}

/** A clock time today, else the date. */
export const sinceText = (time) =>
  sameDay(Date.parse(time), Date.now()) ? clock(Date.parse(time)) : date(Date.parse(time));

const CLOSED = {
  returned: "back among its peers",
  expected: "expected",
  left: "left the group",
  "object-gone": "the object is gone",
  "definition-changed": "its group was changed",
  "definition-disabled": "its group was switched off",
  "definition-deleted": "its group was deleted",
};
export const closedWords = (event) => CLOSED[event.closeReason] ?? "";

/** A name within a sentence: "CPU usage", but "multipath policy". */
export const lowered = (name) => name.replace(/^([A-Z])([a-z])/, (_, a, b) => a.toLowerCase() + b);

/** A value of a property; one that is empty is said to be. */
export const propertyText = (value) => (value.trim() ? value : "empty");

/** Whether it is about properties of its member, and no metric. */
export const isOfConfiguration = (event) => event.evidence === "configuration";

/** What an event is: the member or the group, and on which side of what. */
export function eventWords(event) {
  const [metric] = event.metrics;
  if (isOfConfiguration(event)) {
    const [first, ...rest] = event.properties;
    return first
      ? `${lowered(first.name)} ${propertyText(first.value)}, not ${propertyText(first.common)}${rest.length ? ` and ${rest.length} more` : ""}`
      : "configured unlike its peers";
  }
  const side = event.side === "high" ? "above" : "below";
  const name = metric ? lowered(nameOf(metric)) : "values";
  if (event.evidence === "unusual") return `the whole group is ${side} what is usual in ${name}`;
  return event.object
    ? `${name} ${metric?.factor ? `${short(metric.factor)} \u00d7, ` : ""}${side} its peers`
    : `the whole group ${event.side === "high" ? "rose" : "fell"} in ${name}`;
}

export const subjectOf = (event) => event.object?.name ?? event.group.name;

/** How an event stands: "open, 1 h 20 min", "12 Nov, 45 min". */
export function standing(event) {
  const flaps = event.flaps ? `, flapped ${event.flaps}\u00d7` : "";
  if (!isOver(event))
    return `${event.state === "unknown" ? "no data now" : "open"}, ${duration(lasted(event))}${flaps}`;
  return `${date(Date.parse(event.since))}, ${duration(lasted(event))}${flaps}`;
}

const MEMBERS = {
  deviant: "open",
  unknown: "no data now",
  expected: "expected",
  excluded: "different, not compared",
  alike: "alike",
};
const REASONS = {
  "no-data": "no data",
  new: "new, too little is known",
  group: "the group was not judged",
  excluded: "different, not compared",
};

/** The state of a member in words. */
export function memberWords(member) {
  if (member.state === "deviant" && member.since) return `open since ${moment(Date.parse(member.since))}`;
  if (member.state === "expected")
    return `expected until ${member.expectedUntil ? moment(Date.parse(member.expectedUntil)) : "somebody says otherwise"}`;
  if (member.state !== "not-judged") return MEMBERS[member.state] ?? member.state;
  if (member.reason === "no-data" && member.lastValue) return `silent since ${moment(Date.parse(member.lastValue))}`;
  return REASONS[member.reason] ?? "not judged";
}

export const memberShape = (member) =>
  ({ deviant: "immediate", unknown: "unknown", "not-judged": "unknown" })[member.state] ?? "alike";

/** "11 of 12 VMs judged, every 5 min". */
export function judgedText(group) {
  const { judged, members } = group.now;
  const of = kindWord(group.objectKind.objectKind, members).replace(
    /^([A-Z])([a-z])/,
    (_, a, b) => a.toLowerCase() + b,
  );
  return `${judged === members ? count(judged) : `${count(judged)} of ${count(members)}`} ${of} judged, every ${duration(group.bucketMillis)}`;
}

/** What is usual for the middle of a group now, or how far that is learned; empty where nobody asked. */
export function usualText(metric) {
  const { usual } = metric;
  if (!usual) return "";
  if (usual.upper === null)
    return `learning what is usual, day ${Math.min(usual.neededDays, Math.floor(usual.learnedDays) + 1)} of ${usual.neededDays}`;
  return `median usually ${acceptedText({ ...metric, lower: usual.lower, upper: usual.upper, value: null })} at this hour`;
}

/** @type {[string, string, number][]} */
export const SENSITIVITIES = [
  ["low", "Low", 6],
  ["medium", "Medium", 4.5],
  ["high", "High", 3.5],
];

/** The name of a sensitivity, "Medium", or its number. */
export const sensitivityName = (value) => SENSITIVITIES.find(([, , v]) => Math.abs(v - value) < 0.005)?.[1] ?? "Own";

const EDITABLE = [
  "name",
  "description",
  "enabled",
  "objectKind",
  "scope",
  "side",
  "method",
  "sensitivity",
  "bucket",
  "evaluationDelay",
  "opens",
  "closesAfter",
  "groupEvent",
  "properties",
  "configuration",
  "alert",
];

/** A group as it is sent: what people may write of it. */
export function groupEdit(group) {
  const edit = Object.fromEntries(
    EDITABLE.filter((f) => group[f] !== undefined && group[f] !== null).map((f) => [f, group[f]]),
  );
  return {
    ...edit,
    metrics: group.metrics.map(({ key, minDeviation, transform }) => ({
      key,
      ...(minDeviation === null || minDeviation === undefined ? {} : { minDeviation }),
      ...(transform ? { transform } : {}),
    })),
  };
}
