// The overlay of keys: what acts on this page now.
import { html, nothing } from "../core/html.js";
import { activeKeys } from "../core/keys.js";
import { keep, kept } from "../core/store.js";
import { redraw } from "../core/bus.js";
import { contents, helpAddress, helpFor } from "../core/help.js";
import { href, place } from "../core/url.js";
import { closeLayer, showLayer } from "../parts/layer.js";

let listed = [];

export function showHelp() {
  contents.want(0);
  listed = activeKeys().map((layer) => layer.filter(([name, value]) => name !== "modal" && value[1]));
  showLayer("dialog", view, { label: "Keys and help", keys: { "?": [closeLayer, ""] } });
}

const caps = (name) => name.split(" ").map((part) => html`<kbd>${part === "Escape" ? "Esc" : part}</kbd> `);
const TITLES = ["This page", "Everywhere"];

/** The part of the documentation that helps with this page, by its name. */
function helpLink() {
  const of = helpFor(place.path);
  const doc = of && contents.data?.find((d) => d.page === of.page);
  const title = doc?.sections.find((s) => of.section && s.id === of.section)?.title;
  return html`<p class="help-of">
    ${of
      ? html`Help with this page:
          <a class="acc" href=${helpAddress(of.page, of.section)} @click=${closeLayer}
            >${doc ? (title ? `${doc.title}: ${title}` : doc.title) : "its part of the documentation"}</a
          >. `
      : nothing}<a class="acc" href=${href("/help")} @click=${closeLayer}>All of the documentation</a>.
  </p>`;
}

const view = () =>
  html`<h2 class="title">Keys and help</h2>
    ${helpLink()}
    <div class="keys">
      ${listed
        .filter((l) => l.length)
        .map(
          (layer, i, all) =>
            html`<section>
              <h3>${TITLES[all.length === 1 ? 1 : i] ?? "Everywhere"}</h3>
              <dl>
                ${layer.map(
                  ([name, [, words]]) =>
                    html`<dt>${caps(name)}</dt>
                      <dd>${words}</dd>`,
                )}
              </dl>
            </section>`,
        )}
    </div>
    <div class="row">
      <label class="check"
        ><input
          type="checkbox"
          .checked=${kept("singleKeys", true)}
          @change=${(e) => (keep("singleKeys", e.target.checked), redraw())}
        />Single keys act (never in fields)</label
      >
      <span class="sp"></span>
      <button class="ctl" @click=${closeLayer}>Close</button>
    </div>`;
