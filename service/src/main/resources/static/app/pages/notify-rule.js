// One rule: which alerts, when, in which form and to whom, as sentences; beside it what it would have sent.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { get } from "../core/api.js";
import { IMPACTS } from "../core/health.js";
import { helpAddress } from "../core/help.js";
import { Load } from "../core/load.js";
import { kindWord } from "../core/metrics.js";
import { SEVERITIES } from "../core/severity.js";
import { lastTick, moment } from "../core/time.js";
import { back, go, href, param, place } from "../core/url.js";
import "../formula/formula-editor.js";
import { Draft } from "../parts/draft.js";
import { copy } from "../parts/notice.js";
import { draftHistory, historyButton, historyKey } from "../parts/history.js";
import { failure, loaded } from "../parts/pane.js";
import { icon } from "../parts/shapes.js";
import { Suggest } from "../parts/suggest.js";
import { CEL, celIssue, CelWords } from "../template/cel.js";
import { fitting, pathItems, sampleContext } from "../template/context-names.js";
import { deliveriesOf } from "./notify-deliveries.js";
import { BLANK, CHANGES, editOf, FIELDS, shown, USUAL_CHANGES, whenWords, whoWords } from "./notify-rule-words.js";
import { Simulator } from "./notify-simulator.js";
import { durationOk, EVENTS, issueLines, listOf, placeOf, typeWord } from "./notify-words.js";
import { windowFields } from "./notify-windows.js";
import { ScopeFields } from "./scope-fields.js";

const MORE = { objectKinds: "of kind", impacts: "with impact", types: "of type", subTypes: "of subtype", definitions: "raised by", controlStates: "in state", sources: "from", changes: "of updates, when", sampling: "a share of" };
const STATES = ["open", "acknowledged", "suspended", "suppressed"];
const isUsual = (changes) => changes.length === USUAL_CHANGES.length && USUAL_CHANGES.every((c) => changes.includes(c));
const HINTS = { types: "APPLICATION, NETWORK", subTypes: "PERFORMANCE", sources: "peerlens, notices, a relay" };

/** A new rule for the alerts of the definition that the address names, else a blank one. */
const blank = () => (param("definition") ? { ...BLANK, name: param("name"), definitions: [param("definition")] } : BLANK);

export function page(address) {
  const draft = new Draft({ api: "/notification-rules", place: "/notifications/rules", list: () => go("/notifications"), address, blank: blank(), remember: !(address === "new" && param("definition")), labels: FIELDS, show: shown, toBody: editOf, saved: "Saved; the next event goes by it" });
  const templates = new Load((_tick, signal) => get("/notification-templates", { limit: 1000 }, signal));
  const targets = new Load((_tick, signal) => get("/notification-targets", { limit: 1000 }, signal));
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const definitions = new Load(async (_tick, signal) => (await Promise.all(["/thresholds", "/alert-definitions", "/outlier-groups", "/talker-reports"].map((p) => get(p, { limit: 1000 }, signal)))).flatMap((page) => page.items).map(({ id, name }) => ({ id, name })));
  const scope = new ScopeFields({ label: "Objects" });
  const simulator = new Simulator(draft);
  const words = new CelWords(sampleContext);
  const by = new Suggest(async (typed) => fitting(pathItems(await sampleContext()), typed).slice(0, 14).map((i) => ({ value: i.insert, label: i.label, hint: i.end })));
  // Conditions that were opened and say nothing yet.
  let opened = new Set();

  const off = () => !draft.allowed;
  // A target that was made for this rule is chosen.
  let offered = param("target");
  function takeOffered() {
    if (!offered) return;
    if (!list("targets").includes(offered)) draft.set("targets", [...list("targets"), offered]);
    offered = "";
  }
  const list = (name) => draft.value(name) ?? [];
  const template = () => (templates.data?.items ?? []).find((t) => t.id === draft.value("template"));
  const toggle = (name, value, order) => {
    const next = list(name).includes(value) ? list(name).filter((v) => v !== value) : [...list(name), value];
    draft.set(name, order ? order.filter((v) => next.includes(v)) : next);
  };
  const checks = (name, options, label) => html`<span class="row wrap inline-checks" role="group" aria-label=${label}>${options.map(([v, word]) => html`<label class="check s12"><input type="checkbox" .checked=${list(name).includes(v)} ?disabled=${off()} @change=${() => toggle(name, v, options.map(([x]) => x))} />${word}</label>`)}</span>`;

  function update() {
    draft.want();
    for (const load of [templates, targets, kinds]) load.want(lastTick());
  }

  function severityFields() {
    const s = draft.value("severities");
    const how = s?.anyOf ? "anyOf" : s?.atLeast ? "atLeast" : "all";
    const set = (h) => draft.set("severities", h === "all" ? null : h === "atLeast" ? { atLeast: "warning" } : { anyOf: ["critical"] });
    return html`<select class="field inline" aria-label="Severity" ?disabled=${off()} @change=${(e) => set(e.target.value)}>${[["all", "any severity"], ["atLeast", "at least"], ["anyOf", "exactly"]].map(([v, w]) => html`<option value=${v} ?selected=${v === how}>${w}</option>`)}</select>
      ${how === "atLeast" ? html`<select class="field inline" aria-label="Least severity" ?disabled=${off()} @change=${(e) => draft.set("severities", { atLeast: e.target.value })}>${SEVERITIES.map((v) => html`<option ?selected=${v === s.atLeast}>${v}</option>`)}</select>` : nothing}
      ${how === "anyOf" ? html`<span class="row wrap inline-checks">${SEVERITIES.map((v) => html`<label class="check s12"><input type="checkbox" .checked=${s.anyOf.includes(v)} ?disabled=${off()} @change=${() => { const next = SEVERITIES.filter((x) => (x === v ? !s.anyOf.includes(x) : s.anyOf.includes(x))); if (next.length) draft.set("severities", { anyOf: next }); else redraw(); }} />${v}</label>`)}</span>` : nothing}${draft.said("severities")}`;
  }

  function eventFields() {
    const on = list("events");
    const has = (e) => !on.length || on.includes(e);
    const flip = (e) => {
      const next = EVENTS.map(([x]) => x).filter((x) => (x === e ? !has(x) : has(x)));
      draft.set("events", next.length === 3 ? [] : next);
    };
    const say = { NEW: "opens", UPDATE: "changes", CANCEL: "is over" };
    return html`<span class="row wrap inline-checks" role="group" aria-label="Events">${EVENTS.map(([e]) => html`<label class="check"><input type="checkbox" .checked=${has(e)} ?disabled=${off() || (has(e) && on.length === 1)} @change=${() => flip(e)} />${say[e]}</label>`)}</span>${draft.said("events")}`;
  }

  function more(name) {
    const drop = () => {
      opened.delete(name);
      draft.set(name, name === "sampling" ? 100 : []);
      redraw();
    };
    const chips = (items, wordsOf, key = (x) => x) => items.map((x) => html`<span class="chip">${wordsOf(x)}${off() ? nothing : html`<button class="icon" type="button" aria-label=${`Remove ${wordsOf(x)}`} @click=${() => draft.set(name, items.filter((y) => key(y) !== key(x)))}>${icon("close", 10)}</button>`}</span>`);
    const choose = (options, label) => (off() || !options.length ? nothing : html`<select class="field low slim" aria-label=${label} @change=${(e) => { const o = options[Number(e.target.value)]; e.target.value = ""; if (o) draft.set(name, [...list(name), o.value]); }}><option value="">choose\u2026</option>${options.map((o, i) => html`<option value=${i}>${o.label}</option>`)}</select>`);
    const body = () => {
      if (name === "impacts") return checks(name, IMPACTS.map((i) => [i, i]), "Impacts");
      if (name === "controlStates") return checks(name, STATES.map((s) => [s, s]), "Control states");
      if (name === "changes") return html`<span class="changes">${checks(name, CHANGES, "Updates")}<span class="m s12">${list(name).length ? "" : `none chosen: ${CHANGES.filter(([c]) => USUAL_CHANGES.includes(c)).map(([, w]) => w).join(", ")}`}</span></span>`;
      if (name === "sampling") return html`<input class="field low num" type="number" min="1" max="100" aria-label="Percentage of alerts" .value=${String(draft.value("sampling") ?? 100)} ?disabled=${off()} @change=${(e) => draft.set("sampling", Math.max(1, Math.min(100, Math.round(Number(e.target.value) || 100))))} /> % of alerts`;
      if (name === "objectKinds") {
        const all = (kinds.data?.items ?? []).flatMap((a) => a.objectKinds).filter((k) => !list(name).some((x) => x.objectKind === k.objectKind && x.adapterKind === k.adapterKind));
        return html`${chips(list(name), (k) => kindWord(k.objectKind, 2), (k) => `${k.adapterKind} ${k.objectKind}`)}${choose(all.map((k) => ({ value: { adapterKind: k.adapterKind, objectKind: k.objectKind }, label: `${k.objectKind} (${k.adapterKind})` })), "Object kind")}`;
      }
      if (name === "definitions") {
        definitions.want(0);
        const known = definitions.data ?? [];
        return html`${chips(list(name), (id) => known.find((d) => d.id === id)?.name ?? (definitions.data ? "one that is gone" : "\u2026"))}${choose(known.filter((d) => !list(name).includes(d.id)).map((d) => ({ value: d.id, label: d.name })), "Threshold, alert definition, outlier group or report")}`;
      }
      return html`<input class="field low" aria-label=${FIELDS[name]} placeholder=${HINTS[name]} .value=${list(name).join(", ")} ?disabled=${off()} @change=${(e) => draft.set(name, listOf(e.target.value))} />`;
    };
    return html`<span class="condition"><span class="m">${MORE[name]}</span>${body()}${off() ? nothing : html`<button class="icon" type="button" aria-label=${`Drop ${MORE[name]}`} @click=${drop}>${icon("close", 11)}</button>`}${draft.said(name)}</span>`;
  }

  function whichPane() {
    const has = Object.keys(MORE).filter((n) => opened.has(n) || (n === "sampling" ? draft.value(n) < 100 : n === "changes" ? list(n).length && !isUsual(list(n)) : list(n).length));
    const rest = Object.keys(MORE).filter((n) => !has.includes(n));
    const cel = draft.value("when") ?? "";
    const wrong = cel ? (draft.wrong("when") ?? simulator.wrong("when")) : null;
    return html`<section class="pane code-pane" aria-label="Which alerts"><div class="ph"><h2>Which alerts</h2><span class="m cut">${whoWords({ ...BLANK, ...editOf(Object.fromEntries(Object.keys(BLANK).map((n) => [n, draft.value(n)]))) })}</span></div>
      <div class="sentence"><p class="row wrap">When an alert ${eventFields()}</p><p class="row wrap">of ${severityFields()}</p>
        <div class="conditions">${has.map(more)}${rest.length && !off() ? html`<select class="field low faint" aria-label="Add a condition" @change=${(e) => { const { value } = e.target; e.target.value = ""; if (value) { opened = new Set([...opened, value]); redraw(); } }}><option value="">${has.length ? "and\u2026" : "only\u2026"}</option>${rest.map((n) => html`<option value=${n}>${MORE[n]}</option>`)}</select>` : nothing}</div>
        <p>on objects</p>${scope.view({ scope: draft.value("scope") ?? {}, set: (s) => draft.set("scope", s), off: off() })}${draft.said("scope")}</div>
      <div class="ph inner"><h3>And only when</h3><span class="m cut">a condition in CEL on what templates see; empty for none</span><span class="sp"></span><a class="link" href=${helpAddress("notifications", "templates")}>Fields and CEL</a></div>
      <formula-editor class="cel" label="Condition in CEL" .language=${CEL} .words=${words} .value=${cel} .issues=${issuesOf(cel, wrong)} .locked=${off()} @edited=${(e) => draft.set("when", e.target.value.trim() ? e.target.value : null)}></formula-editor></section>`;
  }

  let lastIssues = { cel: "", wrong: null, issues: [] };
  const issuesOf = (cel, wrong) => {
    if (lastIssues.cel !== cel || lastIssues.wrong !== wrong) lastIssues = { cel, wrong, issues: wrong ? [celIssue(cel, wrong)] : [] };
    return lastIssues.issues;
  };

  function whenPane() {
    const resend = draft.value("resend");
    const group = draft.value("group");
    const byIncident = group?.by.length === 1 && group.by[0] === "incident";
    const time = (label, value, set, hint) => html`<input class="field inline tiny" aria-label=${label} placeholder=${hint} .value=${value ?? ""} ?disabled=${off()} aria-invalid=${!value || durationOk(value) || value === "0s" ? "false" : "true"} @change=${(e) => set(e.target.value.trim() || null)} />`;
    const setGroup = (part) => draft.set("group", Object.fromEntries(Object.entries({ ...draft.value("group"), ...part }).filter(([, v]) => v !== null && v !== undefined)));
    return html`<section class="pane" aria-label="When"><div class="ph"><h2>When</h2><span class="m cut">${whenWords({ delay: draft.value("delay"), resend, group, windows: draft.value("windows") })}</span></div><div class="sentence">
      <p class="row wrap">Send it after ${time("Delay", draft.value("delay"), (v) => draft.set("delay", v), "0s")} <span class="m s12">if it is still open then</span>${draft.said("delay")}</p>
      <p class="row wrap"><label class="check"><input type="checkbox" .checked=${Boolean(resend)} ?disabled=${off()} @change=${(e) => draft.set("resend", e.target.checked ? { every: "4h" } : null)} />and again</label>${resend ? html` every ${time("Again every", resend.every, (v) => draft.set("resend", { ...resend, every: v ?? "4h" }), "4h")} at most <input class="field inline tiny" type="number" min="1" aria-label="How often at most" placeholder="any" .value=${resend.max ?? ""} ?disabled=${off()} @change=${(e) => { const { max: _max, ...rest } = resend; draft.set("resend", Number(e.target.value) ? { ...rest, max: Number(e.target.value) } : rest); }} /> times` : html`<span class="m s12">while it is open</span>`}${draft.said("resend")}</p>
      <p class="row wrap"><label class="check"><input type="checkbox" .checked=${byIncident} ?disabled=${off()} @change=${(e) => draft.set("group", e.target.checked ? { by: ["incident"], wait: "30s", interval: "5m" } : null)} />one message for each incident</label></p>
      <p class="row wrap"><label class="check"><input type="checkbox" .checked=${Boolean(group) && !byIncident} ?disabled=${off()} @change=${(e) => draft.set("group", e.target.checked ? { by: ["object.ancestors.ClusterComputeResource.name"], wait: "30s", interval: "5m" } : null)} />together with others</label>${group && !byIncident ? html` that agree in ${(group.by ?? []).map((p) => html`<span class="chip mono">${p}${off() ? nothing : html`<button class="icon" aria-label=${`Remove ${p}`} @click=${() => setGroup({ by: group.by.filter((x) => x !== p) })}>${icon("close", 10)}</button>`}</span>`)}${off() || group.by.length >= 10 ? nothing : by.view({ value: "", shown: "", choose: (p) => p && !group.by.includes(p) && setGroup({ by: [...group.by, p] }), label: "Group by", placeholder: "one more path", cls: "mono group-by" })}, waiting ${time("Wait for others", group.wait, (v) => setGroup({ wait: v }), "30s")} for others, at most every ${time("At most every", group.interval, (v) => setGroup({ interval: v }), "5m")}` : nothing}${draft.said("group")}</p>
      ${windowFields({ windows: draft.value("windows") ?? {}, set: (w) => draft.set("windows", Object.values(w).some((x) => x?.length) ? w : null), off: off() })}${draft.said("windows")}</div></section>`;
  }

  function toPane() {
    const t = template();
    const chosen = list("targets");
    const all = targets.data?.items ?? [];
    const fits = all.filter((x) => !t || x.type === t.targetType || chosen.includes(x.id));
    const vars = Object.entries(t?.document?.vars ?? {});
    const values = draft.value("vars") ?? {};
    const setVar = (name, v, type) => draft.set("vars", Object.fromEntries(Object.entries({ ...values, [name]: v === "" ? undefined : type === "number" && v !== "" && Number.isFinite(Number(v)) ? Number(v) : v }).filter(([, x]) => x !== undefined)));
    return html`<section class="pane" aria-label="What and to whom"><div class="ph"><h2>What, and to whom</h2></div><div class="sentence">
      ${[templates, targets].filter((x) => x.error && !x.data).map((x) => failure(x.error, () => x.again()))}<p class="row wrap">Send as <select class="field inline" aria-label="Template" ?disabled=${off()} @change=${(e) => draft.set("template", e.target.value)}>${(templates.data?.items ?? []).map((x) => html`<option value=${x.id} ?selected=${x.id === draft.value("template")}>${x.id}</option>`)}${t || !templates.data ? nothing : html`<option selected value=${draft.value("template")}>${draft.value("template")}, which is gone</option>`}</select>${t ? html`<a class="acc s12" href=${href(`/notifications/templates/${t.id}`)}>open</a><span class="m s12">${t.description}</span>` : nothing}${draft.said("template")}</p>
      ${vars.length ? html`<div class="vars">${vars.map(([name, v]) => html`<label class="lab" title=${v.description ?? ""}>${name} <span class="m">${v.description ?? ""}</span><input class="field low" aria-label=${`Value ${name}`} placeholder=${String(v.default ?? "none")} .value=${values[name] === undefined ? "" : String(values[name])} ?disabled=${off()} @change=${(e) => setVar(name, e.target.value.trim(), v.type)} /></label>`)}${draft.said("vars")}</div>` : nothing}
      <p>to</p><ul class="target-checks" role="group" aria-label="Targets">${fits.map((x) => html`<li><label class="check"><input type="checkbox" .checked=${chosen.includes(x.id)} ?disabled=${off()} @change=${() => toggle("targets", x.id)} /><b>${x.name}</b></label><span class="m cut">${typeWord(x.type)}, ${placeOf(x)}</span>${t && x.type !== t.targetType ? html`<span class="warn s12">the template does not fit ${typeWord(x.type).toLowerCase()}</span>` : nothing}${x.enabled ? nothing : html`<span class="warn s12">disabled</span>`}</li>`)}</ul>
      ${targets.data && (t || templates.data) ? html`<p class="m s12">${fits.length ? nothing : html`There is no target${t ? ` of type ${typeWord(t.targetType).toLowerCase()}` : ""} yet. `}<a class="acc" href=${href("/notifications/targets/new", { type: t?.targetType, rule: place.path, definition: param("definition"), name: param("name") })}>${fits.length ? "New target" : "Make one"}</a></p>` : nothing}${draft.said("targets")}
      <p class="row wrap"><label class="check"><input type="checkbox" .checked=${draft.value("continue")} ?disabled=${off()} @change=${(e) => draft.set("continue", e.target.checked)} />Continue with later rules</label></p></div></section>`;
  }

  function bar() {
    const r = draft.before;
    return html`<div class="tb"><a class="m nw" href=${href("/notifications")}>Notifications / Rules /</a><h1 class="cut">${draft.value("name") || (draft.isNew ? "New rule" : "\u00a0")}</h1>${r.pack ? html`<span class="chip">pack ${r.pack}</span>` : nothing}${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.value("enabled") ? nothing : html`<span class="chip">disabled</span>`}${draft.meanwhile()}<span class="sp"></span>
      ${historyButton(draft)}${draft.saveButtons()}</div>`;
  }

  return {
    get title() {
      return draft.value("name") || "Rule";
    },
    name: "notify-rule",
    timed: false,
    update,
    leave: () => simulator.leave(),
    escape: () => {
      const at = document.activeElement;
      if (at?.matches("input, textarea, select")) at.blur();
      else back("/notifications");
    },
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      ...historyKey(draft),
      S: [() => simulator.run(), "Try it on past alerts"],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data) return html`<div class="tb"><h1>No rule to show</h1></div><section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there) return html`${bar()}<section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      takeOffered();
      const r = draft.before;
      simulator.want();
      return html`${bar()}<div class="cols"><div class="col">
          ${draft.error && !draft.error.errors?.length ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>` : nothing}
          <section class="pane" aria-label="What it is called"><div class="form"><div class="name-line"><label class="lab">Name<input class="field" name="name" maxlength="200" autocomplete="off" .value=${draft.value("name")} ?disabled=${off()} aria-invalid=${draft.wrong("name") ? "true" : "false"} @input=${(e) => draft.set("name", e.target.value)} />${draft.said("name")}</label><label class="check"><input type="checkbox" name="enabled" .checked=${draft.value("enabled")} ?disabled=${off()} @change=${(e) => draft.set("enabled", e.target.checked)} />Enabled</label></div>
              <label class="lab">What it is for<textarea class="field tall" name="description" rows="1" maxlength="20000" .value=${draft.value("description") ?? ""} ?disabled=${off()} @input=${(e) => draft.set("description", e.target.value || null)}></textarea>${draft.said("description")}</label></div>${draft.edited ? nothing : issueLines(r.issues)}</section>
          ${whichPane()}${toPane()}${whenPane()}
          ${draft.isNew ? nothing : html`<section class="pane" aria-label="Kept"><div class="row pad"><span class="m s12">Version ${r.version}, ${r.updatedBy}, ${moment(Date.parse(r.updatedAt))}</span><span class="sp"></span><button class="ctl" ?disabled=${off()} title=${off() ? "Needs the role operator" : nothing} @click=${() => draft.remove("What waits is still sent; its history stays.")}>Delete\u2026</button></div></section>`}
        </div><div class="col side-col">${draftHistory(draft)}
          ${simulator.view()}</div></div>${draft.isNew ? nothing : deliveriesOf({ rule: draft.id }, { title: "Deliveries by this rule", main: "notify-rule" })}`;
    },
  };
}
