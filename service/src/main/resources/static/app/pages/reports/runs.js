// The runs of a report: when, how it went, the files, what it showed, and what became of its messages.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { narrow } from "../../core/screen.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment, windowText } from "../../core/time.js";
import { amend, href, param } from "../../core/url.js";
import { notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { icon, shape } from "../../parts/shapes.js";
import { answerWords, deliveryShape, isOver, stateWord } from "../notifications/words.js";
import { deadOf, outcome, outcomeShape, reasonLine } from "./words.js";

const AGAIN = 3000;

export class Runs {
  #list = new Load((id, _version, _tick, signal) => get(`/reports/${id}/runs`, { limit: 50 }, signal));
  #one = new Load((id, run, signal) => get(`/reports/${id}/runs/${run}`, {}, signal));
  // The log of all reports is short, and an entry of it is not as large as its message.
  #log = new Load((_run, _tick, signal) => get("/deliveries", { event: "REPORT", limit: 100 }, signal));
  #running = null;
  #part = 1;

  constructor(draft) {
    this.draft = draft;
  }

  want() {
    const { draft } = this;
    if (!draft.isNew && draft.stored.data) this.#list.want(draft.id, draft.before.version, lastTick());
  }

  /** Runs it now, and sends it to its targets when wanted. */
  async run(send) {
    const { draft } = this;
    if (!may("operator")) return notice(NEEDS);
    if (this.#running) return;
    this.#running = send ? "send" : "run";
    redraw();
    try {
      const { data: run } = await exchange("POST", `/reports/${draft.id}/run`, { query: send ? { send: true } : {} });
      const sent = run.deliveries.filter((d) => d.delivery).length;
      notice(
        `It ran: ${run.failed ? outcome(run).words : plural(run.panels, "panel")}, ${send ? `${plural(sent, "message")} on the way` : "nothing was sent"}`,
        { seconds: 6 },
      );
      amend({ run: run.id }, { replace: true });
      await this.#list.again();
    } catch (failed) {
      notice(`It did not run: ${[failed.message, failed.hint].filter(Boolean).join(" ")}`, { seconds: 10 });
    }
    this.#running = null;
    redraw();
  }

  #buttons() {
    const { draft } = this;
    const targets = draft.before.targets?.length ?? 0;
    const why = !may("operator") ? NEEDS : draft.edited ? "Save or discard your changes first" : null;
    const button = (send, words, off = why) =>
      html`<button
        class="ctl low"
        ?disabled=${off !== null || this.#running !== null}
        title=${off ?? nothing}
        @click=${() => this.run(send)}
      >
        ${this.#running === (send ? "send" : "run") ? "Running" : words}
      </button>`;
    return html`${button(false, html`Run now <kbd>R</kbd>`)}${button(
      true,
      targets ? `Run and send to ${plural(targets, "target")}` : "Run and send",
      why ?? (targets ? null : "It has no target"),
    )}`;
  }

  #file(run, name, words, label, query = {}) {
    const params = new URLSearchParams({ ...query, part: String(this.#part) });
    return html`<a
      class="ctl low"
      href=${`/api/v1/reports/${this.draft.id}/runs/${run.id}/${name}?${params}`}
      aria-label=${label}
      download
      >${words}</a
    >`;
  }

  #panel(run, panel) {
    const title = panel.title || panel.name;
    const of = { panel: panel.name };
    const params = new URLSearchParams({ ...of, part: String(this.#part) });
    return html`<li class="shown-panel">
      <div class="row">
        <b class="cut" title=${title}>${title}</b><span class="sp"></span>${panel.answer
          ? html`${this.#file(run, "csv", "CSV", `${title} as CSV`, of)}${this.#file(
              run,
              "png",
              "PNG",
              `${title} as PNG`,
              of,
            )}`
          : nothing}
      </div>
      ${panel.answer
        ? html`<div class="panel-picture" tabindex=${narrow() ? "0" : nothing} role="group" aria-label=${title}>
            <img
              loading="lazy"
              src=${`/api/v1/reports/${this.draft.id}/runs/${run.id}/png?${params}`}
              alt=${`${title} as it was`}
            />
          </div>`
        : html`<p class="warn s12">${panel.reason ?? "It was not answered."}</p>`}
    </li>`;
  }

  /** What became of one message. */
  #message(d, parts) {
    const entry = this.#log.data?.items.find((one) => one.id === d.delivery);
    const to = d.target.name || "a target";
    if (!d.delivery)
      return html`<li>
        ${deliveryShape("dropped")}<span class="warn">Not sent to ${to}: ${d.reason ?? "nobody knows why"}</span>
      </li>`;
    const link = html`<a class="acc" href=${href(`/notifications/deliveries/${d.delivery}`)}>${to}</a>`;
    if (!entry)
      return html`<li>
        ${shape("unknown", 12, "not known")}<span>${link} <span class="m">see the delivery log</span></span>
      </li>`;
    const part = parts > 1 ? ` ${entry.alertName.replace(`${this.draft.before.name}: `, "")},` : "";
    const words = answerWords(entry);
    const bad = ["dead", "retry"].includes(entry.state);
    return html`<li>
      ${deliveryShape(entry.state)}<span
        >${link}${part}
        <span class=${bad ? "warn" : "m"}
          >${stateWord(entry.state)}${words && words !== "accepted" ? `: ${words}` : ""}${entry.state === "dead"
            ? html`. <a class="acc" href=${href(`/notifications/targets/${d.target.id}`)}>Mend the target</a>, then
                replay the message.`
            : nothing}</span
        ></span
      >
    </li>`;
  }

  /** The log, as long as a run that is listed was sent; read again while a message is on its way. */
  #wantLog(runs) {
    if (!runs.some((run) => run.deliveries.some((d) => d.delivery))) return;
    this.#log.want(runs[0].id, lastTick());
    if (this.#log.data?.items.some((one) => !isOver(one))) this.#log.every(AGAIN);
  }

  #messages(run) {
    if (!run.deliveries.length)
      return run.state === "done"
        ? html`<p class="behind-say m">
            ${run.askedBy ? `${run.askedBy} ran it; it was not sent.` : "It has no target, so nothing was sent."}
          </p>`
        : nothing;
    return html`<ul class="messages" aria-label="Messages">
      ${run.deliveries.map((d) => this.#message(d, run.parts))}
    </ul>`;
  }

  #shown(run) {
    const parts = run.content ?? [];
    const part = parts[this.#part - 1] ?? parts[0];
    if (!part) return nothing;
    return html`<div class="row wrap pad shown-head">
        ${parts.length > 1
          ? html`<select
              class="field inline"
              aria-label="Part"
              @change=${(e) => ((this.#part = Number(e.target.value)), redraw())}
            >
              ${parts.map((p, n) => html`<option value=${n + 1} ?selected=${n + 1 === this.#part}>${p.label}</option>`)}
            </select>`
          : nothing}<span class="m s12 whole-text"
          >${[windowText({ from: Date.parse(part.from), to: Date.parse(part.to) }), ...part.words].join(", ")}</span
        ><span class="sp"></span>${this.#file(run, "pdf", "PDF", "All of it as PDF")}
      </div>
      <ul class="shown-panels">
        ${part.panels.map((panel) => this.#panel(run, panel))}
      </ul>`;
  }

  #detail(run) {
    const load = this.#one;
    if (load.of !== run.id) {
      load.reset();
      load.of = run.id;
      this.#part = 1;
    }
    if (run.state !== "done") return html`<div class="shown">${reasonLine(run)}${this.#mend(run)}</div>`;
    load.want(this.draft.id, run.id);
    return html`<div class="shown">
      ${reasonLine(run)}${this.#messages(run)}${loaded(load, (whole) => this.#shown(whole), { rows: 6 })}
    </div>`;
  }

  /** What to do about a run that showed nothing. */
  #mend(run) {
    return html`<p class="behind-say">
      ${run.state === "missed"
        ? "The one after it was made up for. Run it now if you need it as of now."
        : "Nothing was sent. Mend what it says, save, and run it again."}
    </p>`;
  }

  view() {
    const { draft } = this;
    this.want();
    const open = (id) => amend({ run: id }, { replace: true });
    return html`<section class="pane report-runs" aria-label="Runs">
      <div class="ph">
        <h2>Runs</h2>
        <span class="m cut">newest first, each kept with its data</span>
        <span class="sp"></span>
        ${this.#buttons()}
      </div>
      ${loaded(
        this.#list,
        ({ items, total }) => {
          this.#wantLog(items);
          const dead = deadOf(this.#log.data);
          return html`<ul class="runs">
              ${items.map((r, n) => {
                const on = param("run") ? param("run") === r.id : n === 0;
                return html`<li>
                  <button class="run-head" aria-expanded=${on} @click=${() => open(on ? "none" : r.id)}>
                    ${icon(on ? "caret" : "right", 12)}${outcomeShape(r, dead)}<b>${moment(Date.parse(r.dueAt))}</b
                    ><span class="m cut"
                      >${outcome(r, dead).words}${r.parts > 1 ? `, ${plural(r.parts, "part")}` : ""}${r.askedBy
                        ? `, run by ${r.askedBy}`
                        : ""}</span
                    ></button
                  >${on ? this.#detail(r) : nothing}
                </li>`;
              })}
            </ul>
            ${total > items.length ? html`<p class="pad m s12">the newest ${items.length} of ${total}</p>` : nothing}`;
        },
        {
          rows: 6,
          isEmpty: ({ items }) => !items.length,
          empty: draft.before.schedule
            ? `It did not run yet. The first time is ${moment(Date.parse(draft.before.nextAt))}.`
            : "It did not run yet, and does not by itself.",
        },
      )}
    </section>`;
  }
}
