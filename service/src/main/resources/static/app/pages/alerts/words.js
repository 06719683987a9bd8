// Alerts in words, and the filter of their list: words for free text, `key:value` for the rest.
import { kindWord } from "../../core/metrics.js";
import { SEVERITIES, titleOf } from "../../core/severity.js";
import { session } from "../../core/session.js";
import { clock, date, HOUR, moment, sameDay } from "../../core/time.js";
import { words } from "../../core/filter.js";

export const numberOf = (alert) => `A-${alert.number}`;
export const isClosed = (alert) => alert.state === "canceled";

/** From the first sample that was over until it closed, or until now. */
export const openFor = (alert) =>
  (alert.canceledAt ? Date.parse(alert.canceledAt) : Date.now()) - Date.parse(alert.since);

const REASONS = {
  cleared: "it cleared",
  "definition-changed": "its rule was changed",
  "definition-deleted": "its rule was deleted",
  "definition-disabled": "its rule was switched off",
  "out-of-scope": "the object left the scope",
  "object-gone": "the object is gone",
  "object-removed": "the object was removed at its source",
  "by-hand": "somebody canceled it",
};
const closedBecause = (alert) => REASONS[alert.cancelReason] ?? "";

/** The end of the silence that holds its notifications back, who made it and why; empty when there is none. */
export const silencedWords = ({ silence }) =>
  silence ? `silenced until ${moment(Date.parse(silence.until))} by ${silence.by}: ${silence.comment}` : "";

/** What beside its severity there is to know of an alert's state, in a few words; empty for a plain open one. */
export function stateWords(alert) {
  return [controlWords(alert), silencedWords(alert)].filter(Boolean).join("; ");
}

/** The same without its silence. */
export function controlWords(alert) {
  if (isClosed(alert))
    return [`closed ${moment(Date.parse(alert.canceledAt))}`, closedBecause(alert)].filter(Boolean).join(", ");
  if (alert.controlState === "suspended")
    return `suspended until ${alert.suspendedUntil ? moment(Date.parse(alert.suspendedUntil)) : "somebody resumes it"}`;
  if (alert.controlState === "suppressed")
    return `suppressed by maintenance${alert.maintenance ? `: ${alert.maintenance.name}` : ""}`;
  if (alert.controlState === "acknowledged")
    return `acknowledged by ${alert.acknowledgedBy ?? "somebody"}${alert.acknowledgedAt ? `, ${moment(Date.parse(alert.acknowledgedAt))}` : ""}`;
  return "";
}

const IS = {
  acknowledged: (a) => a.controlState === "acknowledged",
  new: (a) => Date.now() - Date.parse(a.openedAt) < HOUR,
  flapping: (a) => a.flapping || a.flaps > 0,
  unknown: (a) => a.unknown,
  mine: (a) => a.owner !== null && a.owner === session.info?.name,
  suppressed: (a) => a.controlState === "suppressed",
  silenced: (a) => Boolean(a.silence),
};
const IMPACTS = ["health", "risk", "efficiency"];

const TOKENS = {
  severity: { test: (a, v) => a.severity === v, values: SEVERITIES },
  is: { test: (a, v) => IS[v](a), values: Object.keys(IS) },
  impact: { test: (a, v) => a.impact === v, values: IMPACTS },
  owner: { test: (a, v) => (v === "nobody" ? !a.owner : a.owner === v), of: (a) => a.owner ?? "nobody" },
  kind: {
    test: (a, v) => a.object.objectKind === v || kindWord(a.object.objectKind) === v,
    of: (a) => a.object.objectKind,
  },
  object: { test: (a, v) => a.object.name === v, of: (a) => a.object.name },
  rule: { test: (a, v) => a.definition.name === v, of: (a) => a.definition.name },
};

/**
 * `{ matches, unknown, severities, query }`: several values of a key are alternatives; `query` is what the server can
 * filter by.
 */
export function parseFilter(text) {
  const free = [];
  const chosen = new Map();
  const unknown = [];
  for (const word of words(text)) {
    const colon = word.indexOf(":");
    const key = word.slice(0, Math.max(0, colon));
    const token = Object.hasOwn(TOKENS, key) ? TOKENS[key] : null;
    const value = word.slice(colon + 1);
    if (!token) free.push(word.toLowerCase());
    else if (!value || (token.values && !token.values.includes(value))) unknown.push(word);
    else chosen.set(key, [...(chosen.get(key) ?? []), value]);
  }
  const holds = (alert, skipped) => {
    for (const [key, values] of chosen)
      if (key !== skipped && !values.some((v) => TOKENS[key].test(alert, v))) return false;
    const all = free.length
      ? `${numberOf(alert)} ${titleOf(alert)} ${alert.definition.name} ${alert.object.name} ${alert.owner ?? ""}`.toLowerCase()
      : "";
    return free.every((w) => all.includes(w));
  };
  const query = {
    q: free.join(" ") || undefined,
    severity: chosen.get("severity"),
    impact: chosen.get("impact"),
    objectKind: chosen.get("kind"),
  };
  return { matches: (a) => holds(a), matchesBut: holds, unknown, query, empty: !chosen.size && !free.length };
}

const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);

export function completions(text, alerts) {
  const last = text.split(/\s+/).at(-1) ?? "";
  const values = ([key, token]) =>
    [...new Set(token.values ?? alerts.map(token.of))].sort().map((v) => `${key}:${quoted(v)}`);
  const typed = last.toLowerCase();
  return Object.entries(TOKENS)
    .flatMap(values)
    .filter((o) => o !== last && o.toLowerCase().includes(typed))
    .slice(0, 10);
}

/** When a closed alert was open, for the rows at the end: "13:20 to 13:55"; with both dates when these differ. */
export function spanText(alert) {
  const [since, until] = [Date.parse(alert.since), Date.parse(alert.canceledAt)];
  return `${moment(since)} to ${sameDay(since, until) ? "" : `${date(until)} `}${clock(until)}`;
}
