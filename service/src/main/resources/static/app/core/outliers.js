// Outlier groups and events as several pages read them: what is open now, how many, and how a group does.
import { get } from "./api.js";
import { rank } from "./severity.js";
import { summary } from "./status.js";

const PAGE = 1000;

/** What counts as open: also that of which nothing is known now. */
export const OPEN_EVENTS = ["open", "unknown"];

/** All pages of an answer in one list. */
export async function readPages(path, query, signal, most = Infinity) {
  const items = [];
  let page = { nextCursor: null, total: 0 };
  do {
    page = await get(path, { limit: PAGE, ...query, cursor: page.nextCursor }, signal);
    items.push(...page.items);
  } while (page.nextCursor && items.length < most);
  return { items, total: page.total };
}

/** How many events are open everywhere; null while that is not known. */
export const openEventTotal = () => summary.data?.openOutlierEvents ?? null;

/** States of a group in the order in which lists have them, each with its shape and its word. */
const STATES = {
  deviants: ["immediate", ""],
  "group-wide": ["immediate", "the group moved"],
  split: ["split", "split"],
  failing: ["warning", "failing"],
  "no-majority": ["unknown", "no majority"],
  "too-many": ["unknown", "too many members"],
  "too-few": ["unknown", "too few values"],
  "no-data": ["unknown", "no data"],
  learning: ["unknown", "learning"],
  "not-judged-yet": ["unknown", "not judged yet"],
  alike: ["alike", "alike"],
  disabled: ["alike", "switched off"],
};
const ORDER = Object.keys(STATES);
export const GROUP_STATES = ORDER;

export const stateWord = (state) => STATES[state]?.[1] ?? state;

const severityName = (severity) => (severity === "information" ? "info" : severity);

/** How far a value is from the middle, in widths of what is accepted on its side. */
function reach(value, { centre, lower, upper }) {
  if (value === null || centre === null || lower === null || upper === null) return 0;
  return Math.abs(value - centre) / (Math.abs((value > centre ? upper : lower) - centre) || 1e-9);
}

/**
 * Deviants of all metrics, each once with the metric in which it is farthest out, and those whose configuration
 * differs, without a metric; worst first.
 */
export function deviantsOf(group) {
  const byEvent = new Map();
  for (const metric of group.now.metrics) {
    for (const d of metric.deviants) {
      const known = byEvent.get(d.event);
      if (!known || reach(d.value, metric) > reach(known.value, known.metric)) byEvent.set(d.event, { ...d, metric });
    }
  }
  for (const d of group.now.configuration ?? []) byEvent.set(d.event, { ...d, metric: null });
  return [...byEvent.values()].sort(
    (a, b) => rank(b.severity) - rank(a.severity) || Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0),
  );
}

/** The shape of a group: that of the severity of its worst deviant, else that of its state. */
export function groupShape(group) {
  const [worst] = deviantsOf(group);
  return worst ? severityName(worst.severity) : (STATES[group.now.state]?.[0] ?? "unknown");
}

/** The metric that a list shows of a group: the worst that is out, else the first. */
export const metricShown = (group) =>
  deviantsOf(group).find((d) => d.metric)?.metric ??
  group.now.metrics.find((m) => m.state === "split") ??
  group.now.metrics[0] ??
  null;

/** Deviants first, by severity and score; then what is split or unknown, what is alike, what is off. */
export function byState(a, b) {
  const [x, y] = [deviantsOf(a)[0], deviantsOf(b)[0]];
  return (
    rank(y?.severity) - rank(x?.severity) ||
    Math.abs(y?.score ?? 0) - Math.abs(x?.score ?? 0) ||
    ORDER.indexOf(a.now.state) - ORDER.indexOf(b.now.state) ||
    a.name.localeCompare(b.name)
  );
}
