// The kinds of steps of a template: which fields they have, how they begin, and how they read until the service has
// said it.

// A field is [name, label, type, hint]: path, paths, text, value, number, flag, map (names and values), patterns, cel,
// zone.
const FIELD = ["field", "Field", "path", "alert.info"];
const DEFAULT = ["default", "Else", "value", "nothing: the step is skipped"];

/** Kinds in the order in which they are offered. `first` is what a new one holds. */
export const KINDS = {
  set: {
    verb: "Set",
    does: "give a field a value",
    fields: [FIELD, ["value", "To", "value", "${alert.name} on ${object.name}"]],
    first: { field: "alert.info", value: "${alert.name} on ${object.name}" },
  },
  default: {
    verb: "Set where empty",
    does: "give a field a value where it has none",
    fields: [FIELD, ["value", "To", "value", "unassigned"]],
    first: { field: "alert.owner", value: "unassigned" },
  },
  add: {
    verb: "Add",
    does: "from the object, what is above it, a tag, a metric or a super metric",
    fields: [
      ["to", "Field", "path", "owner"],
      [
        "from",
        "From the first that has a value",
        "paths",
        "object.tags.owner, object.ancestors.ClusterComputeResource.tags.owner",
      ],
      ["format", "As", "text", "%.1f"],
      DEFAULT,
    ],
    first: {
      to: "owner",
      from: ["object.tags.owner", "object.ancestors.ClusterComputeResource.tags.owner"],
      default: "unassigned",
    },
  },
  lookup: {
    verb: "Look up",
    does: "values in a table",
    fields: [
      ["table", "Table", "table", "runbooks.csv"],
      ["key", "By", "path", "alert.name"],
      ["column", "In column", "text", "the first one"],
      ["set", "Set field = column", "map", "runbook = url"],
      DEFAULT,
    ],
    first: { table: "runbooks.csv", key: "alert.name", set: { runbook: "url" } },
  },
  mapSeverity: {
    verb: "Map severity",
    does: "to the receiver's words",
    fields: [
      ["from", "From", "path", "alert.criticality"],
      ["to", "To field", "path", "severity"],
      ["map", "Word = word", "map", "CRITICAL = critical"],
      DEFAULT,
    ],
    first: {
      to: "severity",
      map: { CRITICAL: "critical", IMMEDIATE: "error", WARNING: "warning", INFORMATION: "info" },
    },
  },
  regexReplace: {
    verb: "Replace",
    does: "what a pattern finds",
    fields: [
      FIELD,
      ["pattern", "Pattern, RE2", "text", "^\\[\\w+\\]\\s*"],
      ["with", "By", "text", "nothing; $1 is a group"],
      DEFAULT,
    ],
    first: { field: "alert.name", pattern: "^\\[\\w+\\]\\s*", with: "" },
  },
  append: {
    verb: "Append",
    does: "a text behind a field",
    fields: [FIELD, ["text", "Text", "text", " (${object.kind})"]],
    first: { field: "alert.name", text: " (${object.kind})" },
  },
  prefix: {
    verb: "Put before",
    does: "a text before a field",
    fields: [FIELD, ["text", "Text", "text", "[${object.tags.env}] "]],
    first: { field: "alert.name", text: "[${object.tags.env}] " },
  },
  date: {
    verb: "Write as time",
    does: "in a format and zone",
    fields: [
      ["field", "Field", "path", "alert.startTime"],
      ["to", "Into", "path", "the same"],
      ["format", "Format", "text", "iso8601, seconds, yyyy-MM-dd HH:mm"],
      ["zone", "Zone", "zone", "UTC"],
      DEFAULT,
    ],
    first: { field: "alert.startTime", to: "since", format: "yyyy-MM-dd HH:mm", zone: "UTC" },
  },
  truncate: {
    verb: "Truncate",
    does: "to a number of characters",
    fields: [FIELD, ["max", "Characters", "number", "1024"], ["ellipsis", "Ends with \u2026", "flag", true]],
    first: { field: "alert.info", max: 1024 },
  },
  redact: {
    verb: "Redact",
    does: "what nobody is to read",
    fields: [
      ["fields", "Fields", "paths", "alert.info"],
      ["patterns", "Patterns, RE2; none hides all", "patterns", "(?i)token=(\\S+)"],
      ["with", "By", "text", "\u2022\u2022\u2022"],
    ],
    first: { fields: ["alert.info"], patterns: ["(?i)token=(\\S+)"] },
  },
  dedupKey: {
    verb: "Build key",
    does: "so that receivers know the alert again",
    fields: [
      ["to", "Field", "path", "dedupKey"],
      ["parts", "From", "paths", "alert.id"],
      ["separator", "Between", "text", ":"],
      ["max", "Longest", "number", "255"],
      ["hash", "As a hash", "flag", false],
    ],
    first: { parts: ["alert.id"] },
  },
  compute: {
    verb: "Compute",
    does: "with an expression in CEL",
    fields: [["to", "Field", "path", "weight"], ["cel", "Expression", "cel", "size(alert.symptoms) * 10"], DEFAULT],
    first: { to: "weight", cel: "size(alert.symptoms)" },
  },
  rename: {
    verb: "Rename",
    does: "move a field",
    fields: [
      ["from", "From", "path", "alert.info"],
      ["to", "To", "path", "details"],
    ],
    first: { from: "alert.info", to: "details" },
  },
  remove: {
    verb: "Remove",
    does: "take fields out",
    fields: [["", "Fields", "paths", "alert.recommendations"]],
    first: ["alert.recommendations"],
  },
  drop: {
    verb: "Send nothing",
    does: "and say why",
    fields: [["", "Why", "text", "of no interest here"]],
    first: "of no interest here",
  },
};

const OPTIONS = ["when", "on", "onError", "enabled"];

/** The kind of a step; null of something that is none. */
export const kindOf = (step) => Object.keys(step ?? {}).find((k) => !OPTIONS.includes(k)) ?? null;

/** The options of a step: when, on, onError, enabled. */
export const optionsOf = (step) =>
  Object.fromEntries(OPTIONS.filter((o) => step?.[o] !== undefined).map((o) => [o, step[o]]));

export const newStep = (kind) => ({ [kind]: structuredClone(KINDS[kind].first) });

/** Without members that say nothing; `body` may be a list or a text. */
export function stepOf(kind, body, options) {
  const clean = (o) =>
    Object.fromEntries(
      Object.entries(o).filter(
        ([, v]) => v !== undefined && v !== "" && v !== null && !(Array.isArray(v) && !v.length),
      ),
    );
  const kept =
    body && typeof body === "object" && !Array.isArray(body)
      ? Object.fromEntries(
          Object.entries(body).filter(
            ([name, v]) =>
              v !== undefined &&
              v !== null &&
              !(Array.isArray(v) && !v.length) &&
              (v !== "" || ["with", "value", "separator", "default"].includes(name)),
          ),
        )
      : body;
  return { [kind]: kept, ...clean(options) };
}

const text = (v) => (typeof v === "string" ? `"${v}"` : JSON.stringify(v));
const listed = (v) => (Array.isArray(v) ? v.join(", ") : String(v ?? ""));

/** `[verb, rest]` of a step, until the service has said it in its words. */
export function roughWords(step) {
  const kind = kindOf(step);
  const body = step?.[kind];
  if (!KINDS[kind]) return ["?", kind ?? "no step"];
  const { verb } = KINDS[kind];
  if (kind === "remove") return [verb, listed(body)];
  if (kind === "drop") return [verb, body ? String(body) : ""];
  if (kind === "set" || kind === "default") return [verb, `${body?.field ?? ""} to ${text(body?.value)}`];
  return [verb, listed(body?.to ?? body?.field ?? body?.fields ?? body?.table)];
}

const VERBS =
  /^(Set|Add|Look up|Map severity|Map|Rename|Remove|Replace|Put|Append|Write|Truncate|Redact|Build|Compute|Send nothing)\b/;

/** The service's sentence with its verb apart. */
export function parted(words) {
  const verb = VERBS.exec(words)?.[1] ?? "";
  return verb ? [verb, words.slice(verb.length)] : ["", words];
}
