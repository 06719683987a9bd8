// Reports in words: their range of time, and how a run went.
import { html, nothing } from "../../core/html.js";
import { plural } from "../../core/format.js";
import { date, clock, weekday, windowText } from "../../core/time.js";
import { zoneName } from "../../core/zone.js";
import { shape } from "../../parts/shapes.js";
import { millis, windowWords } from "../../panels/words.js";
import { nextTimes } from "../settings/maintenance-next.js";

export const lengthOk = (text) => millis(text) > 0;

/** "the last 7 d", "20 Nov to 27 Nov"; `usual` where the report says nothing. */
export function timeWords(time, usual = "as the dashboard has it") {
  if (!time) return usual;
  if (time.last !== undefined) return `the last ${windowWords(time.last)}`;
  const [from, to] = [Date.parse(time.from), Date.parse(time.to)];
  return from < to ? windowText({ from, to }) : "from one moment to another";
}

const GROUPED = { cluster: "by cluster", host: "by host", vm: "by machine" };

/** What a load profile is computed of: "machines below prod, by cluster, only mon, tue 07:00 to 19:00 Europe/Berlin". */
export function questionWords(question, ancestorName) {
  const { ancestor, by = "cluster", tag, onlyDuring: hours } = question;
  return [
    ancestor ? `machines below ${ancestorName ?? "an object"}` : "all machines",
    GROUPED[by] ?? `by the tag ${tag}`,
    hours ? `only ${hours.days.join(", ")} ${hours.begins} to ${hours.ends} ${hours.zone}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

const and = (list) => (list.length > 1 ? `${list.slice(0, -1).join(", ")} and ${list.at(-1)}` : list.join(""));

/** "Next Mon 30 Nov 07:00, Mon 7 Dec 07:00 and Mon 14 Dec 07:00"; empty while what is typed makes no sense. */
export function nextWords(schedule, now = Date.now()) {
  const times = schedule ? nextTimes(schedule, 3, now) : [];
  if (!times.length) return "";
  const clocks = schedule.zone === zoneName() ? "" : `, by the clocks of ${zoneName()}`;
  return `Next ${and(times.map((t) => `${weekday(t)} ${date(t)} ${clock(t)}`))}${clocks}`;
}

/** "5 now: a, b, c and 2 more", of names that were read up to `most`. */
export function partsWords(names, most) {
  const shown = names.length > 4 ? 3 : names.length;
  const rest = names.length - shown;
  const all = rest ? `${names.slice(0, shown).join(", ")} and ${rest} more` : and(names);
  return `${names.length >= most ? `${most} or more` : names.length} now: ${all}`;
}

/** Targets that a run did not reach; `dead` are the ids of messages that were given up. */
const missing = (run, dead) => [
  ...new Set((run.deliveries ?? []).filter((d) => !d.delivery || dead.has(d.delivery)).map((d) => d.target.name)),
];

/** How a run went, with what became of its messages: the shape and the words. */
export function outcome(run, dead = new Set()) {
  if (run.state === "failed") return { kind: "critical", words: "failed" };
  if (run.state === "missed") return { kind: "unknown", words: "missed" };
  const lost = missing(run, dead);
  const bad = [
    run.failed ? `${run.failed} of ${plural(run.panels, "panel")} not answered` : "",
    lost.length ? `did not reach ${and(lost)}` : "",
  ].filter(Boolean);
  return bad.length
    ? { kind: "warning", words: bad.join(", ") }
    : { kind: "alike", words: plural(run.panels, "panel") };
}

export const outcomeShape = (run, dead, size = 11) => {
  const { kind } = outcome(run, dead);
  return shape(kind, size, { critical: "failed", unknown: "missed", warning: "not whole" }[kind] ?? "");
};

/** What is wrong, in the words of the service, and what to do about it. */
export const reasonLine = (run) =>
  run.reason
    ? html`<p class="behind-say ${run.state === "done" ? "" : "warn"}">${run.reason}</p>`
    : run.state === "missed"
      ? html`<p class="behind-say warn">Nothing was there to answer it then.</p>`
      : nothing;

/** Ids of those entries of the delivery log that were given up. */
export const deadOf = (log) => new Set((log?.items ?? []).filter((d) => d.state === "dead").map((d) => d.id));
