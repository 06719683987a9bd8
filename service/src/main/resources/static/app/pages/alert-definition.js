// One alert definition: thresholds on an object and its neighbours, combined into one alert.
import { html, nothing } from "../core/html.js";
import { get } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { IMPACTS } from "../core/health.js";
import { Load } from "../core/load.js";
import { kindWord } from "../core/metrics.js";
import { SEVERITIES } from "../core/severity.js";
import { lastTick } from "../core/time.js";
import { back, go, href } from "../core/url.js";
import { Draft } from "../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../parts/history.js";
import { copy } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { chip, segments } from "../parts/small.js";
import { conditionTree, treeText } from "./alert-tree.js";
import { detailFields, recommendationFields } from "./rule-fields.js";
import { cleanScope, ScopeFields, scopeWords } from "./scope-fields.js";

const BLANK = {
  name: "", description: null, enabled: true, objectKind: null, scope: {}, impact: "health", criticality: "auto", condition: { type: "all", conditions: [{ type: "threshold", on: "self" }] },
  waitCycles: 1, cancelCycles: 1, recommendations: [], type: null, subType: null, tags: [], owner: null, intervalSeconds: 60,
};
const FIELDS = {
  name: "Name", description: "Description", enabled: "Enabled", objectKind: "Object kind", scope: "Scope", impact: "Impact", criticality: "Severity", condition: "Condition", waitCycles: "Wait cycles",
  cancelCycles: "Cancel cycles", recommendations: "Recommendations", type: "Type", subType: "Subtype", tags: "Tags", owner: "Owner", intervalSeconds: "Judged every",
};

const toBody = (body) => ({ ...body, scope: cleanScope(body.scope), recommendations: body.recommendations.filter((r) => r.trim()) });

export function page(address) {
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const thresholds = new Load((_tick, signal) => get("/thresholds", { limit: 1000 }, signal));
  const known = () => thresholds.data?.items ?? [];
  const shown = (name, v) => {
    if (name === "condition") return treeText(v, known());
    if (name === "scope") return scopeWords(v, "every object");
    if (name === "objectKind") return v?.objectKind ?? "none";
    if (name === "enabled") return v ? "yes" : "no";
    return Array.isArray(v) ? v.join("; ") || "none" : `${v ?? ""}` || "none";
  };
  const draft = new Draft({ api: "/alert-definitions", place: "/thresholds/definitions", list: () => go("/thresholds", { tab: "definitions" }), address, blank: BLANK, labels: FIELDS, show: shown, toBody });
  const scope = new ScopeFields({ label: "Scope" });

  function update() {
    draft.want();
    kinds.want(lastTick());
    thresholds.want(lastTick());
  }

  function bar() {
    const d = draft.before;
    return html`<div class="tb"><a class="m nw" href=${href("/thresholds", { tab: "definitions" })}>Alert definitions /</a><h1 class="cut" title=${draft.value("name")}>${draft.value("name") || (draft.isNew ? "New alert definition" : "\u00a0")}</h1>
      ${d.pack ? chip(`pack ${d.pack}`) : nothing}${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.value("enabled") ? nothing : chip("disabled")}${draft.meanwhile()}
      ${d.error ? html`<span class="warn s12 cut" title=${d.error}>${d.error}</span>` : d.openAlerts ? html`<a class="acc s12 nw" href=${href("/alerts", { q: `rule:"${d.name}"` })}>${plural(d.openAlerts, "alert")} open</a>` : nothing}<span class="sp"></span>
      ${historyButton(draft)}${draft.isNew ? nothing : html`<a class="ctl ghost" href=${`/api/v1/rules/export?id=${draft.id}`} download>Export</a>`}
      ${draft.saveButtons()}</div>`;
  }

  function rulePane() {
    const off = !draft.allowed;
    const kind = draft.value("objectKind");
    const all = (kinds.data?.items ?? []).flatMap((a) => a.objectKinds).sort((a, b) => b.objects - a.objects);
    const at = all.findIndex((k) => k.objectKind === kind?.objectKind && k.adapterKind === kind?.adapterKind);
    const cycles = (name, label) => html`<input class="field inline tiny" type="number" min="1" max="100" aria-label=${label} .value=${String(draft.value(name))} ?disabled=${off} @change=${(e) => draft.set(name, Math.min(100, Math.max(1, Math.round(Number(e.target.value) || 1))))} />`;
    return html`<section class="pane" aria-label="Rule"><div class="form"><label class="lab">Name<input class="field" name="name" maxlength="1000" autocomplete="off" .value=${draft.value("name")} ?disabled=${off} aria-invalid=${draft.wrong("name") ? "true" : "false"} @input=${(e) => draft.set("name", e.target.value)} />${draft.said("name")}</label></div>
      <div class="sentence"><p>An alert for each <select class="field inline" aria-label="Object kind" ?disabled=${off} @change=${(e) => { const k = all[Number(e.target.value)]; if (k) draft.set("objectKind", { adapterKind: k.adapterKind, objectKind: k.objectKind }); }}><option value="-1" ?selected=${at < 0}>${kind && at < 0 ? kind.objectKind : "object kind\u2026"}</option>${all.map((k, i) => html`<option value=${i} ?selected=${i === at}>${kindWord(k.objectKind)} (${k.adapterKind}, ${count(k.objects)})</option>`)}</select> in the scope below, when</p>${draft.said("objectKind")}
        ${conditionTree({ condition: draft.value("condition").type === "threshold" ? { type: "all", conditions: [draft.value("condition")] } : draft.value("condition"), set: (c) => draft.set("condition", c), thresholds: known(), kinds, off })}${draft.said("condition")}
        <p>It opens after ${cycles("waitCycles", "Ticks until it opens")} ticks in a row and clears after ${cycles("cancelCycles", "Ticks until it clears")} without. Severity: <select class="field inline" aria-label="Severity" ?disabled=${off} @change=${(e) => draft.set("criticality", e.target.value)}>${["auto", ...SEVERITIES].map((s) => html`<option value=${s} ?selected=${s === draft.value("criticality")}>${s === "auto" ? "that of the worst symptom" : s}</option>`)}</select></p>
        <p class="m s12 in-words" role="status">In words: ${treeText(draft.value("condition"), known())}.</p></div></section>`;
  }

  return {
    get title() {
      return draft.value("name") || "Alert definition";
    },
    name: "definition",
    timed: false,
    update,
    escape: () => {
      const at = document.activeElement;
      if (at?.matches("input, textarea, select")) at.blur();
      else back("/thresholds");
    },
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data) return html`<div class="tb"><h1>No alert definition to show</h1></div><section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there) return html`${bar()}<section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      const off = !draft.allowed;
      const kind = draft.value("objectKind");
      return html`${bar()}<div class="cols"><div class="col">
          ${draft.error && !draft.error.errors?.length ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>` : nothing}
          ${rulePane()}
          <section class="pane" aria-label="Scope"><div class="ph"><h2>Scope</h2><span class="m cut">${kind ? scopeWords(draft.value("scope"), "all objects of the kind") : "choose an object kind first"}</span></div><div class="pad">${kind ? scope.view({ scope: draft.value("scope"), set: (s) => draft.set("scope", s), kind, off }) : nothing}${draft.said("scope")}</div></section>
        </div><div class="col">${draftHistory(draft)}
          <section class="pane" aria-label="Alert"><div class="ph"><h2>Alert</h2></div><div class="form"><div class="lab" role="group" aria-label="What suffers"><span>What suffers</span><div>${segments(draft.value("impact"), IMPACTS.map((i) => [i, i]), (v) => !off && draft.set("impact", v), "What suffers")}</div></div>
            ${recommendationFields({ all: draft.value("recommendations"), set: (list) => draft.set("recommendations", list), off })}</div></section>
          ${detailFields({ draft, remove: () => draft.remove("Its open alerts are canceled with the next tick; its history stays.") })}</div></div>`;
    },
  };
}
