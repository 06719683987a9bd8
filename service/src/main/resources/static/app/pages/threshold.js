// One threshold: its rule as a sentence, and beside it what the rule would have done.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { get } from "../core/api.js";
import { plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { lastTick, moment } from "../core/time.js";
import { back, go, href, param } from "../core/url.js";
import { Draft } from "../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../parts/history.js";
import { copy } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { icon, shape } from "../parts/shapes.js";
import { chip } from "../parts/small.js";
import { alertFields, detailFields } from "./rule-fields.js";
import { cleanScope, ScopeFields, scopeWords } from "./scope-fields.js";
import { ThresholdRule, numberOf } from "./threshold-rule.js";
import { WhatIf } from "./threshold-whatif.js";
import { BLANK, byRank, conditionText, FIELDS, levelText, openOf, SENSITIVITIES, stateOf, triggerText } from "./threshold-words.js";

const ALERT = { impact: "health", recommendations: [] };

/** Without parts that say nothing. */
function toBody({ alert, ...body }) {
  const { operator, ...condition } = body.condition;
  const levels = body.condition.levels.map((l) => Object.fromEntries(Object.entries(l).filter(([, v]) => v !== undefined && v !== null)));
  const said = alert ? { alert: { ...alert, recommendations: (alert.recommendations ?? []).filter((r) => r.trim()) } } : {};
  return { ...body, ...said, scope: cleanScope(body.scope), condition: { ...condition, ...(condition.type === "no-data" ? {} : { operator }), levels: byRank(levels) }, overrides: (body.overrides ?? []).map((o) => ({ ...o, scope: cleanScope(o.scope), ...(o.levels ? { levels: o.levels.map((l) => Object.fromEntries(Object.entries(l).filter(([, v]) => v !== undefined && v !== null))) } : {}) })) };
}

function shown(name, v) {
  if (name === "condition") return conditionText(v);
  if (name === "scope") return scopeWords(v, "every object");
  if (name === "trigger") return triggerText(v);
  if (name === "alert") return v ? `${v.impact}${v.recommendations?.length ? `, ${plural(v.recommendations.length, "recommendation")}` : ""}` : "none, a symptom only";
  if (name === "overrides") return (v ?? []).map((o) => `${o.name}: ${scopeWords(o.scope)}`).join("; ") || "none";
  if (name === "objectKind") return v?.objectKind ?? "none";
  if (name === "enabled") return v ? "yes" : "no";
  return Array.isArray(v) ? v.join(", ") || "none" : `${v ?? ""}` || "none";
}

/** A new threshold on the metric that the address names, else a blank one. */
function blank() {
  if (!param("metric")) return BLANK;
  const objectKind = param("objectKind") ? { adapterKind: param("adapterKind"), objectKind: param("objectKind") } : null;
  return { ...BLANK, name: param("name"), objectKind, condition: { ...BLANK.condition, key: param("metric") } };
}

export function page(address) {
  const draft = new Draft({ api: "/thresholds", place: "/thresholds", list: () => go("/thresholds"), address, blank: blank(), remember: !(address === "new" && param("metric")), labels: FIELDS, show: shown, toBody });
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const unit = new Load(async (kind, key, signal) => {
    const path = `/adapter-kinds/${encodeURIComponent(kind.adapterKind)}/object-kinds/${encodeURIComponent(kind.objectKind)}/keys`;
    return { unit: (await get(path, { q: key, limit: 100 }, signal)).items.find((k) => k.key === key)?.unit ?? "" };
  });
  const rule = new ThresholdRule(draft, kinds);
  const scope = new ScopeFields({ label: "Scope" });
  const overrides = [];
  const whatIf = new WhatIf(draft);
  let active = null;

  const condition = () => draft.value("condition");
  const level = () => condition().levels.find((l) => l.severity === active) ?? byRank(condition().levels).findLast((l) => ["number", "learned"].includes(l.bound?.type)) ?? condition().levels[0];
  // Null while it is not known yet.
  const unitNow = () => (unit.data && !unit.loading ? unit.data.unit : null);
  const unitText = () => unitNow() ?? draft.before.unit ?? "";

  function update() {
    draft.want();
    kinds.want(lastTick());
    arrived();
  }

  function arrived() {
    if (!draft.there) return;
    const kind = draft.value("objectKind");
    if (kind && condition().key) unit.want(kind, condition().key);
    whatIf.want(level(), unitNow());
  }

  function setValue(v) {
    const { severity, bound, clear } = level();
    if (bound.type === "learned") {
      // Where it clears is no further out.
      const nearer = clear?.minimumDeviation > v ? { clear: { ...clear, minimumDeviation: v } } : {};
      draft.set("condition", { ...condition(), levels: condition().levels.map((l) => (l.severity === severity ? { ...l, ...nearer, bound: { ...bound, minimumDeviation: v } } : l)) });
      return;
    }
    // The level at which it clears keeps its distance.
    const moved = clear?.type === "number" ? { clear: { ...clear, value: Number((clear.value + v - bound.value).toPrecision(6)) } } : {};
    draft.set("condition", { ...condition(), levels: condition().levels.map((l) => (l.severity === severity ? { ...l, ...moved, bound: { ...l.bound, value: v } } : l)) });
  }

  function setSensitivity(sensitivity) {
    draft.set("condition", { ...condition(), levels: condition().levels.map((l) => ({ ...l, bound: { ...l.bound, sensitivity }, ...(l.clear ? { clear: { ...l.clear, sensitivity } } : {}) })) });
  }

  function overridesPane() {
    const all = draft.value("overrides") ?? [];
    const off = !draft.allowed;
    const put = (i, o) => draft.set("overrides", all.with(i, o));
    const metric = condition().type === "metric";
    const one = (o, i) => {
      overrides[i] ??= new ScopeFields({ label: `Override ${i + 1}` });
      const levels = o.levels ?? condition().levels;
      const change = (severity, bound) => put(i, { ...o, levels: levels.map((l) => (l.severity === severity ? { ...l, bound, clear: undefined } : l)) });
      return html`<li class="override"><div class="row"><span class="m">${i + 1}</span><input class="field low" aria-label=${`Name of override ${i + 1}`} placeholder="Name" .value=${o.name ?? ""} ?disabled=${off} @input=${(e) => put(i, { ...o, name: e.target.value })} />
          <select class="field low slim" aria-label=${`What override ${i + 1} does`} ?disabled=${off} @change=${(e) => put(i, e.target.value === "off" ? { name: o.name, scope: o.scope, enabled: false } : { name: o.name, scope: o.scope, levels: condition().levels })}><option value="on" ?selected=${o.enabled !== false}>other limits</option><option value="off" ?selected=${o.enabled === false}>not judged</option></select><span class="sp"></span>
          ${off ? nothing : html`<button class="icon" aria-label=${`Move override ${i + 1} up`} ?disabled=${i === 0} @click=${() => draft.set("overrides", all.toSpliced(i, 1).toSpliced(i - 1, 0, o))}>${icon("up", 12)}</button><button class="icon" aria-label=${`Move override ${i + 1} down`} ?disabled=${i === all.length - 1} @click=${() => draft.set("overrides", all.toSpliced(i, 1).toSpliced(i + 1, 0, o))}>${icon("down", 12)}</button><button class="icon" aria-label=${`Remove override ${i + 1}`} @click=${() => draft.set("overrides", all.toSpliced(i, 1))}>${icon("close", 12)}</button>`}</div>
        <div class="row wrap inset">${overrides[i].view({ scope: o.scope ?? {}, set: (s) => put(i, { ...o, scope: s }), kind: draft.value("objectKind"), off })}</div>
        ${o.enabled === false ? nothing : html`<div class="row wrap inset">${byRank(levels).map((l) => (metric && l.bound?.type === "learned" ? html`<label class="row s12">${l.severity}<span class="m">by</span><input class="field low num" inputmode="decimal" aria-label=${`${l.severity} of override ${i + 1}: least deviation`} .value=${String(l.bound.minimumDeviation ?? 0)} ?disabled=${off} @change=${(e) => change(l.severity, { ...l.bound, minimumDeviation: Math.max(0, numberOf(e.target.value) ?? 0) })} /><span class="m">${unitText()}</span></label><select class="field low slim" aria-label=${`${l.severity} of override ${i + 1}: sensitivity`} ?disabled=${off} @change=${(e) => change(l.severity, { ...l.bound, sensitivity: e.target.value })}>${SENSITIVITIES.map((s) => html`<option value=${s} ?selected=${s === (l.bound.sensitivity ?? "medium")}>${s}</option>`)}</select>` : metric && l.bound?.type === "number" ? html`<label class="row s12">${l.severity}<input class="field low num" inputmode="decimal" .value=${l.bound.value ?? ""} ?disabled=${off} @change=${(e) => change(l.severity, { type: "number", value: numberOf(e.target.value) })} /><span class="m">${unitText()}</span></label>` : html`<span class="s12 m">${l.severity} ${levelText(l, condition())}</span>`))}</div>`}</li>`;
    };
    return html`<section class="pane" aria-label="Overrides"><div class="ph"><h2>Overrides</h2><span class="m cut">other limits for some objects; the last that matches decides</span><span class="sp"></span>${off ? nothing : html`<button class="link" @click=${() => draft.set("overrides", [...all, { name: `Override ${all.length + 1}`, scope: { tags: [] }, levels: condition().levels }])}>Add</button>`}</div>
      ${all.length ? html`<ol class="rules">${all.map(one)}</ol>` : html`<div class="empty s12">The same limits hold for every object in scope.</div>`}${draft.said("overrides")}</section>`;
  }

  function bar() {
    const t = draft.before;
    const { count: open } = openOf(t.state);
    const [kind, words] = draft.isNew ? ["unknown", "not stored yet"] : t.state ? stateOf(t) : ["unknown", "-"];
    return html`<div class="tb"><a class="m nw" href=${href("/thresholds")}>Thresholds /</a><h1 class="cut" title=${draft.value("name")}>${draft.value("name") || (draft.isNew ? "New threshold" : "\u00a0")}</h1>
      ${t.pack ? chip(`pack ${t.pack}`) : nothing}${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.value("enabled") ? nothing : chip("disabled")}${draft.meanwhile()}
      <span class="row s12 m nw" title=${t.state?.tick ? `as of ${moment(Date.parse(t.state.tick), true)}` : nothing}>${shape(kind, 11, "")}${words}</span>${open ? html`<a class="acc s12 nw" href=${href("/alerts", { q: `rule:"${t.name}"` })}>Open them</a>` : nothing}<span class="sp"></span>
      ${historyButton(draft)}${draft.isNew ? nothing : html`<a class="ctl ghost" href=${href("/notifications/rules/new", { definition: draft.id, name: t.name })}>Notify\u2026</a><a class="ctl ghost" href=${`/api/v1/rules/export?id=${draft.id}`} download>Export</a>`}
      ${draft.saveButtons()}</div>`;
  }

  return {
    get title() {
      return draft.value("name") || "Threshold";
    },
    name: "threshold",
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
      if (!draft.isNew && draft.stored.error && !draft.stored.data) return html`<div class="tb"><h1>No threshold to show</h1></div><section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there) return html`${bar()}<section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      arrived();
      const kind = draft.value("objectKind");
      const off = !draft.allowed;
      return html`${bar()}<div class="cols"><div class="col">
          ${draft.error && !draft.error.errors?.length ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>` : nothing}
          <section class="pane" aria-label="Rule"><div class="form"><label class="lab">Name<input class="field" name="name" maxlength="200" autocomplete="off" .value=${draft.value("name")} ?disabled=${off} aria-invalid=${draft.wrong("name") ? "true" : "false"} @input=${(e) => draft.set("name", e.target.value)} />${draft.said("name")}</label></div>
            ${draft.edited ? nothing : (draft.before.issues ?? []).map((i) => html`<p class="row s12 pad">${shape("warning", 11)}<span>${i.message}${i.hint ? `; ${i.hint}` : ""}</span></p>`)}
            ${rule.view({ unit: unitText(), active: level()?.severity, choose: (s) => { if (active !== s) { active = s; redraw(); } } })}</section>
          <section class="pane" aria-label="Scope"><div class="ph"><h2>Scope</h2><span class="m cut">${kind ? `${scopeWords(draft.value("scope"), "all objects of the kind")}` : "choose an object kind first"}</span></div>
            <div class="pad">${kind ? scope.view({ scope: draft.value("scope"), set: (s) => draft.set("scope", s), kind, off }) : nothing}${draft.said("scope")}</div></section>
          ${overridesPane()}
          ${alertFields({ draft, blank: ALERT })}
          ${detailFields({ draft, remove: () => draft.remove("Its open alerts are canceled with the next tick; its history stays.") })}
        </div><div class="col side-col">${draftHistory(draft)}
          ${whatIf.view({ level: level(), unit: unitText(), setValue, setSensitivity })}</div></div>`;
    },
  };
}

