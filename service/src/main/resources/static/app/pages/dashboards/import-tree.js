// What becomes of a file: dashboards, their panels and their columns as a tree that opens where a person is needed.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { phone } from "../../core/screen.js";
import { href } from "../../core/url.js";
import { shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { outcomeMark } from "./import-marks.js";
import { filtersOf, isTold, keyed, linesOf, settleOf } from "./import-words.js";

const STATE_SHAPES = { same: "alike", changed: "info", conflict: "warning", invalid: "warning" };
const KEPT = "The original stays with each dashboard; what nobody here understands survives an export";
const DONE = { create: "created", overwrite: "overwritten", skip: "left as it was" };

/** The id of the field that settles something. */
export const fieldOf = (/** @type {number} */ at) => `settle-${at}`;

const focusField = (at) => {
  const field = document.getElementById(fieldOf(at));
  field?.scrollIntoView({ block: "center" });
  field?.focus();
};

export class ImportTree {
  /** `state` is that of the import. */
  constructor(state) {
    this.state = state;
  }

  get #lines() {
    const { tree, filter, folded } = this.state;
    return linesOf(tree, filter, folded);
  }

  /** Where the one thing stands that a part waits for, among all there is to settle; -1 = nowhere. */
  #field({ part, file }) {
    const { settle } = this.state;
    const own = settle.filter(([of]) => of.result?.file === file).map(([, one]) => one);
    const found = settleOf(part, own);
    return found ? settle.findIndex(([of, one]) => one === found && of.result?.file === file) : -1;
  }

  #turn(part, open) {
    this.state.folded.set(part.key, open);
    redraw();
  }

  /** The row that has the keyboard. */
  #row() {
    return /** @type {HTMLElement} */ (document.activeElement?.closest?.("[data-line]"));
  }

  #step(by) {
    const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-line]")]);
    const here = this.#row();
    const next = all[Math.max(0, Math.min(all.length - 1, here ? all.indexOf(here) + by : 0))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  #now() {
    const key = this.#row()?.dataset.line;
    return this.#lines.find(({ part }) => part.key === key) ?? null;
  }

  /** Opens or closes the line; one that waits for a choice leads to it. */
  #enter() {
    const line = this.#now();
    if (!line) return;
    const field = line.part.children.length ? -1 : this.#field(line);
    if (field >= 0 && !this.state.done) focusField(field);
    else if (line.can) this.#turn(line.part, !line.open);
  }

  #unfold(open) {
    const line = this.#now();
    if (line?.can && line.open !== open) this.#turn(line.part, open);
  }

  keys() {
    const there = () => this.state.results.length > 0;
    return {
      J: [() => this.#step(1), "Next row", there],
      K: [() => this.#step(-1), "Row before", there],
      ...(this.#row()
        ? {
            ArrowDown: [() => this.#step(1), ""],
            ArrowUp: [() => this.#step(-1), ""],
            ArrowRight: [() => this.#unfold(true), ""],
            ArrowLeft: [() => this.#unfold(false), ""],
            Enter: [() => this.#enter(), "Open the row, or choose"],
          }
        : {}),
    };
  }

  #stateCell(part) {
    if (part.outcome)
      return html`<span class="outcome">${outcomeMark(part.outcome)}<span>${part.outcome}</span></span>`;
    const words = this.state.done && part.item.action !== "skip" ? DONE[part.item.action] : part.stateWord;
    return words
      ? html`<span class="outcome">${shape(STATE_SHAPES[part.state] ?? "info", 11, "")}<span>${words}</span></span>`
      : nothing;
  }

  #title(part) {
    if (part.kind !== "dashboard") return part.title;
    return part.state === "same" || (this.state.done && part.item.action !== "skip")
      ? html`<a href=${href(`/dashboards/${part.item.id}`)}>${part.title}</a>`
      : part.title;
  }

  #data(line) {
    const { part } = line;
    const field = this.#field(line);
    if (field < 0 || this.state.done) return part.data;
    return html`<button
      class="link"
      aria-label=${`${part.outcome === "choose" ? "Choose" : "Look up"}: ${part.title}`}
      @click=${() => focusField(field)}
    >
      ${part.outcome === "choose" ? "Choose" : "Look up"}
    </button>`;
  }

  #line(line, first) {
    const { part, open, can } = line;
    const { state } = this;
    const words = html`${keyed(part.text).map(([text, isKey]) =>
      isKey ? html`<code>${text}</code>` : html`<span>${text}</span>`,
    )}`;
    return html`<tr
        role="row"
        class="level-${part.level} ${part.state === "same" ? "quiet" : ""}"
        data-line=${part.key}
        aria-level=${part.level}
        aria-expanded=${can ? String(open) : nothing}
        tabindex=${state.at === part.key || (first && !state.at) ? "0" : "-1"}
        @focus=${() => (state.at = part.key)}
        @click=${(e) => can && !e.target.closest("a, button") && this.#turn(part, !open)}
      >
        <td role="gridcell" class="l-name" title=${part.title}>
          <span class="twisty" aria-hidden="true">${can ? (open ? "\u2304" : "\u203a") : ""}</span>${this.#title(part)}
        </td>
        <td role="gridcell" class="l-long">${this.#stateCell(part)}</td>
        <td role="gridcell" class="l-what i2" title=${part.text.replaceAll("`", "")}>${words}</td>
        <td role="gridcell" class="r l-value">${this.#data(line)}</td>
      </tr>
      ${open && isTold(part) ? this.#told(part.item) : nothing}`;
  }

  /** What is otherwise than in the stored one, and why it cannot be stored. */
  #told(item) {
    return html`<tr role="row" class="inside">
      <td role="gridcell" colspan="4" class="whole-text">
        ${item.errors.length ? html`<p class="s12 warn">${item.reason}</p>` : nothing}
        ${item.errors.map((e) => html`<p class="s12"><code>${e.field}</code> ${e.reason}</p>`)}
        ${item.changes.length
          ? html`<p class="s12 m">Otherwise than what is stored:</p>
              <ul class="changed-list s12">
                ${item.changes.map((change) => html`<li>${change}</li>`)}
              </ul>`
          : nothing}
      </td>
    </tr>`;
  }

  view(totals) {
    const { state } = this;
    const lines = this.#lines;
    // A line that is no longer in sight leaves its place in the order of keys to the first.
    if (state.at && !lines.some(({ part }) => part.key === state.at)) state.at = null;
    return html`<section class="pane rows import-tree" aria-label="What becomes of it">
      <div class="ph">
        <h2>What becomes of it</h2>
        <span class="m cut">open what needs you</span>
        <span class="sp"></span>
        ${segments(
          state.filter,
          filtersOf(totals),
          (filter) => {
            state.filter = filter;
            state.folded = new Map();
            redraw();
          },
          "Show",
        )}
      </div>
      <div class="results ${state.loading ? "dimmed" : ""}" tabindex="-1">
        ${lines.length
          ? html`<table role="treegrid" aria-label="Dashboards, panels and columns">
              <colgroup>
                <col class="w-part" />
                <col class="w-outcome" />
                <col />
                <col class="w-num" />
              </colgroup>
              <thead role="rowgroup">
                <tr role="row">
                  <th role="columnheader">Dashboard, panel, column</th>
                  <th role="columnheader">State</th>
                  <th role="columnheader">What happens</th>
                  <th role="columnheader" class="r">Data today</th>
                </tr>
              </thead>
              <tbody role="rowgroup">
                ${repeat(
                  lines,
                  ({ part }) => part.key,
                  (line, i) => this.#line(line, i === 0),
                )}
              </tbody>
            </table>`
          : html`<div class="empty">
              ${state.filter === "needs"
                ? "Nothing needs you."
                : state.filter === "waits"
                  ? "Nothing waits for data."
                  : "There is no dashboard and no view of its own in it."}
              ${state.filter === "all"
                ? nothing
                : html`<button class="link" @click=${() => ((state.filter = "all"), redraw())}>Show all</button>`}
            </div>`}
      </div>
      <div class="foot-line">
        <span class="cut" title=${KEPT}>${KEPT}</span>
        <span class="sp"></span>
        ${phone() ? nothing : html`<span class="nw"><kbd>J</kbd> <kbd>K</kbd> row <kbd>Enter</kbd> open</span>`}
      </div>
    </section>`;
  }
}
