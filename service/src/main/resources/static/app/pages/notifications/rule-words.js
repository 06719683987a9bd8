// Notification rules in words, and what of them is sent back.
import { SEVERITIES } from "../../core/severity.js";
import { kindWord } from "../../core/metrics.js";
import { DAYS } from "../settings/maintenance-words.js";
import { eventWord } from "./words.js";
import { cleanScope, isEverything, scopeWords } from "../shared/scope-fields.js";

export const USUAL_CHANGES = ["severity", "resend", "update"];
export const CHANGES = [
  ["severity", "its severity"],
  ["members", "its symptoms"],
  ["acknowledged", "acknowledged"],
  ["unacknowledged", "no longer acknowledged"],
  ["assigned", "taken or assigned"],
  ["released", "given back"],
  ["suspended", "suspended"],
  ["resumed", "resumed"],
  ["suppressed", "held by maintenance"],
  ["unsuppressed", "maintenance over"],
  ["flapping", "flapping"],
  ["note", "a note"],
  ["resend", "said again"],
  ["update", "changed elsewhere"],
];

export const BLANK = {
  name: "",
  description: null,
  enabled: true,
  order: 100,
  continue: true,
  scope: {},
  events: [],
  changes: [],
  severities: null,
  types: [],
  subTypes: [],
  impacts: [],
  definitions: [],
  controlStates: [],
  objectKinds: [],
  sources: [],
  when: null,
  windows: null,
  template: "generic-json",
  targets: [],
  vars: {},
  delay: null,
  resend: null,
  group: null,
  sampling: 100,
};

export const FIELDS = {
  name: "Name",
  description: "What it is for",
  enabled: "Enabled",
  order: "Order",
  continue: "Goes on",
  scope: "Objects",
  events: "Events",
  changes: "Updates",
  severities: "Severities",
  types: "Types",
  subTypes: "Subtypes",
  impacts: "Impacts",
  definitions: "Definitions",
  controlStates: "Control states",
  objectKinds: "Object kinds",
  sources: "Sources",
  when: "Condition",
  windows: "Windows",
  template: "Template",
  targets: "Targets",
  vars: "Values",
  delay: "Delay",
  resend: "Resend",
  group: "Grouping",
  sampling: "Sampling",
};

const filled = (v) =>
  v !== null &&
  v !== undefined &&
  v !== "" &&
  !(Array.isArray(v) && !v.length) &&
  !(typeof v === "object" && !Array.isArray(v) && !Object.keys(v).length);

/** What can be changed of a rule, without what says nothing. */
export function editOf(rule) {
  const { windows, scope, ...rest } = Object.fromEntries(Object.keys(BLANK).map((name) => [name, rule[name]]));
  const kept = Object.fromEntries(Object.entries(rest).filter(([, v]) => filled(v)));
  const wins = Object.fromEntries(Object.entries(windows ?? {}).filter(([, v]) => filled(v)));
  return {
    ...kept,
    template: rule.template,
    targets: rule.targets,
    ...(isEverything(scope) ? {} : { scope: cleanScope(scope) }),
    ...(filled(wins) ? { windows: wins } : {}),
  };
}

const either = (list) => (list.length > 2 ? `${list.slice(0, -1).join(", ")} or ${list.at(-1)}` : list.join(" or "));

function severityWords(s) {
  if (!s) return "";
  if (s.atLeast)
    return s.atLeast === "information" ? "" : s.atLeast === "critical" ? "critical" : `${s.atLeast} and worse`;
  return either((s.anyOf ?? []).toSorted((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b)));
}

/** Which alerts a rule takes, in one line. */
export function whoWords(rule) {
  const parts = [
    severityWords(rule.severities),
    rule.events?.length ? `only ${either(rule.events.map((e) => eventWord(e).toLowerCase()))}` : "",
    rule.objectKinds?.length ? `of ${either(rule.objectKinds.map((k) => kindWord(k.objectKind, 2)))}` : "",
    rule.impacts?.length ? either(rule.impacts) : "",
    rule.types?.length ? `type ${either(rule.types)}` : "",
    rule.subTypes?.length ? `subtype ${either(rule.subTypes)}` : "",
    rule.definitions?.length
      ? `of ${rule.definitions.length} ${rule.definitions.length === 1 ? "definition" : "definitions"}`
      : "",
    rule.controlStates?.length ? either(rule.controlStates) : "",
    rule.sources?.length ? `from ${either(rule.sources)}` : "",
    isEverything(rule.scope) ? "" : scopeWords(rule.scope),
    rule.when ? `when ${rule.when}` : "",
    rule.sampling < 100 ? `${rule.sampling} % of them` : "",
  ].filter(Boolean);
  return parts.join(", ") || "every alert";
}

function windowWords(w) {
  const days = DAYS.filter(([d]) => w.days.includes(d)).map(([, name]) => name);
  const which =
    days.length === 7
      ? "every day"
      : days.join() === "Mon,Tue,Wed,Thu,Fri"
        ? "Mon to Fri"
        : days.join() === "Sat,Sun"
          ? "at weekends"
          : days.join(", ");
  return `${which} ${w.from} to ${w.to}`;
}

const timesWords = (max) => (max ? `, ${max === 1 ? "once" : `${max} times`}` : "");

/** When it sends, in one line. */
export function whenWords(rule) {
  const parts = [
    rule.delay && rule.delay !== "0s" ? `after ${rule.delay}` : "at once",
    rule.resend ? `again every ${rule.resend.every}${timesWords(rule.resend.max)}` : "",
    rule.group?.by.join() === "incident"
      ? "one for each incident"
      : rule.group
        ? `together by ${rule.group.by.join(", ") || "rule"}`
        : "",
    rule.windows?.active?.length ? `only ${rule.windows.active.map(windowWords).join(" or ")}` : "",
    rule.windows?.mute?.length ? `not ${rule.windows.mute.map(windowWords).join(" nor ")}` : "",
  ].filter(Boolean);
  return parts.join(", ");
}

/** A field of a rule as the comparison of two versions shows it. */
export function shown(name, v) {
  if (name === "scope") return scopeWords(v, "every object");
  if (name === "severities") return severityWords(v) || "every";
  if (name === "windows") return whenWords({ windows: v }).replace(/^at once(, )?/, "") || "always";
  if (name === "resend") return v ? `every ${v.every}` : "never";
  if (name === "group") return v ? `by ${v.by.join(", ")}` : "no";
  if (name === "objectKinds") return (v ?? []).map((k) => k.objectKind).join(", ") || "every";
  if (name === "changes") return (v?.length ? v : USUAL_CHANGES).join(", ");
  if (name === "targets") return v?.join(", ") || "none";
  if (name === "enabled" || name === "continue") return v ? "yes" : "no";
  if (name === "vars")
    return (
      Object.entries(v ?? {})
        .map(([k, x]) => `${k} = ${x}`)
        .join(", ") || "none"
    );
  return Array.isArray(v) ? v.join(", ") || "every" : `${v ?? ""}` || "none";
}
