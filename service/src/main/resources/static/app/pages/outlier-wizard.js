// A group being written, on one page without steps: what it is at the left, what it would have found at the right.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { get } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { kindWord, metricName } from "../core/metrics.js";
import { NEEDS } from "../core/session.js";
import { SEVERITIES } from "../core/severity.js";
import { lastTick, moment } from "../core/time.js";
import { amend, back, go, href, param } from "../core/url.js";
import { Draft } from "../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../parts/history.js";
import { copy, notice } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { icon, severityShape, shape } from "../parts/shapes.js";
import { segments } from "../parts/small.js";
import { Suggest } from "../parts/suggest.js";
import { FlowFields, flowOf, flowUnit, withOptions } from "./outlier-flows.js";
import { OutlierPreview } from "./outlier-preview.js";
import { BLANK, BUCKETS, cleanGroup, FIELDS, METHODS, proposedName, shownField } from "./outlier-words.js";
import { suggestions } from "./outliers-suggested.js";
import { recommendationFields } from "./rule-fields.js";
import { cleanScope, ScopeFields } from "./scope-fields.js";
import { keysOf, METRICS } from "./threshold-rule.js";

const FEWEST = 3;
const MOST = 10_000;
const MOST_METRICS = 5;
const IMPACTS = ["health", "risk", "efficiency"];

export function page(address) {
  const id = address.replace(/\/edit$/, "");
  let proposed = "";
  const draft = new Draft({ api: "/outlier-groups", place: "/outliers", list: () => go("/outliers"), address: id, blank: BLANK, labels: FIELDS, show: shownField, toBody: cleanGroup, changed: (name) => (name === "scope" || name === "objectKind") && propose() });
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const units = new Load(async (kind, signal) => {
    const path = `/adapter-kinds/${encodeURIComponent(kind.adapterKind)}/object-kinds/${encodeURIComponent(kind.objectKind)}/keys`;
    return new Map((await get(path, { limit: 1000 }, signal)).items.map((k) => [k.key, k.unit ?? ""]));
  });
  const scope = new ScopeFields({ label: "Members", open: true });
  const key = new Suggest(keysOf, () => [draft.value("objectKind"), METRICS]);
  const flows = new FlowFields();
  let source = null; // what is added to the metrics: "metrics" or "flows"; null until somebody says so
  const preview = new OutlierPreview(draft);
  let begun = false;

  const off = () => !draft.allowed;

  /** Names the group after its scope, until somebody names it. */
  function propose() {
    const next = proposedName(cleanScope(draft.value("scope")), draft.value("objectKind"));
    const now = draft.value("name");
    if (draft.isNew && (!now || now === proposed) && next !== now) {
      proposed = next;
      draft.set("name", next);
    }
  }

  function update() {
    draft.want();
    kinds.want(lastTick());
    if (param("suggestion")) suggestions.want(0);
  }

  /** Fills in a suggestion once, when it is there. */
  function begin() {
    const asked = param("suggestion");
    if (begun || !asked || !suggestions.data) return;
    begun = true;
    const found = suggestions.data.items.find((s) => s.id === asked);
    if (found) {
      const { id: _id, ...group } = found.group;
      draft.begin(group);
      proposed = "";
    } else notice("This suggestion is no longer there.");
    amend({ suggestion: null }, { replace: true });
  }

  const metrics = () => draft.value("metrics") ?? [];
  const setMetrics = (list) => draft.set("metrics", list);
  const unitOf = (k) => flowUnit(k) || units.data?.get(k) || preview.data?.results.metrics.find((m) => m.key === k)?.unit || "";
  const numeric = (text) => (text.trim() === "" || Number.isNaN(Number(text.replace(",", "."))) ? undefined : Math.max(0, Number(text.replace(",", "."))));

  const field = (title, note, body) => html`<div class="wiz-field" role="group" aria-label=${title}><div class="wiz-label"><b>${title}</b><span class="m">${note}</span></div>${body}</div>`;

  function membersField() {
    const kind = draft.value("objectKind");
    const all = (kinds.data?.items ?? []).flatMap((a) => a.objectKinds).sort((a, b) => b.objects - a.objects);
    const at = all.findIndex((k) => k.objectKind === kind?.objectKind && k.adapterKind === kind?.adapterKind);
    const n = kind ? scope.total : null;
    const wrong = n === null ? "" : n < FEWEST ? `A group needs at least ${FEWEST} members; ${n === 0 ? "nothing matches" : `only ${n} ${n === 1 ? "matches" : "match"}`}.` : n > MOST ? `At most ${count(MOST)} members are compared with one another; ${count(n)} match. Narrow the scope.` : "";
    return field("Members", n === null ? "" : `${count(n)} match now`, html`<select class="field" aria-label="Object kind" ?disabled=${off()} @change=${(e) => { const k = all[Number(e.target.value)]; if (k) draft.set("objectKind", { adapterKind: k.adapterKind, objectKind: k.objectKind }); }}><option value="-1" ?selected=${at < 0}>${kind && at < 0 ? kind.objectKind : "object kind\u2026"}</option>${all.map((k, i) => html`<option value=${i} ?selected=${i === at}>${kindWord(k.objectKind, 2)} (${k.adapterKind}, ${count(k.objects)})</option>`)}</select>
      ${kind ? scope.view({ scope: draft.value("scope") ?? {}, set: (s) => draft.set("scope", s), kind, off: off() }) : nothing}
      ${wrong ? html`<p class="row s12">${shape("warning", 11)}<span>${wrong}</span></p>` : nothing}${draft.said("objectKind")}${draft.said("scope")}`);
  }

  function metricsField() {
    const list = metrics();
    const kind = draft.value("objectKind");
    const swap = (i, part) => setMetrics(list.with(i, { ...list[i], ...part }));
    const row = (m, i) => html`<li class="metric-row ${flowOf(m.key) ? "of-flows" : ""}"><span class="cut strong" title=${m.key}>${metricName(m.key)}</span>
      <label class="row s12"><span class="m nw">at least</span><input class="field low num" inputmode="decimal" aria-label=${`Minimum deviation of ${metricName(m.key)}`} placeholder="auto" title="Left empty, it is proposed from the metric" .value=${m.minDeviation ?? ""} ?disabled=${off()} @change=${(e) => swap(i, { minDeviation: numeric(e.target.value) })} /><span class="m unit">${unitOf(m.key)}</span></label>
      <select class="field low faint" aria-label=${`How ${metricName(m.key)} is compared`} title="Linear compares by difference, logarithmic by ratio" ?disabled=${off()} @change=${(e) => swap(i, { transform: e.target.value })}>${["auto", "linear", "log"].map((t) => html`<option value=${t} ?selected=${t === (m.transform ?? "auto")}>${t}</option>`)}</select>
      ${off() ? nothing : html`<button type="button" class="icon" aria-label=${`Remove ${metricName(m.key)}`} @click=${() => setMetrics(list.toSpliced(i, 1))}>${icon("close", 11)}</button>`}</li>`;
    const chosen = source ?? (list.length && list.every((m) => flowOf(m.key)) ? "flows" : "metrics");
    const choose = (to) => {
      source = to;
      if (to === "flows" && !list.length && !off()) setMetrics(withOptions([], { measures: ["rate"], direction: "both", type: "all", ports: [] }));
      redraw();
    };
    const add = chosen === "flows" ? flows.view({ metrics: list, set: setMetrics, members: scope.found, most: MOST_METRICS, off: off() })
      : off() || list.length >= MOST_METRICS ? nothing : key.view({ value: "", shown: "", label: "Add a metric", placeholder: list.length ? "add another" : "CPU usage, network sent\u2026", cls: "wide-field", choose: (k) => k && !list.some((m) => m.key === k) && setMetrics([...list, { key: k }]) });
    return field("Compare", "1 to 5 metrics; less than the least deviation never counts", html`${list.length ? html`<ul class="metric-rows">${list.map(row)}</ul>` : nothing}
      ${kind ? html`${segments(chosen, [["metrics", "Metrics"], ["flows", "Flows"]], choose, "What is compared")}${add}` : html`<p class="m s12">Choose an object kind first.</p>`}${draft.said("metrics")}`);
  }

  function timing() {
    const opens = draft.value("opens");
    const whole = (name, label, value, put, most) => html`<input class="field low tiny" type="number" min="1" max=${most} aria-label=${label} name=${name} .value=${String(value)} ?disabled=${off()} @change=${(e) => put(Math.min(most, Math.max(1, Math.round(Number(e.target.value) || 1))))} />`;
    return field("Bucket and persistence", "", html`<p class="wiz-sentence">Every <select class="field low" aria-label="Bucket" ?disabled=${off()} @change=${(e) => draft.set("bucket", e.target.value)}>${[...new Set([...BUCKETS.filter((b) => !["1m", "2m"].includes(b) || !metrics().some((m) => flowOf(m.key))), draft.value("bucket")])].map((b) => html`<option value=${b} ?selected=${b === draft.value("bucket")}>${b}</option>`)}</select>,
        opens with ${whole("violations", "Buckets over the limit", opens.violations, (v) => draft.set("opens", { violations: v, of: Math.max(v, opens.of) }), 16)} of ${whole("of", "Of how many buckets", opens.of, (v) => draft.set("opens", { violations: Math.min(v, opens.violations), of: v }), 16)},
        closes after ${whole("closes", "Buckets until it closes", draft.value("closesAfter"), (v) => draft.set("closesAfter", v), 100)}; waits <select class="field low" aria-label="Evaluation delay" ?disabled=${off()} @change=${(e) => draft.set("evaluationDelay", e.target.value)}>${[...new Set(["0s", "30s", "1m", "2m", "5m", "10m", draft.value("evaluationDelay")])].map((b) => html`<option value=${b} ?selected=${b === draft.value("evaluationDelay")}>${b}</option>`)}</select> for late values.</p>${draft.said("bucket")}${draft.said("opens")}${draft.said("closesAfter")}${draft.said("evaluationDelay")}`);
  }

  /** Whether the middle of the group is held against what is usual for it at the hour. */
  function wholeField() {
    const whole = draft.value("groupEvent");
    const choose = (v) => !off() && draft.set("groupEvent", v === "off" ? null : { ...whole, sensitivity: v });
    const share = (e) => {
      const percent = numeric(e.target.value);
      draft.set("groupEvent", { ...draft.value("groupEvent"), minimumRelativeDeviation: percent === undefined ? undefined : Math.min(100, percent / 100) });
    };
    return field("The group as a whole", whole ? "an event when its median is not where it usually is at this hour of the week" : "a change of all members is not seen", html`<div class="row wrap">${segments(whole?.sensitivity ?? (whole ? "medium" : "off"), [["off", "Off"], ["low", "Low"], ["medium", "Medium"], ["high", "High"]], choose, "Sensitivity of the group as a whole")}
      ${whole ? html`<label class="row s12"><span class="m nw">beyond it by at least</span><input class="field low tiny" inputmode="decimal" aria-label="By how many percent it has to be beyond what is usual" placeholder="0" .value=${whole.minimumRelativeDeviation ? String(Number((whole.minimumRelativeDeviation * 100).toFixed(3))) : ""} ?disabled=${off()} @change=${share} /><span class="m unit">%</span></label>` : nothing}</div>${draft.said("groupEvent")}`);
  }

  function raises() {
    const alert = draft.value("alert");
    const set = (part) => draft.set("alert", { ...draft.value("alert"), ...part });
    return field("Raises", alert ? "" : "events only, no alert", html`<div class="row wrap"><label class="check"><input type="checkbox" name="alert" .checked=${Boolean(alert)} ?disabled=${off()} @change=${(e) => draft.set("alert", e.target.checked ? (draft.before.alert ?? BLANK.alert) : null)} />an alert</label>
        ${alert ? html`${severityShape(alert.severity, 12)}<select class="field low" aria-label="Severity" ?disabled=${off()} @change=${(e) => set({ severity: e.target.value })}>${SEVERITIES.map((s) => html`<option value=${s} ?selected=${s === alert.severity}>${s}</option>`)}</select>
          <select class="field low" aria-label="What suffers" ?disabled=${off()} @change=${(e) => set({ impact: e.target.value })}>${IMPACTS.map((s) => html`<option value=${s} ?selected=${s === alert.impact}>${s}</option>`)}</select>` : nothing}</div>
      ${alert ? recommendationFields({ all: alert.recommendations ?? [], set: (recommendations) => set({ recommendations }), off: off() }) : nothing}${draft.said("alert")}`);
  }

  function methodField() {
    const m = draft.value("method");
    const number = (name, label, placeholder) => html`<label class="row s12"><span class="m">${label}</span><input class="field low tiny" inputmode="decimal" aria-label=${label} placeholder=${placeholder} .value=${m[name] ?? ""} ?disabled=${off()} @change=${(e) => draft.set("method", { ...draft.value("method"), [name]: numeric(e.target.value) })} /></label>`;
    const grafana = m.sensitivity !== undefined && m.sensitivity !== null;
    return field("Method", "", html`${segments(m.type, METHODS, (type) => !off() && draft.set("method", { type }), "Method")}
      ${m.type === "peers" ? html`<label class="check s12"><input type="checkbox" name="interchangeable" .checked=${Boolean(m.interchangeable)} ?disabled=${off()} @change=${(e) => draft.set("method", { ...draft.value("method"), interchangeable: e.target.checked })} />Members do the same work: a lasting difference between them counts too</label>`
        : html`<p class="m s12">For people who come from elsewhere: the parameters are those of ${grafana ? "Grafana" : "Datadog"}. <button type="button" class="link" ?disabled=${off()} @click=${() => draft.set("method", grafana ? { type: m.type } : { type: m.type, sensitivity: 0.5 })}>${grafana ? "Datadog's" : "Grafana's"} instead</button></p>
          <div class="row wrap">${grafana ? number("sensitivity", "sensitivity", "0.5") : html`${number("tolerance", "tolerance", "3")}${m.type === "mad" ? number("percent", "percent", "20") : nothing}`}
            <label class="row s12"><span class="m">window</span><input class="field low tiny" aria-label="window" placeholder="1h" .value=${m.window ?? ""} ?disabled=${off()} @change=${(e) => draft.set("method", { ...draft.value("method"), window: e.target.value.trim() || undefined })} /></label></div>`}${draft.said("method")}`);
  }

  function form() {
    const g = draft.before;
    return html`<section class="pane wiz-form" aria-label="Group">
      ${draft.error && !draft.error.errors?.length ? failure(draft.error, () => draft.save()) : nothing}
      ${field("Name", draft.isNew ? "proposed from the scope" : "", html`<input class="field" name="name" maxlength="200" autocomplete="off" aria-label="Name" .value=${draft.value("name")} ?disabled=${off()} aria-invalid=${draft.wrong("name") ? "true" : "false"} @input=${(e) => draft.set("name", e.target.value)} />${draft.said("name")}`)}
      ${membersField()}${metricsField()}
      ${field("Which side counts", "", html`${segments(draft.value("side"), [["both", "High and low"], ["high", "High"], ["low", "Low"]], (v) => !off() && draft.set("side", v), "Which side counts")}`)}
      ${timing()}${wholeField()}${raises()}${methodField()}
      ${field("What it is for", "", html`<textarea class="field tall" name="description" rows="2" maxlength="20000" aria-label="What it is for" .value=${draft.value("description") ?? ""} ?disabled=${off()} @input=${(e) => draft.set("description", e.target.value || null)}></textarea>
        <label class="check s12"><input type="checkbox" name="enabled" .checked=${draft.value("enabled")} ?disabled=${off()} @change=${(e) => draft.set("enabled", e.target.checked)} />Enabled</label>`)}
      ${draft.isNew ? nothing : html`<div class="row pad end"><span class="m s12 cut">Version ${g.version}, ${g.updatedBy}, ${moment(Date.parse(g.updatedAt))}</span><span class="sp"></span><button class="ctl" ?disabled=${off()} title=${off() ? NEEDS : nothing} @click=${() => draft.remove(`Deletes 1 group; ${g.openEvents ? `${plural(g.openEvents, "open event")} ${g.openEvents === 1 ? "is" : "are"} closed, and ` : ""}its events stay in the archive.`)}>Delete\u2026</button></div>`}</section>`;
  }

  return {
    get title() {
      return draft.value("name") || "Outlier group";
    },
    name: "wizard",
    timed: false,
    update,
    escape: () => {
      const at = document.activeElement;
      if (at?.matches("input, textarea, select")) at.blur();
      else back(draft.isNew ? "/outliers" : `/outliers/${id}`);
    },
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data) return html`<div class="tb"><h1>No group to show</h1></div><section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      begin();
      const kind = draft.value("objectKind");
      if (draft.there) {
        if (kind) units.want(kind);
        preview.want(draft.body());
      }
      const at = preview.valueOf(draft.value("sensitivity"));
      const head = html`<div class="tb"><a class="m nw" href=${href("/outliers")}>Outliers /</a>${draft.isNew ? nothing : html`<a class="m nw" href=${href(`/outliers/${id}`)}>${draft.before.name} /</a>`}<h1 class="cut">${draft.isNew ? "New group" : "Edit"}</h1>
        <span class="m nw">${draft.isNew ? (draft.edited ? "draft kept, nothing runs yet" : "nothing runs yet") : draft.edited ? "edited, draft kept" : ""}</span>${draft.meanwhile()}<span class="sp"></span>
        ${historyButton(draft)}${draft.isNew ? nothing : html`<a class="ctl ghost" href=${`/api/v1/rules/export?id=${id}`} download>Export</a>`}
        <button class="ctl" @click=${() => back(draft.isNew ? "/outliers" : `/outliers/${id}`)}>Cancel <kbd>Esc</kbd></button>${draft.saveButtons()}</div>`;
      if (!draft.there) return html`${head}<section class="pane">${loaded(draft.stored, () => nothing, { rows: 10 })}</section>`;
      return html`${head}<div class="cols">${form()}<div class="col side-col">${draftHistory(draft)}
        ${preview.view({ at, opens: draft.value("opens"), closesAfter: draft.value("closesAfter"), set: (v) => { draft.set("sensitivity", v); redraw(); }, off: off() })}</div></div>`;
    },
  };
}
