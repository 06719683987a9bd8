// Who was told of an alert and why others were not: rule by rule, with every condition, and what was sent.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { checkLines } from "../notifications/simulator.js";
import { clockMark, deliveryShape, eventWord, stateWord, tick } from "../notifications/words.js";

const SHAPES = {
  sent: () => tick(11, "sent"),
  delayed: () => clockMark(11, "delayed"),
  damped: () => clockMark(11, "damped"),
  held: () => clockMark(11, "held"),
  grouped: () => clockMark(11, "told together with others"),
};
const WORDS = {
  sent: "sent",
  delayed: "waits",
  damped: "waits, it flaps",
  held: "held back",
  grouped: "sent with others",
  nothing: "nothing to send",
  "never-opened": "over before it was sent",
  "template-dropped": "the template sends nothing",
};
const decisionShape = (outcome) => (SHAPES[outcome] ?? (() => shape("alike", 11, WORDS[outcome] ?? outcome)))();
const when = (iso) => moment(Date.parse(iso), true);
const happened = (t) =>
  t.event === "LOOK"
    ? "looked at again"
    : `${eventWord(t.event)}${["opened", "canceled", "update"].includes(t.change) ? "" : `, ${t.change}`}`;

export class AlertNotified {
  #load = new Load((id, _version, signal) => get(`/alerts/${id}/notifications`, {}, signal));
  #whole = false;
  #open = null;

  reset() {
    this.#load.reset();
    this.#open = null;
  }

  want(id, version) {
    this.#load.want(id, version);
  }

  /** The last decision for each target, and the newest word of each rule that told nobody. */
  #lines({ standings, traces, deliveries }) {
    const targets = new Map();
    const rules = new Map();
    for (const t of traces) {
      for (const d of t.decisions)
        if (d.outcome !== "nothing" && !targets.has(d.target)) targets.set(d.target, { trace: t, decision: d });
      if (!rules.has(t.rule.id)) rules.set(t.rule.id, t);
    }
    const told = [...targets.values()].map(({ trace, decision }) => {
      const own = deliveries.filter((x) => x.target.id === decision.target);
      const last = own[0];
      const standing = standings.find((s) => s.target === decision.target);
      const words =
        last && decision.outcome === "sent"
          ? `${stateWord(last.state)} ${moment(Date.parse(last.endedAt ?? last.createdAt))}${last.reason && last.state !== "delivered" ? `: ${last.reason}` : ""}`
          : `${WORDS[decision.outcome] ?? decision.outcome}${decision.words ? `: ${decision.words}` : ""}${standing?.due && standing.phase !== "told" ? `, looked at again at ${moment(Date.parse(standing.due))}` : ""}`;
      return html`<div class="told">
        <span
          >${last && decision.outcome === "sent"
            ? deliveryShape(last.state, 11)
            : decisionShape(decision.outcome)}</span
        >
        <b class="cut"
          >${last
            ? html`<a href=${href(`/notifications/deliveries/${last.id}`)}>${decision.targetName}</a>`
            : decision.targetName}</b
        >
        <span class="i2 cut" title=${`${words}; rule ${trace.rule.name}`}>${words}</span>
      </div>`;
    });
    const silent = [...rules.values()]
      .filter((t) => ![...targets.values()].some((x) => x.trace.rule.id === t.rule.id))
      .map(
        (t) =>
          html`<div class="told quiet">
            <span>${shape("alike", 11, "not told")}</span>
            <a class="cut" href=${href(`/notifications/rules/${t.rule.id}`)}>${t.rule.name}</a>
            <span class="m cut" title=${t.words}>${t.matched ? t.words || "nobody to tell" : t.words}</span>
          </div>`,
      );
    return [...told, ...silent];
  }

  #trace(t, i) {
    const key = `${t.at} ${t.rule.id} ${i}`;
    const open = this.#open === key;
    return html`<li class="trace ${t.matched ? "" : "quiet"}">
      <button
        class="row"
        aria-expanded=${open}
        @click=${() => {
          this.#open = open ? null : key;
          redraw();
        }}
      >
        ${t.matched ? tick(11, "matched") : shape("alike", 11, "not matched")}<span class="m nw">${when(t.at)}</span
        ><span class="nw">${happened(t)}</span><b class="cut">${t.rule.name}</b
        ><span class="cut m why-cell">${t.words || (t.matched ? "takes it" : "")}</span>
      </button>
      ${t.decisions
        .filter((d) => d.outcome !== "nothing" || open)
        .map(
          (d) =>
            html`<div class="decision s12">
              ${decisionShape(d.outcome)}<span
                >${d.targetName}: ${WORDS[d.outcome] ?? d.outcome}${d.words ? `, ${d.words}` : ""}</span
              >${d.delivery
                ? html`<a class="acc" href=${href(`/notifications/deliveries/${d.delivery}`)}>see it</a>`
                : nothing}
            </div>`,
        )}
      ${open
        ? html`<div class="inside">
            ${checkLines(t.checks)}<a class="acc s12" href=${href(`/notifications/rules/${t.rule.id}`)}
              >Open the rule</a
            >
          </div>`
        : nothing}
    </li>`;
  }

  section(alert, whole = false) {
    const body = (data) => {
      const lines = this.#lines(data);
      const all = whole || this.#whole;
      if (!data.traces.length && !data.deliveries.length)
        return html`<p class="m s12">
          No rule was asked: there was none when something happened to it, or that is longer ago than traces are kept.
          <a class="acc" href=${href("/notifications")}>See the rules</a>
        </p>`;
      return html`${lines}${data.traces.length
        ? html`<p class="s12 row">
            ${whole
              ? nothing
              : html`<button
                  class="link"
                  aria-expanded=${all}
                  @click=${() => {
                    this.#whole = !this.#whole;
                    redraw();
                  }}
                >
                  ${all ? "Less" : `Why, step by step (${data.traces.length})`}
                </button>`}${data.deliveries.length
              ? html` <a
                  class="acc"
                  href=${href("/notifications", { tab: "deliveries", alert: alert.id, since: "30d" })}
                  >All that was sent</a
                >`
              : nothing}
          </p>`
        : nothing}
      ${all
        ? html`<ul class="traces">
            ${data.traces.map((t, i) => this.#trace(t, i))}
          </ul>`
        : nothing}`;
    };
    return html`<section class="sec notified" aria-label="Notifications">
      <h3>Notifications</h3>
      ${loaded(this.#load, body, { rows: 3 })}
    </section>`;
  }
}
