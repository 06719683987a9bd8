// The scope: an object whose descendants every page is narrowed to. In the address as `scope`.
import { html, repeat } from "../core/html.js";
import { settled } from "../core/bus.js";
import { get } from "../core/api.js";
import { Load } from "../core/load.js";
import { kindRank, kindWord } from "../core/metrics.js";
import { amend, param } from "../core/url.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { stateShape } from "../parts/shapes.js";
import { loaded } from "../parts/pane.js";

const scoped = new Load((id, signal) => get(`/objects/${id}`, {}, signal));
const choices = new Load(async (q, signal) => {
  const query = { objectKind: q ? [] : ["Datacenter", "ClusterComputeResource"], q, limit: 60, withPath: true };
  return (await get("/objects", query, signal)).items.sort((a, b) => kindRank(b.objectKind) - kindRank(a.objectKind));
});
const search = settled((q) => choices.want(q));

export const scopeId = () => param("scope") || null;

/** The name of the scope, or null when there is none. */
export function scopeName() {
  const id = scopeId();
  if (!id) return null;
  scoped.want(id);
  if (scoped.data?.id === id) return scoped.data.name;
  return scoped.error ? "unknown scope" : "\u2026";
}

export const clearScope = () => amend({ scope: null });

function choose(id) {
  closeLayer();
  amend({ scope: id });
}

export function showScope() {
  choices.want("");
  showLayer("popover at-scope", view, { label: "Scope" });
}

const view = () =>
  html`<input
      class="field"
      type="search"
      placeholder="Datacentre, cluster, host or anything else"
      aria-label="Find a scope"
      autofocus
      @input=${(event) => search(event.target.value.trim())}
    />
    <ul class="menu">
      <li>
        <button @click=${() => choose(null)}><b>Everything</b><span class="m">no scope</span></button>
      </li>
    </ul>
    ${loaded(
      choices,
      (items) =>
        html`<ul class="menu" aria-label="Found">
          ${repeat(
            items,
            (o) => o.id,
            (o) =>
              html`<li>
                <button @click=${() => choose(o.id)}>
                  ${stateShape(o.state)}<span class="cut">${o.name}</span
                  ><span class="m cut"
                    >${kindWord(o.objectKind)}${o.path?.length ? ` in ${o.path.join(" / ")}` : ""}</span
                  >
                </button>
              </li>`,
          )}
        </ul>`,
      { rows: 5, empty: "Nothing has this name.", isEmpty: (items) => !items.length },
    )}
    <p class="m s12 pad">
      A scope is an object and everything below it. It stays in the address and follows you from page to page.
    </p>`;
