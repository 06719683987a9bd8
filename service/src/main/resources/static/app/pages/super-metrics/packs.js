// Packs: super metrics that come with Peerlens, by name.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may } from "../../core/session.js";
import { go } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { loaded } from "../../parts/pane.js";
import { coloured } from "../../formula/coloured.js";
import { kindsText, unitWord } from "./words.js";

const packs = new Load((signal) => get("/super-metrics/packs", {}, signal));
const NOW = { installed: "installed", changed: "installed, changed since", "not-installed": "" };

export function showPacks() {
  packs.reset();
  packs.want();
  showLayer("dialog", view, { label: "Packs" });
}

const member = (m) =>
  html`<li>
    <details>
      <summary class="row">
        <b class="cut">${m.name}</b
        ><span class="m">${kindsText(m.kinds)}${unitWord(m.unitId) ? `, ${unitWord(m.unitId)}` : ""}</span
        ><span class="sp"></span> <span class="m">${m.validity === "no-data-here" ? "no data for it here" : ""}</span
        ><span class="m">${NOW[m.installed]}</span>
      </summary>
      ${m.description ? html`<p class="i2 pad">${m.description}</p>` : nothing}
      <pre class="formula">${coloured(m.formula)}</pre>
    </details>
  </li>`;

function pack(p) {
  const all = p.superMetrics.length;
  const open = () => {
    closeLayer();
    go("/super-metrics/import", { pack: p.name });
  };
  return html`<section class="pack">
    <div class="row">
      <b>${p.name}</b>
      <span class="m"
        >${p.installed
          ? `${p.installed} of ${plural(all, "super metric")} installed`
          : plural(all, "super metric")}</span
      >
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
      ${p.superMetrics.map(member)}
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
        rows: 8,
        isEmpty: ({ items }) => !items.length,
        empty: "No pack comes with this build.",
      })}
    </div>
    <div class="row">
      <span class="sp"></span>
      <button class="ctl" @click=${closeLayer}>Close</button>
    </div>`;
