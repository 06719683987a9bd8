// The overlay of keys: what acts on this page now.
import { html } from "../core/html.js";
import { activeKeys } from "../core/keys.js";
import { keep, kept } from "../core/store.js";
import { redraw } from "../core/bus.js";
import { closeLayer, showLayer } from "../parts/layer.js";

let listed = [];

export function showHelp() {
  listed = activeKeys().map((layer) => layer.filter(([name, value]) => name !== "modal" && value[1]));
  showLayer("dialog", view, { label: "Keys of this page", keys: { "?": [closeLayer, ""] } });
}

const caps = (name) => name.split(" ").map((part) => html`<kbd>${part === "Escape" ? "Esc" : part}</kbd> `);
const TITLES = ["This page", "Everywhere"];

const view = () => html`<h2 class="title">Keys</h2>
  <div class="keys">
    ${listed.filter((l) => l.length).map((layer, i, all) => html`<section><h3>${TITLES[all.length === 1 ? 1 : i] ?? "Everywhere"}</h3>
      <dl>${layer.map(([name, [, words]]) => html`<dt>${caps(name)}</dt><dd>${words}</dd>`)}</dl></section>`)}
  </div>
  <div class="row"><label class="check"><input type="checkbox" .checked=${kept("singleKeys", true)} @change=${(e) => (keep("singleKeys", e.target.checked), redraw())} />Single keys act (never in fields)</label>
    <span class="sp"></span><button class="ctl" @click=${closeLayer}>Close</button></div>`;
