// What templates and conditions see of an alert, as paths: those of a real alert with their values, and those that
// every alert has.
import { get, post } from "../core/api.js";

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MOST = 60;
const DEEPEST = 6;

/** Paths that every alert has, with what they hold; those of a real alert stand before them. */
const USUAL = {
  event: "NEW, UPDATE or CANCEL",
  change: "what happened: opened, severity, canceled \u2026",
  source: "peerlens, notices or a relay",
  now: "milliseconds since 1970",
  "alert.id": "id",
  "alert.number": "its short number",
  "alert.name": "name",
  "alert.definitionId": "id of what raised it",
  "alert.definitionDescription": "what its rule says",
  "alert.status": "ACTIVE or CANCELED",
  "alert.controlState": "OPEN, ACKNOWLEDGED \u2026",
  "alert.criticality": "INFORMATION to CRITICAL",
  "alert.type": "type",
  "alert.subType": "subtype",
  "alert.impact": "HEALTH, RISK or EFFICIENCY",
  "alert.since": "first value that led to it, milliseconds",
  "alert.startTime": "when it opened, milliseconds",
  "alert.updateTime": "milliseconds",
  "alert.cancelTime": "milliseconds",
  "alert.duration": "how long it lasted, milliseconds",
  "alert.cancelReason": "why it is over",
  "alert.info": "what is the matter",
  "alert.explanation": "the explanation",
  "alert.url": "its page",
  "alert.symptoms": "a list",
  "alert.recommendations": "a list of texts",
  "alert.health": "1 to 4",
  "alert.risk": "1 to 4",
  "alert.efficiency": "1 to 4",
  "alert.owner": "who has it",
  "alert.notificationCount": "how often it was sent",
  "alert.externalIds": "what receivers call it",
  "object.id": "id",
  "object.name": "name",
  "object.kind": "such as VirtualMachine",
  "object.kindName": "in words",
  "object.adapterKind": "such as VMWARE",
  "object.adapterInstance": "where it was collected",
  "object.properties": "by name",
  "object.tags": "by name",
  "object.metrics": "values by key",
  "object.superMetrics": "values by name",
  "object.parents": "a list",
  "object.ancestors": "by kind",
  "incident.name": "I-7; of an alert in none, incident is null",
  "incident.number": "its number",
  "incident.title": "what is the matter",
  "incident.sentence": "size and likely cause",
  "incident.criticality": "INFORMATION to CRITICAL",
  "incident.status": "OPEN or CLOSED",
  "incident.since": "milliseconds",
  "incident.confidence": "low, medium or high",
  "incident.cause.name": "rule of the cause",
  "incident.cause.object": "object of the cause",
  "incident.alertCount": "how many",
  "incident.objectCount": "how many",
  "incident.owner": "who has it",
  "incident.url": "its page",
  "rule.id": "id",
  "rule.name": "rule",
  "target.id": "id",
  "target.name": "target",
  "previous.criticality": "told last",
  "previous.info": "told last",
  vars: "values of the rule",
  "group.key": "of a group",
  "group.size": "of a group",
  "group.alerts": "a list",
};

export const step = (name) => (IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

/** The path with one more name behind it. */
export const join = (path, name) => (path ? path + step(name) : step(name).replace(/^\./, ""));

function shown(value) {
  if (value === null) return "nothing here";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "";
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 39)}\u2026` : text;
}

function walk(value, path, depth, found) {
  for (const [name, inner] of Object.entries(value)) {
    const at = join(path, name);
    found.set(at, shown(inner));
    if (depth < DEEPEST && inner && typeof inner === "object" && !Array.isArray(inner))
      walk(inner, at, depth + 1, found);
  }
}

/** All paths with what they hold here: a map from path to text. */
function pathsOf(context) {
  const found = new Map();
  if (context) walk(context, "", 0, found);
  for (const [path, words] of Object.entries(USUAL)) if (!found.has(path)) found.set(path, words);
  return found;
}

const holds = (text, typed) =>
  typed
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean)
    .every((w) => text.toLowerCase().includes(w));
const rank = (label, typed) =>
  (label.toLowerCase().startsWith(typed.toLowerCase()) ? 0 : 1) + (label.split(/[.[]/).length > 3 ? 2 : 0);

/** Those items that hold what was typed, the likeliest first. */
export const fitting = (items, typed) =>
  items
    .filter((i) => holds(i.label, typed))
    .sort((a, b) => rank(a.label, typed) - rank(b.label, typed))
    .slice(0, MOST);

export const pathItems = (context) => [...pathsOf(context)].map(([label, end]) => ({ label, insert: label, end }));

/**
 * What a preview shows of an alert is what completion lists; for conditions outside of templates one is asked for once.
 */
let sample = null;
export async function sampleContext() {
  sample ??= get("/alerts", { limit: 1 })
    .then(({ items }) =>
      post("/notification-templates/preview", {
        template: "generic-json",
        ...(items.length ? { alert: items[0].id } : {}),
      }),
    )
    .then(
      (p) => p.before,
      () => null,
    );
  return sample;
}
