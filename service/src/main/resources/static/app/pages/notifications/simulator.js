// What a rule would have sent: past alerts go through it as it is typed, each with the outcome of every condition.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { DAY, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { failure, loaded } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { shape } from "../../parts/shapes.js";
import { eventWord, OUTCOMES, outcomeShape, tick } from "./words.js";

/** @type {[number, string][]} */
const SPANS = [
  [DAY, "Last day"],
  [7 * DAY, "Last week"],
  [31 * DAY, "31 days"],
];
const SOON = 700;
const STEP = 5 * 60_000;

/** The conditions of a rule and whether each held. */
export const checkLines = (checks) =>
  html`<ul class="checks">
    ${checks.map(
      (c) =>
        html`<li class="row s12">
          ${c.passed ? tick(11, "holds") : shape("unknown", 11, "does not hold")}
          <span class="m check-name">${c.name}</span>
          <span>${c.words}</span>
        </li>`,
    )}
  </ul>`;

export class Simulator {
  #span = SPANS[1][0];
  #only = "all";
  #open = null;
  #asked = null;
  #load = new Load(async (body, _turn, signal) => ({
    ...(await post("/notification-rules/simulate", JSON.parse(body), signal)),
    of: body,
  }));
  #soon = settled(() => this.run(), SOON);
  #turn = 0;

  constructor(draft) {
    this.draft = draft;
  }

  leave() {
    this.#soon.cancel();
  }

  /** The rule as it stands, ready to be sent; null while something needed is missing. */
  #rule() {
    const rule = this.draft.body();
    return rule.targets.length ? { ...rule, name: rule.name?.trim() || "new rule" } : null;
  }

  want() {
    const rule = JSON.stringify([this.#rule(), this.#span]);
    if (rule === this.#asked) return;
    const first = this.#asked === null;
    this.#asked = rule;
    if (!this.#rule()) return;
    if (first) this.run();
    else this.#soon();
  }

  run() {
    this.#soon.cancel();
    const rule = this.#rule();
    if (!rule) return;
    const to = Math.floor(Date.now() / STEP) * STEP;
    this.#load.want(
      JSON.stringify({ rule, from: new Date(to - this.#span).toISOString(), to: new Date(to).toISOString() }),
      ++this.#turn,
    );
    redraw();
  }

  /** What the last run said against a field of the rule. */
  wrong(name) {
    if (this.#load.loading) return null;
    return (
      this.#load.error?.errors?.find((e) => e.field === `rule.${name}` || e.field.startsWith(`rule.${name}.`))
        ?.reason ?? null
    );
  }

  #trace(t, i) {
    const key = `${t.alert} ${t.time} ${i}`;
    const open = this.#open === key;
    return html`<li class="trace ${t.outcome === "not-matched" ? "quiet" : ""}">
      <button
        class="row"
        aria-expanded=${open}
        @click=${() => {
          this.#open = open ? null : key;
          redraw();
        }}
      >
        ${outcomeShape(t.outcome, 12)}<span class="m nw when">${moment(Date.parse(t.time))}</span
        ><span class="nw event">${eventWord(t.event)}</span><b class="cut" title=${t.alertName}>${t.alertName}</b
        ><span class="cut m on-object" title=${t.object ?? ""}>${t.object ?? ""}</span><span class="sp"></span
        ><span class="cut m why-cell" title=${t.reason}>${t.reason}</span>
      </button>
      ${open
        ? html`<div class="inside">
            <p class="s12">${OUTCOMES[t.outcome]}: ${t.reason}</p>
            ${checkLines(t.checks)}<a class="acc s12" href=${href(`/alerts/${t.alert}`)}>Open A-${t.number}</a>
          </div>`
        : nothing}
    </li>`;
  }

  #body(s) {
    const counts = { all: s.traces.length, sent: s.sent, held: s.held, "not-matched": s.notMatched };
    const shown = s.traces.filter((t) => this.#only === "all" || t.outcome === this.#only);
    return html`<p class="say pad" role="status">
        ${s.sentence}${s.truncated
          ? html` <span class="warn">There were more events than were looked at; these are the newest.</span>`
          : nothing}
      </p>
      <div class="outcomes" aria-hidden="true">
        ${["sent", "held", "not-matched"].map((o) => html`<i class=${o} .style=${`flex:${counts[o] || 0}`}></i>`)}
      </div>
      <div class="pad low-seg">
        ${segments(
          this.#only,
          [
            ["all", "All"],
            ...Object.entries(OUTCOMES).map(([o, w]) => [
              o,
              html`${w[0].toUpperCase()}${w.slice(1)} <span class="n">${count(counts[o])}</span>`,
            ]),
          ],
          (o) => {
            this.#only = o;
            redraw();
          },
          "Which outcomes",
        )}
      </div>
      ${shown.length
        ? html`<ul class="traces">
            ${repeat(
              shown,
              (t, i) => `${t.alert} ${t.time} ${i}`,
              (t, i) => this.#trace(t, i),
            )}
          </ul>`
        : html`<div class="empty s12">
            ${s.events ? "None among the traces that are shown." : "Nothing happened to any alert in this time."}
          </div>`}
      ${s.events > s.traces.length
        ? html`<p class="m s12 pad">${count(s.traces.length)} of ${count(s.events)} events are listed</p>`
        : nothing}`;
  }

  view() {
    const fields = this.#load.error?.errors?.length && !this.#load.loading;
    const body = () => {
      if (!this.#rule())
        return html`<div class="empty">Choose a target, and past alerts go through the rule as you write it.</div>`;
      if (fields)
        return html`<div class="empty">
          ${this.#load.error.errors.map(
            (e) =>
              html`<p class="s12">
                <code>${e.field.replace(/^rule\./, "")}</code> <span class="crit">${e.reason}</span>
              </p>`,
          )}
        </div>`;
      if (this.#load.error && !this.#load.loading) return failure(this.#load.error, () => this.run());
      return loaded(this.#load, (s) => this.#body(s), { rows: 8 });
    };
    return html`<section class="pane simulator" aria-label="What it would have sent">
      <div class="ph">
        <h2>What it would have sent</h2>
        <span class="sp"></span>
        <span class="low-seg"
          >${segments(
            this.#span,
            SPANS,
            (v) => {
              this.#span = v;
              this.run();
            },
            "Over which time",
          )}</span
        >
      </div>
      ${body()}
    </section>`;
  }
}
