// Entries of the audit log in words, and where what they are about is shown.
import { html, nothing } from "../core/html.js";
import { href } from "../core/url.js";
import { shape } from "./shapes.js";

/** Sorts of things, as the log names them, with their words. */
export const KINDS = [
  ["alerts", "Alerts"],
  ["alert-definitions", "Alert definitions"],
  ["audit", "Audit log"],
  ["changes", "Recorded changes"],
  ["dashboards", "Dashboards"],
  ["deliveries", "Deliveries"],
  ["groups", "Custom groups"],
  ["ingest", "Ingest"],
  ["jobs", "Jobs"],
  ["learning", "Learning"],
  ["lookups", "Lookup tables"],
  ["maintenance-windows", "Maintenance windows"],
  ["networks", "Networks"],
  ["notification-relays", "Relays"],
  ["notification-rules", "Notification rules"],
  ["notification-targets", "Targets"],
  ["notification-templates", "Templates"],
  ["outlier-events", "Outlier events"],
  ["outlier-groups", "Outlier groups"],
  ["playlists", "Playlists of walls"],
  ["rules", "Files of rules"],
  ["secrets", "Secrets"],
  ["session", "Sign-in"],
  ["settings", "Settings"],
  ["silences", "Silences"],
  ["sources", "Sources"],
  ["super-metrics", "Super metrics"],
  ["reports", "Reports"],
  ["talker-reports", "Talker reports"],
  ["thresholds", "Thresholds"],
  ["tokens", "Tokens"],
  ["views", "Views"],
];
export const kindName = (kind) => KINDS.find(([k]) => k === kind)?.[1] ?? kind ?? "";

const PAGES = {
  alerts: "/alerts/",
  "alert-definitions": "/thresholds/definitions/",
  dashboards: "/dashboards/",
  groups: "/settings/groups/",
  "maintenance-windows": "/settings/maintenance/",
  "notification-relays": "/notifications/relays/",
  "notification-rules": "/notifications/rules/",
  "notification-targets": "/notifications/targets/",
  "notification-templates": "/notifications/templates/",
  deliveries: "/notifications/deliveries/",
  "outlier-events": "/outliers/events/",
  "outlier-groups": "/outliers/",
  playlists: "/walls/",
  silences: "/notifications/silences/",
  "super-metrics": "/super-metrics/",
  reports: "/reports/",
  "talker-reports": "/top-talkers/reports/",
  thresholds: "/thresholds/",
};
const LISTS = { tokens: "/settings", settings: "/settings", networks: "/top-talkers/networks", sources: "/sources" };

/** The page of what an entry is about; null when there is none, or no longer. */
export function pageOf(e) {
  if (e.operation.startsWith("delete") || e.outcome === "refused" || e.operation.endsWith("Pack")) return null;
  if (PAGES[e.kind] && e.object) return href(PAGES[e.kind] + e.object);
  return LISTS[e.kind] ? href(LISTS[e.kind]) : null;
}

/** "putNotificationRule" as "put notification rule". */
const split = (operation) => operation.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
const VERBS = { put: "change" };
export function operationWords(operation) {
  if (operation === "authenticate") return "Credentials not accepted";
  if (operation === "relay") return "Alert of another system";
  if (operation === "listAudit") return "Save the audit log";
  const [verb, ...rest] = split(operation).split(" ");
  const text = [VERBS[verb] ?? verb, ...rest].join(" ");
  return text[0].toUpperCase() + text.slice(1);
}

export const OUTCOMES = [
  ["succeeded", "succeeded"],
  ["refused", "refused"],
  ["failed", "failed"],
  ["unknown", "not known"],
];
const SHAPES = { succeeded: "alike", refused: "warning", failed: "info", unknown: "unknown" };
export const outcomeWord = (outcome) => OUTCOMES.find(([o]) => o === outcome)?.[1] ?? outcome;
export const outcomeShape = (outcome, size = 11) => shape(SHAPES[outcome] ?? "unknown", size, outcomeWord(outcome));

/** How it ended: of a success nothing more is to be said. */
export const outcomeText = (e) =>
  e.outcome === "succeeded"
    ? ""
    : `${outcomeWord(e.outcome)}${e.error ? `, ${e.error}` : ""}${e.count > 1 ? `, ${e.count} times` : ""}`;

export const who = (e) =>
  e.tokenName ?? (e.kind === "notification-relays" || e.operation === "relay" ? "another system" : "nobody known");

/** What it was about, in a few words. */
export function what(e) {
  if (e.objectName) return e.objectName;
  if (e.object) return e.object;
  const n = e.related.length;
  return n > 1 ? `${n} things` : "";
}

export const versions = (e) =>
  e.versionAfter === null
    ? ""
    : e.versionBefore === null
      ? `${e.versionAfter}`
      : `${e.versionBefore} \u2192 ${e.versionAfter}`;

const plain = (v) =>
  v === null
    ? "none"
    : Array.isArray(v)
      ? v.map(plain).join(", ")
      : typeof v === "object"
        ? Object.entries(v)
            .map(([k, x]) => `${k} ${plain(x)}`)
            .join(", ")
        : String(v);
export const detailLines = (e) =>
  Object.entries(e.details).map(([key, value]) => [
    key.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase(),
    plain(value),
  ]);

/** One entry of a short list. */
export const entryLine = (e, when) =>
  html`<div class="list-row" title=${`${e.tokenName ?? ""} ${e.address ?? ""} ${outcomeText(e)}`}>
    ${outcomeShape(e.outcome)}
    <span class="m nw">${when}</span>
    <b class="cut">${who(e)}</b>
    <span class="cut"
      >${operationWords(e.operation)}${e.versionAfter
        ? html` <span class="m">version ${e.versionAfter}</span>`
        : nothing}${e.outcome === "succeeded" ? nothing : html` <span class="m">${outcomeText(e)}</span>`}</span
    >
  </div>`;
