// Notifications in words and shapes: targets, verdicts, states of deliveries, times.
import { html, nothing, svg } from "../../core/html.js";
import { moment } from "../../core/time.js";
import { shape } from "../../parts/shapes.js";

export const EVENTS = [
  ["NEW", "New"],
  ["UPDATE", "Update"],
  ["CANCEL", "Cancel"],
];
/** What is delivered may also be a report that was due; no rule asks for that. */
export const DELIVERY_EVENTS = [...EVENTS, ["REPORT", "Report"]];
export const eventWord = (event) => DELIVERY_EVENTS.find(([e]) => e === event)?.[1] ?? event;

export const TYPES = [
  ["webhook", "Webhook"],
  ["email", "E-mail"],
  ["snmp", "SNMP"],
];
export const typeWord = (type) => TYPES.find(([t]) => t === type)?.[1] ?? type;

export const FORMATS = {
  json: "JSON",
  xml: "XML",
  text: "text",
  html: "HTML",
  form: "form",
  mail: "mail",
  snmp: "trap",
};

const drawn = (size, word, path) =>
  html`<svg class="shape" width=${size} height=${size} viewBox="0 0 12 12" role="img" aria-label=${word}>${path}</svg>`;

export const tick = (size = 12, word = "delivered") =>
  drawn(size, word, svg`<path d="M2 6.5 5 9.5 10.5 3" fill="none" stroke="var(--added)" stroke-width="1.8" />`);
export const clockMark = (size = 12, word = "waiting", warm = false) =>
  drawn(
    size,
    word,
    svg`<circle
        cx="6"
        cy="6"
        r="4.6"
        fill="none"
        stroke=${warm ? "var(--warning-mark)" : "var(--ink-3)"}
        stroke-width="1.5"
      />
      <path
        d="M6 3.5V6.3L8 7.5"
        fill="none"
        stroke=${warm ? "var(--warning-mark)" : "var(--ink-3)"}
        stroke-width="1.3"
      />`,
  );
const crossMark = (size, word) =>
  drawn(size, word, svg`<path d="M2.5 2.5l7 7M9.5 2.5l-7 7" stroke="var(--critical)" stroke-width="1.8" />`);

/** States of deliveries: the shape and the word. */
const STATES = {
  waiting: ["waiting", (size) => clockMark(size, "waiting")],
  sending: ["sending", (size) => clockMark(size, "sending")],
  retry: ["tried again", (size) => clockMark(size, "tried again", true)],
  delivered: ["delivered", (size) => tick(size)],
  unconfirmed: ["sent, unconfirmed", (size) => shape("unknown", size, "sent, unconfirmed")],
  dead: ["dead", (size) => crossMark(size, "dead")],
  dropped: ["dropped", (size) => shape("alike", size, "dropped")],
};
export const STATE_NAMES = Object.keys(STATES);
export const stateWord = (state) => STATES[state]?.[0] ?? state;
export const deliveryShape = (state, size = 12) =>
  (STATES[state] ?? ["", () => shape("unknown", size, state)])[1](size);

export const OVER = ["delivered", "unconfirmed", "dead", "dropped"];
export const isOver = (d) => OVER.includes(d.state);

/** Why it is as it is, and when it is tried again. */
export const answerWords = (d) =>
  d.nextAttempt && !isOver(d) && d.attempts
    ? `${d.reason ?? "tried"}, again at ${moment(Date.parse(d.nextAttempt), true)}`
    : (d.reason ??
      (d.state === "delivered"
        ? "accepted"
        : d.state === "waiting" && d.nextAttempt
          ? `from ${moment(Date.parse(d.nextAttempt), true)}`
          : ""));

const VERDICTS = {
  delivered: "delivered",
  unconfirmed: "sent; nobody can know whether it arrived",
  retry: "it would be tried again",
  refused: "refused: the receiver does not want it",
  gone: "gone: the receiver wants no more",
  unauthorized: "the receiver does not accept who we are",
};
export const verdictWords = (verdict) => VERDICTS[verdict] ?? verdict;
export const verdictShape = (verdict, size = 12) =>
  deliveryShape({ retry: "retry", refused: "dead", gone: "dead", unauthorized: "dead" }[verdict] ?? verdict, size);

/** Outcomes of a rule for an event, as traces name them. */
export const OUTCOMES = { sent: "sent", held: "held", "not-matched": "not matched" };
export const outcomeShape = (outcome, size = 12) =>
  outcome === "sent"
    ? tick(size, "sent")
    : outcome === "held"
      ? clockMark(size, "held")
      : shape("alike", size, "not matched");

/** Where a target leads, in one line. */
export function placeOf(target) {
  if (target.webhook) return target.webhook.url;
  if (target.email) return `${(target.email.to ?? []).join(", ")} by ${target.email.host}`;
  return target.snmp
    ? `${target.snmp.host}:${target.snmp.port ?? 162}, ${target.snmp.version}${target.snmp.inform ? " inform" : " trap"}`
    : "";
}

export const durationOk = (text) => /^[1-9]\d{0,5}[smhd]$/.test(text);
export const listOf = (text) =>
  text
    .split(",")
    .map((t) => t.trim())
    .filter(Boolean);

/** What is odd, line by line. */
export const issueLines = (issues) =>
  (issues ?? []).map(
    (i) =>
      html`<p class="row s12 pad">
        ${shape("warning", 11)}
        <span>${i.field ? html`<code>${i.field}</code> ` : nothing}${i.message}${i.hint ? `; ${i.hint}` : ""}</span>
      </p>`,
  );
