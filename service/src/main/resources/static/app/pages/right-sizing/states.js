// What stands in the place of a list or above it: figures, what is being done, and why there is nothing.
import { html, nothing } from "../../core/html.js";
import { count, plural } from "../../core/format.js";
import { href } from "../../core/url.js";
import { shape } from "../../parts/shapes.js";
import { progress } from "../../parts/small.js";
import { rateNote } from "./hit-rate.js";
import { figures, percent } from "./words.js";

/** The figures of a tab in a line; `known` is the hit rate, null while it is not read. */
export function tiles(data, tab, known) {
  const hit = [
    "Hit rate",
    known && known.rate !== null ? percent(known.rate) : null,
    known ? rateNote(known) : "",
    false,
  ];
  return html`<section class="pane figs-pane" aria-label="At a glance">
    <div class="figs">
      ${[...figures(data, tab), hit].map(
        ([name, value, note, warns]) =>
          html`<div class="fig">
            <span class="s12 i2">${name}</span>
            <b class=${value === null ? "none" : ""}
              >${value ?? "not known"}${warns ? shape("warning", 13, "needs you") : nothing}</b
            >
            <span class="s12 m">${note}</span>
          </div>`,
      )}
    </div>
  </section>`;
}

/** That machines are being evaluated; `of` is the job, null while it is not read. */
export function working(of) {
  return html`<section class="pane evaluating" role="status">
    <b>Machines are being evaluated</b>
    ${progress(of?.done ?? 0, of?.total ?? 0, "Evaluating")}
    <span class="m">${of?.total ? `${count(of.done)} of ${count(of.total)} ${of.unit}` : "reading their history"}</span>
  </section>`;
}

/** What stands there while no machine was evaluated; `history` is how much is judged. */
export const first = (history) =>
  html`<section class="pane words" aria-label="First steps">
    <p class="say">
      <b>Machines are evaluated once a day, and whenever somebody asks for it.</b> What they used in the last ${history}
      says which of them are too small, which could give back CPU, memory or disk, and how many more each cluster holds.
      It needs two weeks of history, and vCenter's collector for sizes, power states and snapshots:
      <a href=${href("/sources")}>Sources</a>.
    </p>
  </section>`;

/** Why a list is empty: `{ typed, dropFilter, ignored, reason, owner, machines }`. */
export function none({ typed, dropFilter, ignored, reason, owner, machines }) {
  if (typed)
    return html`<div class="empty">
      Nothing matches. <button class="link" @click=${dropFilter}>Drop the filter</button>
    </div>`;
  if (ignored) return html`<div class="empty">Nothing of this kind is ignored.</div>`;
  if (reason)
    return html`<div class="empty">
      <p class="row">${shape("unknown", 13, "")}<b>This is not known.</b></p>
      ${reason} <a class="acc" href=${href("/sources")}>Sources</a>
    </div>`;
  return html`<div class="empty">
    ${owner ? "Nothing of this owner." : `Nothing of this kind among ${plural(machines, "machine")}.`}
  </div>`;
}
