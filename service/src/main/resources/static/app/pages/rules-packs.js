// Packs of thresholds and alert definitions that come with Peerlens.
import { html, nothing } from "../core/html.js";
import { get } from "../core/api.js";
import { plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { may } from "../core/session.js";
import { go } from "../core/url.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { loaded } from "../parts/pane.js";

const packs = new Load((signal) => get("/rules/packs", {}, signal));

export function showRulePacks() {
  packs.reset();
  packs.want();
  showLayer("dialog", view, { label: "Packs" });
}

function pack(p) {
  const rules = [...(p.thresholds ?? []), ...(p.alertDefinitions ?? [])];
  const n = rules.length || p.rules || 0;
  const open = () => {
    closeLayer();
    go("/thresholds/import", { pack: p.name });
  };
  return html`<section class="pack"><div class="row"><b>${p.name}</b><span class="m">${p.installed ? `${p.installed} of ${plural(n, "rule")} installed` : plural(n, "rule")}</span><span class="sp"></span>
      <button class="ctl" ?disabled=${!may("operator")} title=${may("operator") ? nothing : "Needs the role operator"} aria-label=${`Install ${p.name}`} @click=${open}>${p.installed && p.installed === n ? "Install again\u2026" : "Install\u2026"}</button></div>
    <p class="i2">${p.summary ?? p.description ?? ""}</p>${rules.length ? html`<p class="m s12">${rules.map((r) => r.name).join("; ")}</p>` : nothing}</section>`;
}

const view = () => html`<div class="row"><h2 class="title">Packs</h2><span class="sp"></span><span class="m s12">What would change is shown before anything does.</span></div>
  <div class="packs">${loaded(packs, ({ items }) => items.map(pack), { rows: 6, isEmpty: ({ items }) => !items.length, empty: "No pack comes with this build." })}</div>
  <div class="row"><span class="sp"></span><button class="ctl" @click=${closeLayer}>Close</button></div>`;
