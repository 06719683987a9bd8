// One saved report: its question, when and to whom it is sent, its limit of share; beside it what it showed.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { get } from "../core/api.js";
import { plural } from "../core/format.js";
import { IMPACTS } from "../core/health.js";
import { Load } from "../core/load.js";
import { readPages } from "../core/outliers.js";
import { SEVERITIES } from "../core/severity.js";
import { amount, changeText, DIMENSIONS, DIRECTIONS, learn, MEASURES, nameOf, narrowing, percent, TRAFFIC } from "../core/talkers.js";
import { lastTick, moment } from "../core/time.js";
import { amend, back, go, href, param } from "../core/url.js";
import { ZONES, zoneName } from "../core/zone.js";
import { showPalette } from "../frame/palette.js";
import { Draft } from "../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../parts/history.js";
import { copy } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { icon, shape } from "../parts/shapes.js";
import { segments } from "../parts/small.js";
import { DAYS } from "./maintenance-words.js";
import { placeOf, typeWord } from "./notify-words.js";
import { recommendationFields } from "./rule-fields.js";
import { at, pageParams, queryWords, scheduleWords, shareWords, windowOk } from "./talker-report-words.js";

const BLANK = { name: "", description: null, query: { by: "vm", measure: "bytes", direction: "sent", window: "24h", limit: 20 }, schedule: null, targets: [], templates: [], shareAbove: null, alert: null };
const FIELDS = { name: "Name", description: "What it is for", query: "Question", schedule: "Sent", targets: "To", templates: "As", shareAbove: "Share limit", alert: "Alert" };
const SENDABLE = ["webhook", "email"];
const SHOWN = 10;
const list = (text) => text.split(",").map((t) => t.trim()).filter(Boolean);
const filled = (v) => v !== null && v !== undefined && v !== "" && !(Array.isArray(v) && !v.length);

function toBody({ query, schedule, targets, templates, shareAbove, alert, ...rest }) {
  const question = Object.fromEntries(Object.entries(query).filter(([, v]) => filled(v)));
  return { ...rest, query: question, ...(schedule ? { schedule } : {}), targets: targets ?? [], ...(templates?.length ? { templates } : {}), ...(shareAbove ? { shareAbove } : {}), ...(shareAbove && alert ? { alert: { ...alert, recommendations: (alert.recommendations ?? []).map((r) => r.trim()).filter(Boolean) } } : {}) };
}

export function page(address) {
  const draft = new Draft({ api: "/talker-reports", place: "/top-talkers/reports", list: () => go("/top-talkers/reports"), address, blank: BLANK, labels: FIELDS, show, toBody, saved: "Saved" });
  const targets = new Load((_tick, signal) => readPages("/notification-targets", {}, signal));
  const runs = new Load((id, _version, _tick, signal) => get(`/talker-reports/${id}/runs`, { limit: 50 }, signal));

  function show(name, v) {
    if (name === "query") return v ? queryWords(v) : "none";
    if (name === "schedule") return scheduleWords(v);
    if (name === "targets") return v?.length ? v.map((id) => targets.data?.items.find((t) => t.id === id)?.name ?? "one that is gone").join(", ") : "nobody";
    if (name === "shareAbove") return shareWords(v);
    if (name === "alert") return v ? `${v.severity ?? "warning"}, ${v.impact ?? "risk"}` : "warning, risk";
    return Array.isArray(v) ? v.join(", ") || "none" : `${v ?? ""}` || "none";
  }

  // What was asked on the page one came from; what is in the draft is not asked for again by a reload.
  if (address === "new" && param("by")) {
    const q = narrowing();
    draft.begin({ query: { by: DIMENSIONS[param("by")] ? param("by") : "vm", measure: MEASURES[param("measure")] ? param("measure") : "bytes", direction: param("direction") || "sent", trafficType: q.traffic ?? undefined, ports: q.ports, scope: q.of, peerScope: q.peers, network: q.networks, tier: q.tiers, window: windowOk(param("window")) ? param("window") : "24h", limit: Math.min(1000, Math.max(1, Number(param("limit")) || 20)) } });
    queueMicrotask(() => amend({ by: null, measure: null, direction: null, window: null, limit: null, traffic: null, ports: null, network: null, of: null, peer: null, tier: null }, { replace: true }));
  }

  const off = () => !draft.allowed;
  const query = () => draft.value("query") ?? BLANK.query;
  const set = (part) => draft.set("query", { ...query(), ...part });

  function questionPane() {
    const q = query();
    const select = (label, value, options, choose) => html`<label class="lab">${label}<select class="field" ?disabled=${off()} @change=${(e) => choose(e.target.value)}>${options.map(([v, w]) => html`<option value=${v} ?selected=${v === value}>${w}</option>`)}</select></label>`;
    const own = ["scope", "tier", "network"].some((name) => q[name]?.length);
    const ends = own || ["vm", "host", "cluster", "tier", "network"].includes(q.by);
    const chips = (name, wordsOf) => (q[name] ?? []).map((v) => html`<span class="chip">${wordsOf(v)}${off() ? nothing : html`<button class="icon" type="button" aria-label=${`Remove ${wordsOf(v)}`} @click=${() => set({ [name]: q[name].filter((x) => x !== v) })}>${icon("close", 10)}</button>`}</span>`);
    const add = (name, label) => (off() ? nothing : html`<button class="link s12" type="button" @click=${() => showPalette({ label, choose: (o) => { learn({ object: o }); set({ [name]: [...new Set([...(q[name] ?? []), o.id])] }); } })}>${label}\u2026</button>`);
    return html`<section class="pane" aria-label="Question"><div class="ph"><h2>Question</h2><span class="m cut" title=${queryWords(q)}>${queryWords(q)}</span><span class="sp"></span><a class="link nw" href=${href("/top-talkers", pageParams(q))}>Look at it now</a></div>
      <div class="form">
        <div class="three">${select("What is ranked", q.by, Object.entries(DIMENSIONS).map(([id, [, , w]]) => [id, w]), (by) => set({ by }))}${select("By", q.measure ?? "bytes", Object.entries(MEASURES).map(([id, [w]]) => [id, w]), (measure) => set({ measure }))}
          ${ends ? select("Traffic", q.direction ?? "both", DIRECTIONS, (direction) => set({ direction })) : html`<span></span>`}</div>
        <div class="three">${select("Of which type", q.trafficType ?? "", [["", "all"], ...Object.entries(TRAFFIC)], (v) => set({ trafficType: v || undefined }))}
          <label class="lab">In the last<input class="field" name="window" placeholder="24h, 7d" .value=${q.window ?? ""} ?disabled=${off()} aria-invalid=${windowOk(q.window) ? "false" : "true"} @input=${(e) => set({ window: e.target.value.trim() })} /></label>
          <label class="lab">How many<input class="field" type="number" min="1" max="1000" name="limit" .value=${String(q.limit ?? 20)} ?disabled=${off()} @change=${(e) => set({ limit: Math.max(1, Math.min(1000, Math.round(Number(e.target.value) || 20))) })} /></label></div>
        <div class="two"><label class="lab">Only these services, with commas between<input class="field" name="ports" placeholder="443/tcp, 53, icmp" .value=${(q.ports ?? []).join(", ")} ?disabled=${off()} @change=${(e) => set({ ports: list(e.target.value.toLowerCase()) })} /></label>
          <label class="lab">Only these networks, with commas between<input class="field" name="networks" placeholder="dmz, 10.1.0.0/16" .value=${(q.network ?? []).join(", ")} ?disabled=${off()} @change=${(e) => set({ network: list(e.target.value) })} /></label></div>
        <label class="lab">Only these tiers, with commas between<input class="field" name="tiers" placeholder="shop/web, pay/db" .value=${(q.tier ?? []).join(", ")} ?disabled=${off()} @change=${(e) => set({ tier: list(e.target.value) })} /></label>
        <div class="narrow" role="group" aria-label="Ends"><span>Only the traffic of</span>${q.scope?.length ? chips("scope", nameOf) : html`<span class="m">everything</span>`}${add("scope", "add an object")}<span>with</span>${q.peerScope?.length ? chips("peerScope", nameOf) : html`<span class="m">anything</span>`}${add("peerScope", "add another end")}</div>${draft.said("query")}</div></section>`;
  }

  function schedulePane() {
    const s = draft.value("schedule");
    const change = (part) => draft.set("schedule", { ...s, ...part });
    const days = s?.days?.length ? s.days : DAYS.map(([d]) => d);
    const day = (d) => {
      const next = DAYS.map(([x]) => x).filter((x) => (x === d ? !days.includes(x) : days.includes(x)));
      if (next.length) change({ days: next.length === 7 ? undefined : next });
    };
    const chosen = draft.value("targets") ?? [];
    const all = (targets.data?.items ?? []).filter((t) => SENDABLE.includes(t.type) || chosen.includes(t.id));
    return html`<section class="pane" aria-label="When and to whom"><div class="ph"><h2>When, and to whom</h2><span class="m cut">${scheduleWords(s)}${s && !draft.isNew && !draft.edited && draft.before.nextAt ? `, next ${at(draft.before.nextAt)}` : ""}</span><span class="sp"></span><label class="check"><input type="checkbox" name="schedule" .checked=${Boolean(s)} ?disabled=${off()} @change=${(e) => draft.set("schedule", e.target.checked ? (draft.before.schedule ?? { time: "07:00", zone: zoneName() }) : null)} />Sent by itself</label></div>
      ${s ? html`<div class="form"><div class="row wrap" role="group" aria-label="Days">${DAYS.map(([d, w]) => html`<button type="button" class="ctl low" aria-pressed=${days.includes(d)} ?disabled=${off()} @click=${() => day(d)}>${w}</button>`)}</div>
        <div class="two"><label class="lab">At<input class="field" type="time" name="time" .value=${s.time} ?disabled=${off()} @change=${(e) => e.target.value && change({ time: e.target.value.slice(0, 5) })} /></label><label class="lab">Time zone<input class="field" list="report-zones" name="zone" autocomplete="off" .value=${s.zone} ?disabled=${off()} aria-invalid=${ZONES.includes(s.zone) ? "false" : "true"} @change=${(e) => change({ zone: e.target.value.trim() })} /></label></div><datalist id="report-zones">${ZONES.map((z) => html`<option value=${z}></option>`)}</datalist>${draft.said("schedule")}
        <ul class="target-checks" role="group" aria-label="Targets">${all.map((t) => html`<li><label class="check"><input type="checkbox" .checked=${chosen.includes(t.id)} ?disabled=${off()} @change=${() => draft.set("targets", chosen.includes(t.id) ? chosen.filter((x) => x !== t.id) : [...chosen, t.id])} /><b>${t.name}</b></label><span class="m cut">${typeWord(t.type)}, ${placeOf(t)}</span>${t.enabled ? nothing : html`<span class="warn s12">disabled</span>`}</li>`)}</ul>
        ${targets.data && !all.length ? html`<p class="m s12">Reports go to web hooks and mail; there is no such target yet. <a class="acc" href=${href("/notifications/targets/new", { type: "email" })}>Make one</a></p>` : nothing}${draft.said("targets")}</div>` : html`<p class="m s12 pad">It is kept and can be opened; nothing is sent.</p>`}</section>`;
  }

  function limitPane() {
    const share = draft.value("shareAbove");
    const alert = draft.value("alert") ?? {};
    const put = (part) => draft.set("alert", { ...alert, ...part });
    return html`<section class="pane" aria-label="Share limit"><div class="ph"><h2>Share limit</h2><span class="m cut">${filled(share) ? `an alert while one has more than ${percent(share)} of the whole` : "no alert"}</span><span class="sp"></span><label class="check"><input type="checkbox" name="limited" .checked=${filled(share)} ?disabled=${off()} @change=${(e) => draft.set("shareAbove", e.target.checked ? (draft.before.shareAbove ?? 0.3) : null)} />Raises an alert</label></div>
      ${filled(share) ? html`<div class="form"><div class="three"><label class="lab">More than, in %<input class="field" name="share" inputmode="decimal" .value=${String(Number((share * 100).toFixed(3)))} ?disabled=${off()} aria-invalid=${share > 0 && share < 1 ? "false" : "true"} @change=${(e) => { const n = Number(e.target.value.replace(",", ".")); if (n > 0 && n < 100) draft.set("shareAbove", Number((n / 100).toFixed(5))); else redraw(); }} /></label>
          <label class="lab">Severity<select class="field" ?disabled=${off()} @change=${(e) => put({ severity: e.target.value })}>${SEVERITIES.map((v) => html`<option ?selected=${v === (alert.severity ?? "warning")}>${v}</option>`)}</select></label>
          <div class="lab"><span>What suffers</span><div>${segments(alert.impact ?? "risk", IMPACTS.map((i) => [i, i]), (impact) => !off() && put({ impact }), "What suffers")}</div></div></div>
        ${recommendationFields({ all: alert.recommendations ?? [], set: (recommendations) => put({ recommendations }), off: off() })}${draft.said("shareAbove")}${draft.said("alert")}</div>` : html`<p class="m s12 pad">With a limit it is looked at whenever 5 more minutes of flows are there.</p>`}</section>`;
  }

  /** What one run showed; the first talkers of it. */
  function runView(r) {
    if (r.state !== "done" || !r.result) return html`<p class="pad i2">${r.state === "missed" ? "It was missed" : "It could not be answered"}${r.reason ? `: ${r.reason}` : "."}</p>`;
    const { items, unit, total } = r.result;
    const most = items[0]?.value || 1;
    const sent = r.deliveries ?? [];
    return html`<div class="behind-list">${items.slice(0, SHOWN).map((i) => html`<div class="behind-line run"><span class="r m">${i.rank}</span><span class="cut strong" title=${i.talker.name}>${i.talker.object ? html`<a href=${href(`/objects/${i.talker.object.id}`)}>${i.talker.name}</a>` : i.talker.name}</span><span class="share-bar"><i .style=${`width:${(i.value / most) * 100}%;background:var(--seq-3)`}></i></span><span class="r">${amount(i.value, unit)}</span><span class="r ${r.overShare && i.share > (draft.before.shareAbove ?? 2) ? "hot" : "m"}">${percent(i.share)}</span><span class="r m">${i.before ? changeText(i.before, i.value) : ""}</span></div>`)}
      <p class="behind-say">${amount(total, unit)} in all${items.length > SHOWN ? `, ${plural(items.length, "talker")} in the report` : ""}. <a class="acc" href=${href("/top-talkers", { ...pageParams(query()), range: null, from: new Date(r.result.from).toISOString(), to: new Date(r.result.to).toISOString() })}>Open this window</a></p>
      ${sent.length ? html`<p class="behind-more">${sent.map((d) => (d.delivery ? html`<a class="acc" href=${href(`/notifications/deliveries/${d.delivery}`)}>sent to ${d.target.name}</a>` : html`<span class="warn">not sent to ${d.target.name}${d.reason ? `: ${d.reason}` : ""}</span>`))}</p>` : nothing}</div>`;
  }

  function runsPane() {
    if (draft.isNew) return nothing;
    const open = (dueAt) => amend({ run: dueAt }, { replace: true });
    return html`<section class="pane" aria-label="What it showed"><div class="ph"><h2>What it showed</h2><span class="m cut">each time that it was due, newest first</span></div>
      ${loaded(runs, ({ items, total }) => html`<ul class="runs">${items.map((r, n) => {
        const on = param("run") ? param("run") === r.dueAt : n === 0;
        const [first] = r.result?.items ?? [];
        return html`<li><button class="run-head" aria-expanded=${on} @click=${() => open(on ? "none" : r.dueAt)}>${shape(r.state === "failed" ? "critical" : r.state === "missed" ? "unknown" : r.overShare ? "warning" : "alike", 11, r.state === "done" ? (r.overShare ? "over the limit" : "") : r.state)}<b>${moment(Date.parse(r.dueAt))}</b><span class="m cut">${r.state === "done" ? (first ? `${first.talker.name} ${percent(first.share)}` : "no traffic") : r.state}${r.overShare ? ", over the limit" : ""}</span></button>${on ? runView(r) : nothing}</li>`;
      })}</ul>${total > items.length ? html`<p class="pad m s12">the newest ${items.length} of ${total}</p>` : nothing}`, { rows: 6, isEmpty: ({ items }) => !items.length, empty: draft.before.schedule ? `It was not due yet. The first time is ${at(draft.before.nextAt)}.` : "It is not sent by itself, so it never was due." })}</section>`;
  }

  return {
    get title() {
      return draft.value("name") || "Report";
    },
    name: "rule-page",
    timed: false,
    update() {
      draft.want();
      targets.want(lastTick());
      if (!draft.isNew && draft.stored.data) runs.want(draft.id, draft.before.version, lastTick());
    },
    escape: () => {
      const active = document.activeElement;
      if (active?.matches("input, textarea, select")) active.blur();
      else back("/top-talkers/reports");
    },
    keys: () => ({ "Ctrl S": [() => draft.save(), "Save"], ...historyKey(draft), Y: [() => copy(location.href, "Link copied"), "Copy link"] }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data) return html`<div class="tb"><h1>No report to show</h1></div><section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      const r = draft.before;
      const head = html`<div class="tb"><a class="m nw" href=${href("/top-talkers/reports")}>Reports /</a><h1 class="cut">${draft.value("name") || (draft.isNew ? "New report" : "\u00a0")}</h1>${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.meanwhile()}<span class="sp"></span>${historyButton(draft)}${draft.saveButtons()}</div>`;
      if (!draft.there) return html`${head}<section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      if (!draft.isNew) runs.want(draft.id, r.version, lastTick());
      return html`${head}${draft.error && !draft.error.errors?.length ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>` : nothing}
        <div class="cols"><div class="col"><section class="pane" aria-label="What it is called"><div class="form"><label class="lab">Name<input class="field" name="name" maxlength="200" autocomplete="off" .value=${draft.value("name")} ?disabled=${off()} aria-invalid=${draft.wrong("name") ? "true" : "false"} @input=${(e) => draft.set("name", e.target.value)} />${draft.said("name")}</label>
            <label class="lab">What it is for<textarea class="field tall" name="description" rows="1" maxlength="20000" .value=${draft.value("description") ?? ""} ?disabled=${off()} @input=${(e) => draft.set("description", e.target.value || null)}></textarea>${draft.said("description")}</label></div></section>
          ${questionPane()}${schedulePane()}${limitPane()}
          ${draft.isNew ? nothing : html`<section class="pane" aria-label="Kept"><div class="row pad"><span class="m s12">Version ${r.version}, ${r.updatedBy}, ${moment(Date.parse(r.updatedAt))}</span><span class="sp"></span><button class="ctl" ?disabled=${off()} title=${off() ? "Needs the role operator" : nothing} @click=${() => draft.remove("What it showed goes with it; its alert is closed.")}>Delete\u2026</button></div></section>`}</div>
        <div class="col">${draftHistory(draft)}${runsPane()}</div></div>`;
    },
  };
}
