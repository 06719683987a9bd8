// Super metrics in words: states, units, counts, and the filter of the list.
import { count, plural } from "../../core/format.js";
import { kindWord } from "../../core/metrics.js";
import { words } from "../../core/filter.js";

export const STATES = ["failing", "invalid", "no-data", "unassigned", "waiting", "computing", "disabled", "deleted"];
const SHAPES = {
  failing: "immediate",
  invalid: "warning",
  "no-data": "unknown",
  unassigned: "unknown",
  waiting: "unknown",
  computing: "alike",
  disabled: "alike",
  deleted: "unknown",
};
export const stateOf = (sm) => SHAPES[sm.state] ?? "unknown";
export const STATE_WORDS = {
  failing: "failing",
  invalid: "invalid",
  "no-data": "no data",
  unassigned: "no object kind",
  waiting: "waiting",
  computing: "computing",
  disabled: "disabled",
  deleted: "deleted",
};

/** `[words, reason]` of what the last ticks gave. */
export function stateText({ state, evaluation: e, issues, updatedBy }) {
  const why = e.noData?.[0]?.text ?? "";
  switch (state) {
    case "computing":
      return [
        `${count(e.computed)} of ${plural(e.computed + e.withoutValue, "object")}`,
        e.withoutValue ? `${count(e.withoutValue)} without: ${why || "no value"}` : "",
      ];
    case "no-data":
      return ["no data", why || issues?.[0]?.message || "no object has a value"];
    case "invalid":
      return ["invalid", issues?.find((i) => i.severity === "error")?.message ?? "the formula has errors"];
    case "failing":
      return ["failing", e.error ?? "the last tick gave an error"];
    case "waiting":
      return ["waiting", "for its first tick"];
    case "unassigned":
      return ["no object kind", "assign it to one"];
    case "deleted":
      return ["deleted", `by ${updatedBy}`];
    default:
      return [STATE_WORDS[state] ?? state, ""];
  }
}

// Unit ids of vRealize Operations that are shown otherwise; the others are shown as they are.
const UNITS = {
  percent: "%",
  msec: "ms",
  sec: "s",
  usec: "us",
  mhz: "MHz",
  ghz: "GHz",
  hz: "Hz",
  kb: "KB",
  mb: "MB",
  gb: "GB",
  byte: "bytes",
  bytes: "bytes",
  bps: "bit/s",
  kbps: "KBps",
  mbps: "MBps",
  none: "",
  kbytepersecond: "KBps",
  mbytepersecond: "MBps",
};
export const UNIT_IDS = ["percent", "msec", "sec", "mhz", "ghz", "kb", "mb", "gb", "tb", "kbps", "mbps", "none"];
export const unitWord = (unitId) => (unitId ? (UNITS[unitId.toLowerCase()] ?? unitId) : "");

export const kindsText = (kinds) => (kinds.length ? kinds.map((k) => kindWord(k.objectKind)).join(", ") : "none");
export const millis = (ms) =>
  ms > 0 && ms < 0.01
    ? "< 0.01 ms"
    : ms >= 100
      ? `${count(ms)} ms`
      : `${ms < 10 ? ms.toFixed(ms < 0.1 ? 2 : 1) : Math.round(ms)} ms`;

/** Where the file of these super metrics is; of all of them without ids. */
export const exportAddress = (ids, format) =>
  `/api/v1/super-metrics/export?format=${format}${ids ? `&id=${ids.join(",")}` : ""}`;

const TOKENS = { state: "state", is: "state", kind: "objectKind", adapter: "adapterKind", pack: "pack", tag: "tag" };

/** `{ query, unknown }`: the parameters of the list, and what cannot be used. */
export function parseFilter(text) {
  const query = {};
  const free = [];
  const unknown = [];
  for (const word of words(text)) {
    const colon = word.indexOf(":");
    const key = word.slice(0, Math.max(0, colon));
    const field = Object.hasOwn(TOKENS, key) ? TOKENS[key] : null;
    const value = word.slice(colon + 1);
    if (!field) free.push(word);
    else if (!value || (field === "state" && !STATES.includes(value))) unknown.push(word);
    else (query[field] ??= []).push(value);
  }
  if (free.length) query.q = free.join(" ");
  return { query, unknown };
}

const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);

/** The filter with the token `key:value` put in or taken out. */
export function toggled(text, key, value) {
  const token = `${key}:${quoted(value)}`;
  const parts = text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  return (parts.includes(token) ? parts.filter((p) => p !== token) : [...parts, token]).join(" ");
}

export const hasToken = (text, key, value) => words(text).includes(`${key}:${value}`);

export function completions(text, all) {
  const last = text.split(/\s+/).at(-1) ?? "";
  const of = (key, values) =>
    [...new Set(values)]
      .filter(Boolean)
      .sort()
      .map((v) => `${key}:${quoted(v)}`);
  const options = [
    ...STATES.map((s) => `state:${s}`),
    ...of(
      "kind",
      all.flatMap((s) => s.kinds.map((k) => k.objectKind)),
    ),
    ...of(
      "pack",
      all.map((s) => s.pack),
    ),
    ...of(
      "tag",
      all.flatMap((s) => s.tags),
    ),
  ];
  return options.filter((o) => o !== last && o.toLowerCase().includes(last.toLowerCase())).slice(0, 12);
}
