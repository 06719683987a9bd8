// Groups that the data suggest: each with why. Nothing is made of one until somebody opens and saves it.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { keep, kept } from "../../core/store.js";
import { href } from "../../core/url.js";
import { notice } from "../../parts/notice.js";

const SHOWN = 3;

export const suggestions = new Load((_tick, signal) => get("/outlier-groups/suggestions", {}, signal));

let whole = false;

async function dismiss(list) {
  if (!may("operator")) return notice(NEEDS);
  try {
    for (const s of list) await post(`/outlier-groups/suggestions/${s.id}/dismiss`);
    notice(
      list.length === 1
        ? `${list[0].group.name} is not suggested again`
        : `${count(list.length)} are not suggested again`,
    );
  } catch (error) {
    notice(`Not dismissed: ${error.message}`, { seconds: 8 });
  }
  suggestions.again();
}

const preview = (s) => href("/outliers/new", { suggestion: s.id });

const one = (s) =>
  html`<div class="suggestion">
    <b class="cut" title=${s.examples.map((o) => o.name).join(", ")}>${s.group.name}</b>
    <span class="row"
      ><a class="link" href=${preview(s)}>Preview</a>
      <button
        class="link quiet s12"
        ?disabled=${!may("operator")}
        title=${may("operator") ? "It does not come again, for anybody" : NEEDS}
        aria-label=${`Dismiss ${s.group.name}`}
        @click=${() => dismiss([s])}
      >
        Dismiss
      </button></span
    >
    <span class="m s12 why" title=${s.reason}>${s.reason}</span>
  </div>`;

/** The pane at the foot of the list, with `all` of them where there is no list yet; nothing when there is none. */
export function suggestedPane({ all = false } = {}) {
  const items = suggestions.data?.items ?? [];
  if (!items.length) return nothing;
  const folded = !all && kept("suggested.folded", false);
  const fold = () => {
    keep("suggested.folded", folded ? null : true);
    redraw();
  };
  const every = whole || all;
  const shown = every ? items : items.slice(0, SHOWN);
  return html`<section class="pane suggested" aria-label="Suggested groups">
    <div class="ph">
      <h2>Suggested groups</h2>
      <span class="m cut">found in your data; nothing is applied until you open one and save it</span>
      <span class="sp"></span>
      ${items.length > SHOWN && !folded && !all
        ? html`<button
            class="link"
            @click=${() => {
              whole = !whole;
              redraw();
            }}
          >
            ${whole ? "Fewer" : `All ${count(items.length)}`}
          </button>`
        : nothing}
      ${all
        ? nothing
        : html`<button class="link quiet" @click=${fold}>${folded ? `Show ${count(items.length)}` : "Hide"}</button>`}
      ${folded
        ? nothing
        : html`<button
            class="link quiet"
            ?disabled=${!may("operator")}
            title=${may("operator") ? nothing : NEEDS}
            @click=${() => dismiss(items)}
          >
            Dismiss all
          </button>`}
    </div>
    ${folded
      ? nothing
      : html`<div class="suggestions ${every ? "whole" : ""}">${repeat(shown, (s) => s.id, one)}</div>`}
  </section>`;
}

const NONE_FOUND =
  "Nothing suggests itself: there are no three machines that move together, share a tag or lie in one cluster.";

/** What the page of groups shows when there is none: what the data suggest, or how to make one. */
export function noGroups(add) {
  const items = suggestions.data?.items ?? [];
  const first = items[0];
  return html`<section class="pane words" aria-label="No group">
    <p class="say">
      <b>No group is compared yet.</b> A group is a set of machines that do the same job. Each of them is compared with
      the others at the same moment; one that differs is named here, with the reason in a sentence.
    </p>
    ${first
      ? html`<p class="say">
          ${first.reason}. <a href=${preview(first)}>Preview ${first.group.name}</a>${items.length > 1
            ? html`, or one of the ${count(items.length - 1)} others below`
            : nothing}.
        </p>`
      : html`<p class="say">
          ${suggestions.data && !suggestions.data.computedAt
            ? "Your data are looked through for groups; suggestions come within the hour."
            : NONE_FOUND}
        </p>`}
    <p class="say row">
      <button
        class="ctl primary"
        ?disabled=${!may("operator")}
        title=${may("operator") ? nothing : NEEDS}
        @click=${add}
      >
        New group
      </button>
      <a class="ctl" href=${href("/thresholds/import")}>Import a file…</a>
    </p>
  </section>`;
}
