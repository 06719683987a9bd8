// A pane and the states it can be in. A pane that waits keeps its size; old data stays, dimmed.
import { html, nothing } from "../core/html.js";
import { ticking } from "../core/ticking.js";
import { copy } from "./notice.js";

/** @param {{title: string, note?: unknown, end?: unknown, name?: string, body?: unknown, level?: number}} of */
export function pane({ title, note = nothing, end = nothing, name = "", body, level = 2 }) {
  return html`<section class="pane ${name}" aria-label=${title}>
    <div class="ph">
      <h2 aria-level=${level}>${title}</h2>
      <span class="m cut" title=${typeof note === "string" ? note : nothing}>${note}</span>
      <span class="sp"></span>
      ${end}
    </div>
    ${body}
  </section>`;
}

const outlines = (rows) =>
  html`<div class="outlines" aria-hidden="true">${Array.from({ length: rows }, () => html`<span></span>`)}</div>`;

/**
 * What a pane shows for a `Load`: its data through `view`, or why there is none.
 * @param {{data: any, error?: any, loading?: boolean, waited?: number, again?: () => unknown}} load
 * @param {(data: any) => unknown} view
 * @param {{rows?: number, empty?: unknown, isEmpty?: (data: any) => boolean}} [options]
 */
export function loaded(load, view, { rows = 4, empty = null, isEmpty = () => false } = {}) {
  if (load.error && !load.loading) return failure(load.error, () => load.again());
  if (load.data === null) {
    if (load.waited > 4000)
      return html`<div class="waiting" role="status">
        ${ticking(() => `Still reading, ${Math.round(load.waited / 1000)} s so far.`)}
      </div>`;
    return html`<div aria-busy="true">${load.waited > 150 ? outlines(rows) : html`<div class="outlines"></div>`}</div>`;
  }
  if (empty && isEmpty(load.data)) return html`<div class="empty">${empty}</div>`;
  return html`<div class=${load.loading && load.waited > 150 ? "dimmed" : "fresh"}>${view(load.data)}</div>`;
}

/**
 * An error in the pane that failed, in the words of the problem answer; `word` is what the button says that tries
 * another way.
 */
export function failure(error, retry, word = "Retry") {
  return html`<div class="failure" role="alert">
    <b>${error.title ?? "This did not work"}</b>
    <p>${error.detail || error.message}${error.hint ? html` ${error.hint}` : nothing}</p>
    ${(error.errors ?? []).map((e) => html`<p class="m"><code>${e.field}</code> ${e.reason}</p>`)}
    <div class="row">
      ${retry ? html`<button class="ctl" @click=${retry}>${word}</button>` : nothing}
      <button class="ctl" @click=${() => copy(error.details ?? String(error.stack ?? error), "Details copied")}>
        Copy details
      </button>
    </div>
  </div>`;
}
