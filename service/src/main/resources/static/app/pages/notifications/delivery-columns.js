// What the delivery log can show of each delivery.
import { html, nothing } from "../../core/html.js";
import { count, NONE } from "../../core/format.js";
import { duration, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { deliveryTitle } from "./delivery.js";
import { answerWords, eventWord, isOver, stateWord } from "./words.js";

const quiet = (text) => html`<span class="m">${text}</span>`;
const at = (iso) => (iso ? moment(Date.parse(iso), true) : quiet(NONE));
const ms = (n) => (n < 10_000 ? `${Math.max(0, Math.round(n))} ms` : duration(n));
const inAll = (d) =>
  d.endedAt && d.state !== "dropped" ? ms(Date.parse(d.endedAt) - Date.parse(d.createdAt)) : quiet(NONE);
const bad = (d) =>
  ({ retry: "warn", refused: "crit", gone: "crit", unauthorized: "crit" })[d.lastAttempt?.verdict] ?? "";

// Without a width columns share what room is left. Beside an open delivery there is less of it.
const COLUMNS = {
  time: {
    list: "value",
    name: "Time",
    hint: "when it was made",
    col: "w-stamp",
    least: 116,
    td: "m nw",
    title: (d) => d.createdAt,
    cell: (d) => at(d.createdAt),
  },
  event: {
    name: "Event",
    width: 76,
    title: (d) => d.change,
    cell: (d) => html`${eventWord(d.event)}${d.change === "resend" ? html` <span class="m">again</span>` : nothing}`,
  },
  alert: { list: "name", name: "Alert", td: "strong", title: deliveryTitle, cell: deliveryTitle },
  rule: {
    name: "Rule",
    col: "w-who",
    least: 128,
    cls: "prio-3",
    td: "i2",
    title: (d) => d.rule?.name ?? "",
    cell: (d) => d.rule?.name ?? quiet(d.alertNumber === null ? "group" : "test or heartbeat"),
  },
  target: {
    list: "what",
    name: "Target",
    col: "w-who",
    least: 128,
    cls: "beside-gone",
    td: "i2",
    title: (d) => d.target.name,
    cell: (d) => d.target.name,
  },
  attempts: {
    name: "Attempts",
    width: 76,
    cls: "r beside-gone",
    cell: (d) => (d.attempts ? count(d.attempts) : quiet("0")),
  },
  code: {
    list: "long",
    name: "Status",
    hint: "HTTP status, SMTP reply code, or SNMP error status of the last answer",
    width: 64,
    cls: "r",
    td: bad,
    title: (d) =>
      d.lastAttempt ? (d.lastAttempt.status === null ? "Nothing came back" : "Of the last answer") : "Not tried yet",
    cell: (d) => d.lastAttempt?.status ?? quiet(NONE),
  },
  duration: {
    name: "Duration",
    hint: "how long the last attempt took",
    width: 80,
    cls: "r beside-gone",
    td: "m",
    cell: (d) => (d.lastAttempt ? ms(d.lastAttempt.tookMillis) : quiet(NONE)),
  },
  answer: {
    name: "Answer",
    hint: "and when it is tried next",
    col: "w-answer",
    least: 140,
    td: (d) => (d.state === "dead" ? "crit" : d.state === "retry" ? "warn" : "i2"),
    title: answerWords,
    cell: answerWords,
  },
  id: {
    name: "Delivery id",
    width: 116,
    cls: "prio-3 wide-only",
    td: "mono m",
    title: (d) => d.id,
    cell: (d) => d.id.slice(0, 13),
  },
  took: { name: "In all", hint: "from when it was made until it was over", width: 80, cls: "r", td: "m", cell: inAll },
  state: { name: "State", width: 104, cell: (d) => stateWord(d.state) },
  object: {
    name: "Object",
    col: "w-who",
    least: 128,
    title: (d) => d.objectName ?? "",
    cell: (d) => d.objectName ?? quiet("none"),
  },
  number: {
    name: "Alert number",
    width: 92,
    cell: (d) =>
      d.alertNumber === null ? quiet("group") : html`<a href=${href(`/alerts/${d.subject}`)}>A-${d.alertNumber}</a>`,
  },
  severity: { name: "Severity", width: 104, td: "i2", cell: (d) => d.severity ?? "" },
  change: { name: "What happened", width: 104, td: "i2", cell: (d) => d.change },
  template: {
    name: "Template",
    col: "w-who",
    least: 128,
    title: (d) => `${d.template} ${d.templateVersion}`,
    cell: (d) => html`<a href=${href(`/notifications/templates/${d.template}`)}>${d.template}</a>`,
  },
  version: {
    name: "Template version",
    width: 104,
    td: "mono m",
    title: (d) => d.templateHash,
    cell: (d) => d.templateVersion,
  },
  sequence: {
    name: "Place",
    hint: "among those about the alert to the target",
    width: 64,
    cls: "r",
    td: "m",
    cell: (d) => d.sequence,
  },
  next: { name: "Next attempt", col: "w-stamp", least: 116, td: "m nw", cell: (d) => at(d.nextAttempt) },
  over: {
    name: "Over",
    hint: "when it was over, or is given up",
    col: "w-stamp",
    least: 116,
    td: "m nw",
    cell: (d) => (isOver(d) ? at(d.endedAt) : html`<span class="m">by ${moment(Date.parse(d.expiresAt))}</span>`),
  },
};

export const DELIVERY_TABLE = {
  definitions: COLUMNS,
  usual: ["time", "event", "alert", "rule", "target", "attempts", "code", "duration", "answer", "id"],
  fixed: ["alert"],
};
