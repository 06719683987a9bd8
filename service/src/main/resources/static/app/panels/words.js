// What panels say: figures with their unit, places among peers, windows and rules.
import { count, NONE, number, plural, scale, short } from "../core/format.js";
import { kindWord, metricName, propertyName } from "../core/metrics.js";
import { duration, moment } from "../core/time.js";

export const STATES = ["normal", "warning", "immediate", "critical"];
/** 0 for what nobody has to look at up to 3 for what is worst. */
export const rankOf = (state) => Math.max(0, STATES.indexOf(state));

const has = (value) => value !== null && value !== undefined && value !== "";

/**
 * An instance as people call it. One that is made of tags, `devicename=naa.5,hostname=esx-1`, is called by their values,
 * the host first: "esx-1 naa.5".
 */
export function instanceWords(instance) {
  const tags = (instance ?? "").split(",").map((part) => part.split("="));
  if (!tags.every((tag) => tag.length === 2 && tag[0] && tag[1])) return instance ?? "";
  const isHost = ([name]) => name === "hostname";
  return [...tags.filter(isHost), ...tags.filter((tag) => !isHost(tag))].map(([, value]) => value).join(" ");
}

/** The figures of a column in one unit: `{ unit, text(value) }`, for the largest of `values`. */
export function figures(column, values = []) {
  const present = values.filter((v) => typeof v === "number" && Number.isFinite(v)).map(Math.abs);
  const { unit, factor } = scale(column.unit, Math.max(0, ...present), column.network);
  const { decimals } = column;
  const text = (v) => {
    const shown = v * factor;
    if (decimals !== undefined && decimals !== null && Math.abs(shown) < 10_000) return shown.toFixed(decimals);
    return short(shown);
  };
  return { unit, factor, text: (v) => (typeof v === "number" && Number.isFinite(v) ? text(v) : NONE) };
}

/** What a cell says: a figure without its unit, a text, a moment; "-" for nothing. */
export function cellText(column, value, of = null) {
  if (!has(value)) return NONE;
  if (column.type === "time") return moment(Number(value));
  if (column.type === "number" || typeof value === "number")
    return (of ?? figures(column, [value])).text(Number(value));
  return String(value);
}

/** A figure with its unit. */
export function withUnitOf(column, value) {
  if (column.type === "time" || typeof value !== "number") return cellText(column, value);
  const of = figures(column, [value]);
  return `${of.text(value)}${of.unit ? ` ${of.unit}` : ""}`;
}

/** The name that a column is shown with. */
export const titleOf = ({ title, key, name }) =>
  title && title !== key ? title : key ? metricName(key) : (title ?? name);

const LENGTHS = { s: "s", m: "min", h: "h", d: "d", w: "w" };

/** A length as files write it, "24h", as people read it, "24 h". */
export function windowWords(text) {
  const match = /^(\d+)([smhdw])$/.exec(text ?? "");
  return match ? `${match[1]} ${LENGTHS[match[2]]}` : (text ?? "");
}

const MILLIS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A length as files write it in milliseconds; null when it is none. */
export function millis(text) {
  const match = /^(\d+)([smhdw])$/.exec(text ?? "");
  return match ? Number(match[1]) * MILLIS[match[2]] : null;
}

/** The same as the address and the range have it, in minutes, hours or days. */
export function asRange(text) {
  const ms = millis(text);
  if (ms === null) return null;
  if (/[mhd]$/.test(text)) return text;
  return text.endsWith("w") ? `${ms / MILLIS.d}d` : `${Math.max(1, Math.round(ms / MILLIS.m))}m`;
}

const TENS = ["th", "st", "nd", "rd"];
const ordinal = (n) => `${n}${(n % 100 > 3 && n % 100 < 21) || n % 10 > 3 ? "th" : TENS[n % 10]}`;

/** A place among others in words: "highest of 5", "2nd of 5"; empty with fewer than three. */
export function placeWords({ rank, peers }) {
  if (rank === null || !(peers >= 3)) return "";
  if (rank === 1) return `highest of ${peers}`;
  if (rank === peers) return `least of ${peers}`;
  return `${ordinal(rank)} of ${peers}`;
}

/** Whether less is worse in a column: its definition says so, or its bounds fall. */
export function isLessWorse({ name, bounds }, panel) {
  const colour = panel.columns?.find((c) => c.name === name)?.colour;
  if (typeof colour === "object" && colour?.above !== undefined) return colour.above === false;
  const present = (bounds ?? []).filter((b) => b !== null);
  return present.length > 1 && present.at(-1) < present[0];
}

/** The first bound of a column, null when it has none. */
export const firstBound = (column) => column.bounds?.find((b) => b !== null) ?? null;

/** The state that a value has by the bounds of its column, as the service judges it. */
export function stateOf(column, value, lessWorse = false) {
  if (!column.bounds?.length || typeof value !== "number") return null;
  let state = "normal";
  column.bounds.forEach((bound, i) => {
    if (bound !== null && (lessWorse ? value < bound : value > bound)) state = STATES[i + 1];
  });
  return state;
}

const TRANSFORMS = {
  current: "now",
  last: "last of",
  first: "first of",
  avg: "mean of",
  min: "least of",
  max: "peak of",
  sum: "sum of",
  count: "count of",
  timestamp: "time of",
  timeOfMin: "time of the least of",
  timeOfMax: "time of the peak of",
  trend: "trend of",
};

/** How values of a window become one, in words: "peak", "p95", "now". */
export function transformWords(transform) {
  if (!transform) return "";
  if (typeof transform === "string") return (TRANSFORMS[transform] ?? transform).replace(/ of$/, "");
  if (typeof transform.percentile === "string") return `percentile ${transform.percentile}`;
  if (transform.percentile !== undefined) return `p${number(transform.percentile)}`;
  if (transform.forecast) return `expected in ${windowWords(transform.forecast)}`;
  if (transform.reaches !== undefined) return `days until ${number(transform.reaches)}`;
  if (transform.change)
    return `change against ${transform.change === "before" ? "the window before" : `${windowWords(transform.change)} earlier`}`;
  return transform.outside ? "share of the time outside of what is usual" : "";
}

const list = (value) => (Array.isArray(value) ? value : value ? [value] : []);
const kindOf = (kind) => String(kind).split("/").at(-1);
/** Kinds in words: "VMs and hosts". */
export const kindsWords = (kinds, n = 2) =>
  list(kinds)
    .map((kind) => kindWord(kindOf(kind), n))
    .join(" and ");

const SIGNS = {
  ">": "above",
  ">=": "at least",
  "<": "below",
  "<=": "at most",
  "=": "is",
  "!=": "is not",
  contains: "contains",
  notContains: "does not contain",
  startsWith: "starts with",
  endsWith: "ends with",
  matches: "matches",
  exists: "is there",
  notExists: "is not there",
};
export const OPERATORS = Object.keys(SIGNS);
export const operatorWords = (op) => SIGNS[op] ?? op;

const keyWords = (key) => (key.startsWith("$") ? key : metricName(key));

/** What a condition or column reads, in words. */
export function sourceWords(of) {
  if (of.metric) return keyWords(of.metric.any?.[0] ?? "");
  if (of.property) return propertyName(of.property);
  if (of.tag) return `tag ${of.tag}`;
  if (of.attribute) return of.attribute === "alerts" ? "open alerts" : of.attribute;
  if (of.related) return "related objects";
  return of.expression ?? "";
}

export const conditionWords = (c) =>
  [sourceWords(c), operatorWords(c.op), /xists$/.test(c.op) ? "" : String(c.value ?? "")].filter(Boolean).join(" ");

const step = (one) => {
  const { to, kind } = typeof one === "string" ? { to: one, kind: null } : one;
  const what = kind ? ` ${kindsWords(kind)}` : "";
  return {
    self: "itself",
    children: `its${what} children`,
    descendants: `the${what} below`,
    parents: `its${what} parents`,
    ancestors: `the${what} above`,
  }[to];
};

/** The rule of a panel's objects as a sentence: "VMs below $cluster with tag env=prod". */
export function ruleWords(/** @type {any} */ { kind, select = {}, subject }) {
  const { from = subject ? "subject" : "all", paths, scope = {}, where } = select;
  const what = kind ? kindsWords(kind) : "Objects";
  const origin =
    from === "subject"
      ? paths?.length
        ? ` from ${subjectWords(subject)} by ${paths.map((p) => p.map(step).join(", then ")).join(" or ")}`
        : ` of or below ${subjectWords(subject)}`
      : typeof from === "object"
        ? ` in the group ${from.group}`
        : "";
  const scopes = [
    ...list(scope.name).map((name) => `named ${name}`),
    ...list(scope.tags).map((tag) => `with tag ${tag}`),
    ...list(scope.properties).map((p) => `with ${p}`),
    ...list(scope.groups).map((g) => `in the group ${g}`),
    ...list(scope.ancestors).map((a) => `below ${typeof a === "string" ? a : a.name}`),
    ...list(scope.exclude).map(() => "with exceptions"),
  ];
  const conditions = (where ?? []).map((all) => all.map(conditionWords).join(" and ")).join(", or ");
  return `${what}${origin}${scopes.length ? ` ${scopes.join(" ")}` : ""}${conditions ? ` where ${conditions}` : ""}`;
}

export const subjectWords = (subject) =>
  typeof subject === "string" ? subject : subject?.name ? subject.name : "the subject";

/** The columns of a panel as a sentence. */
export const columnsWords = (columns, window) =>
  (columns ?? [])
    .filter((c) => !c.hidden)
    .map((c) => {
      const how = transformWords(c.transform);
      const over = c.metric && how !== "now" && (c.window ?? window) ? ` over ${windowWords(c.window ?? window)}` : "";
      return `${sourceWords(c)}${how ? ` (${how}${over})` : over}`;
    })
    .join("; ");

/** What a panel's window is called: "now" where all its columns are of the moment. */
export function panelWindow(panel, range) {
  const columns = (panel.columns ?? []).filter((c) => c.metric);
  const isNow = (c) => c.transform === "current" || c.transform === undefined;
  if (panel.type !== "chart" && columns.length && columns.every(isNow) && !panel.window) return "now";
  return panel.window ? windowWords(panel.window) : range;
}

/** "31 of 40 report": who of the objects has a value; empty when all of them do. */
export function reportingWords({ matched, reporting }) {
  return reporting === undefined || reporting === null || reporting >= matched
    ? ""
    : `${count(reporting)} of ${count(matched)} report`;
}

/** Kinds in the middle of a sentence. */
export const some = (n, kind) => plural(n, kindWord(kind, 1), kindWord(kind, 2));

export const ago = (ms) => `${duration(ms)} ago`;
