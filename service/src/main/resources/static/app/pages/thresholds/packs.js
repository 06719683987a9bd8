// Packs of thresholds and alert definitions that come with Peerlens.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may } from "../../core/session.js";
import { go } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { loaded } from "../../parts/pane.js";

const packs = new Load((signal) => get("/rules/packs", {}, signal));

export function showRulePacks() {
  packs.reset();
  packs.want();
  showLayer("dialog", view, { label: "Packs" });
}

const NOW = { installed: "installed", changed: "installed, changed since", "not-installed": "" };
const SECTIONS = {
  groups: "group",
  thresholds: "threshold",
  alertDefinitions: "alert definition",
  outlierGroups: "outlier group",
};

const member = (r) =>
  html`<li>
    <details>
      <summary class="row">
        <b class="cut">${r.name}</b><span class="m">${SECTIONS[r.section] ?? r.section}</span><span class="sp"></span
        ><span class="m">${NOW[r.installed]}</span>
      </summary>
      <p class="i2 pad">${r.description ?? "No words about it."}</p>
    </details>
  </li>`;

function pack(p) {
  const all = p.rules.length;
  const open = () => {
    closeLayer();
    go("/thresholds/import", { pack: p.name });
  };
  return html`<section class="pack">
    <div class="row">
      <b>${p.name}</b>
      <span class="m">${p.installed ? `${p.installed} of ${plural(all, "rule")} installed` : plural(all, "rule")}</span>
      <span class="sp"></span>
      <button
        class="ctl"
        ?disabled=${!may("operator")}
        title=${may("operator") ? nothing : "Needs the role operator"}
        aria-label=${`Install ${p.name}`}
        @click=${open}
      >
        ${p.installed === all ? "Install again\u2026" : "Install\u2026"}
      </button>
    </div>
    <p class="i2">${p.summary}</p>
    <ul>
      ${p.rules.map(member)}
    </ul>
  </section>`;
}

const view = () =>
  html`<div class="row">
      <h2 class="title">Packs</h2>
      <span class="sp"></span>
      <span class="m s12">What would change is shown before anything does.</span>
    </div>
    <div class="packs">
      ${loaded(packs, ({ items }) => items.map(pack), {
        rows: 6,
        isEmpty: ({ items }) => !items.length,
        empty: "No pack comes with this build.",
      })}
    </div>
    <div class="row">
      <span class="sp"></span>
      <button class="ctl" @click=${closeLayer}>Close</button>
    </div>`;
