// What a new group begins with, and its fields in words.
import { number, plural } from "../../core/format.js";
import { kindWord, metricName } from "../../core/metrics.js";
import { cleanScope, scopeWords } from "../shared/scope-fields.js";

export const BUCKETS = ["1m", "2m", "5m", "10m", "15m", "30m", "1h"];
export const METHODS = [
  ["peers", "Peers and past"],
  ["dbscan", "DBSCAN"],
  ["mad", "MAD"],
];

export const BLANK = {
  name: "",
  description: null,
  enabled: true,
  objectKind: null,
  scope: {},
  metrics: [],
  side: "both",
  method: { type: "peers" },
  sensitivity: "medium",
  bucket: "5m",
  evaluationDelay: "1m",
  opens: { violations: 3, of: 4 },
  closesAfter: 6,
  groupEvent: null,
  properties: [],
  configuration: {},
  alert: { severity: "immediate", impact: "health", recommendations: [] },
};

export const FIELDS = {
  name: "Name",
  description: "What it is for",
  enabled: "Judged",
  objectKind: "Object kind",
  scope: "Members",
  metrics: "Compared in",
  side: "Which side counts",
  method: "Method",
  sensitivity: "Sensitivity",
  bucket: "Bucket",
  evaluationDelay: "Waits for late values",
  opens: "Opens with",
  closesAfter: "Closes after",
  groupEvent: "The group as a whole",
  properties: "Properties",
  configuration: "Differs in properties",
  alert: "Raises",
};

const filled = (o) => Object.fromEntries(Object.entries(o).filter(([, v]) => v !== null && v !== undefined));

/** A group as it is sent, without parts that say nothing. */
export function cleanGroup({ alert, description, groupEvent, properties, configuration, ...body }) {
  return {
    ...body,
    scope: cleanScope(body.scope),
    method: filled(body.method),
    sensitivity: String(body.sensitivity),
    metrics: (body.metrics ?? []).map(({ key, minDeviation, transform }) => filled({ key, minDeviation, transform })),
    ...(description ? { description } : {}),
    ...(groupEvent ? { groupEvent: filled(groupEvent) } : {}),
    ...(properties?.length
      ? {
          properties: properties.map(({ pattern, accept }) => ({ pattern, ...(accept?.length ? { accept } : {}) })),
          configuration: filled(configuration ?? {}),
        }
      : {}),
    ...(alert
      ? { alert: filled({ ...alert, recommendations: (alert.recommendations ?? []).filter((r) => r.trim()) }) }
      : {}),
  };
}

export function shownField(name, v) {
  if (name === "scope") return scopeWords(v, "every object of the kind");
  if (name === "metrics")
    return (v ?? [])
      .map(
        (m) =>
          `${metricName(m.key)}${m.minDeviation === null || m.minDeviation === undefined ? "" : `, at least ${m.minDeviation}`}`,
      )
      .join("; ");
  if (name === "objectKind") return v?.objectKind ?? "none";
  if (name === "method") return Object.values(filled(v ?? {})).join(", ");
  if (name === "opens") return v ? `${v.violations} of ${v.of} buckets` : "";
  if (name === "groupEvent")
    return v
      ? `${v.sensitivity ?? "medium"}${v.minimumRelativeDeviation ? `, ${number(v.minimumRelativeDeviation * 100)} % beyond` : ""}`
      : "not held against its past";
  if (name === "properties")
    return (
      (v ?? []).map((p) => `${p.pattern}${p.accept?.length ? `, accepting ${p.accept.join(", ")}` : ""}`).join("; ") ||
      "none"
    );
  if (name === "configuration") {
    const { majority = 0.8, fewest = 5, lasts = "1h" } = filled(v ?? {});
    return `${number(majority * 100)} % of at least ${fewest} members, for ${lasts}`;
  }
  if (name === "alert")
    return v
      ? `${v.severity}, ${v.impact}${v.recommendations?.length ? `, ${plural(v.recommendations.length, "recommendation")}` : ""}`
      : "no alert";
  if (name === "enabled") return v ? "yes" : "no";
  return `${v ?? ""}` || "none";
}

/**
 * A name from a scope: "shop/web" for the tags app=shop and tier=web, "kiosk" for names like kiosk-*; empty when it
 * says nothing.
 */
export function proposedName(scope, kind) {
  const parts = [
    ...(scope.tags ?? []).map((t) => t.split("=").at(-1)),
    ...(scope.properties ?? []).map((p) => p.split("=").at(-1)),
    ...(scope.name ? [scope.name.replace(/[*?]+/g, "").replace(/[-_. ]+$/, "")] : []),
  ].filter(Boolean);
  return parts.length ? parts.join("/") : Object.keys(scope).length && kind ? kindWord(kind.objectKind, 2) : "";
}
