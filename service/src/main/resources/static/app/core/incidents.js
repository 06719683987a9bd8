// Incidents: alerts that share a cause, as the service keeps them, and how they read.
import { get } from "./api.js";
import { plural } from "./format.js";
import { kindWord } from "./metrics.js";
import { MINUTE } from "./time.js";

/** "I-7", as people write it. */
export const incidentNumber = (incident) => `I-${incident.number ?? incident}`;

export const getIncident = (number, signal) => get(`/incidents/${number}`, {}, signal);

/** At most two signs of five: the cause is possible, no more. */
export const isSure = (incident) => Boolean(incident.cause) && incident.confidence !== "low";

/** A kind of object within a sentence: "host", but "VM". */
export const smallKind = (kind, n) => kindWord(kind, n).replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());

/** "33 alerts: 5 on the host, 28 on its VMs" */
export function effectsText(cause, effects) {
  const own = effects.filter((a) => a.object.id === cause.object.id).length;
  const kinds = Map.groupBy(
    effects.filter((a) => a.object.id !== cause.object.id),
    (a) => a.object.objectKind,
  );
  const words = [
    ...(own ? [`${own} on the ${smallKind(cause.object.objectKind, 1)}`] : []),
    ...[...kinds].map(([kind, of]) => `${of.length} on ${smallKind(kind, 2)}`),
  ];
  return `${plural(effects.length, "alert")}: ${words.join(", ")}`;
}

/** What of an incident without a cause its alerts have in common. */
export function commonText(alerts) {
  const times = alerts.map((a) => Date.parse(a.since));
  const minutes = Math.max(1, Math.round((Math.max(...times) - Math.min(...times)) / MINUTE));
  return `${plural(alerts.length, "alert")} of one rule, begun within ${minutes} min; no alert explains them`;
}

const minutes = (ms) => `${Math.max(1, Math.round(ms / MINUTE))} min`;

/** The five signs of a cause: `[sign, holds, title, words]`. */
export function signLines(incident, alerts) {
  const effects = alerts.filter((a) => a.id !== incident.cause.id);
  const since = Date.parse(incident.cause.since);
  const times = effects.map((a) => Date.parse(a.since));
  const first = Math.min(...times);
  const soon = times.filter((t) => t <= since + 30 * MINUTE).length;
  const objects = new Set(effects.map((a) => a.object.id)).size;
  const has = (sign) => incident.signs.includes(sign);
  const known = effects.length > 0;
  return [
    [
      "before",
      has("before"),
      "Before",
      !known
        ? ""
        : has("before")
          ? first > since
            ? `it began ${minutes(first - since)} before what it explains.`
            : "nothing that it explains began earlier."
          : `the first of what it explains began ${minutes(since - first)} earlier.`,
    ],
    [
      "in-step",
      has("in-step"),
      "In step",
      known ? `${soon} of ${effects.length} began within half an hour of it.` : "",
    ],
    [
      "only-here",
      has("only-here"),
      "Only here",
      has("only-here")
        ? "alerts of the same rules are open hardly anywhere else."
        : "alerts of the same rules are open elsewhere too.",
    ],
    ["spread", has("spread"), "Spread", known ? `it explains alerts of ${plural(objects, "object")}.` : ""],
    ["fits", has("fits"), "Fits", "trouble of its kind leads to theirs."],
  ];
}
