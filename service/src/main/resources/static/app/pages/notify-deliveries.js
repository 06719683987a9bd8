// The delivery log: every notification with its state, attempts and answer; what is over can be sent again, what waits dropped.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { get, post } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { memo } from "../core/memo.js";
import { may, NEEDS } from "../core/session.js";
import { DAY, duration, HOUR, lastTick, moment, spanName, span } from "../core/time.js";
import { amend, go, href, param } from "../core/url.js";
import { asCsv, download } from "../parts/download.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { notice } from "../parts/notice.js";
import { failure } from "../parts/pane.js";
import { Rows } from "../parts/rows.js";
import { answerWords, DeliveryDetail, deliveryTitle, drop, isOver, OVER, replay } from "./notify-delivery.js";
import { words } from "./explorer-filter.js";
import { deliveryShape, eventWord, STATE_NAMES, stateWord } from "./notify-words.js";

const PAGE = 500;
const MOST = 5000;
const SPANS = ["1h", "6h", "24h", "7d", "30d"];
const SINCE = "24h";
const BELOW = "6h";

const took = (d) => (d.endedAt && d.status !== "dropped" ? ms(Date.parse(d.endedAt) - Date.parse(d.createdAt)) : "-");
const ms = (n) => (n < 10_000 ? `${Math.max(0, Math.round(n))} ms` : duration(n));

/** Many at once: what matches is counted before anything is sent. */
export function showReplay({ target = null, rule = null, targets = [], rules = [], from, to, done }) {
  if (!may("operator")) return notice(NEEDS);
  const local = (t) => new Date(t - new Date(t).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  const state = { target: target ?? "", rule: rule ?? "", status: ["dead"], from: local(from), to: local(to), busy: false, error: null, result: null };
  const body = (dryRun) => ({ ...(state.target ? { target: state.target } : {}), ...(state.rule ? { rule: state.rule } : {}), status: state.status, from: new Date(state.from).toISOString(), to: new Date(state.to).toISOString(), dryRun });
  const counted = new Load((b, signal) => post("/deliveries/replay", JSON.parse(b), signal));
  const valid = () => state.status.length > 0 && Date.parse(state.from) < Date.parse(state.to);
  const set = (part) => (Object.assign(state, part), redraw());
  const send = async (e) => {
    e.preventDefault();
    state.busy = true;
    state.error = null;
    redraw();
    try {
      const { replayed } = await post("/deliveries/replay", body(false));
      closeLayer();
      notice(`${plural(replayed, "delivery", "deliveries")} sent again, in their order`, { seconds: 6 });
      done();
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  showLayer("dialog", () => {
    if (valid()) counted.want(JSON.stringify(body(true)));
    const n = valid() && counted.data && !counted.loading ? counted.data.matched : null;
    return html`<form class="form-lines" @submit=${send}><h2 class="title">Send many again</h2>
      <div class="two-fields"><label class="lab">To<select class="field" aria-label="Target" ?disabled=${Boolean(target)} @change=${(e) => set({ target: e.target.value })}><option value="">every target</option>${targets.map((t) => html`<option value=${t.id} ?selected=${t.id === state.target}>${t.name}</option>`)}</select></label>
        <label class="lab">By<select class="field" aria-label="Rule" ?disabled=${Boolean(rule)} @change=${(e) => set({ rule: e.target.value })}><option value="">every rule</option>${rules.map((r) => html`<option value=${r.id} ?selected=${r.id === state.rule}>${r.name}</option>`)}</select></label>
        <label class="lab">Made from<input class="field" type="datetime-local" aria-label="From" .value=${state.from} @change=${(e) => set({ from: e.target.value })} /></label><label class="lab">until<input class="field" type="datetime-local" aria-label="To" .value=${state.to} @change=${(e) => set({ to: e.target.value })} /></label></div>
      <div class="row wrap" role="group" aria-label="States">${OVER.map((s) => html`<label class="check"><input type="checkbox" .checked=${state.status.includes(s)} @change=${() => set({ status: OVER.filter((x) => (x === s ? !state.status.includes(s) : state.status.includes(x))) })} /><span aria-hidden="true">${deliveryShape(s)}</span>${stateWord(s)}</label>`)}</div>
      <p role="status">${!valid() ? html`<span class="warn">Choose a state, and an end behind the begin.</span>` : counted.error && !counted.loading ? html`<span class="crit">${counted.error.message}</span>` : n === null ? html`<span class="m">counting\u2026</span>` : html`<b>${plural(n, "delivery", "deliveries")}</b> would be sent again: the same bytes under the same ids, in their order.`}</p>
      ${state.error ? failure(state.error) : nothing}
      <div class="row"><button class="ctl primary" ?disabled=${!n || state.busy}>Send ${n === null ? "" : count(n)} again</button><button type="button" class="ctl" @click=${closeLayer}>Cancel</button></div></form>`;
  }, { label: "Send many again" });
}

/** Reads pages until there are no more, or as many as a list holds. */
async function readDeliveries(query, signal, most = MOST) {
  const items = [];
  let cursor = null;
  do {
    const page = await get("/deliveries", { limit: PAGE, ...query, cursor }, signal);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < most);
  return { items, more: Boolean(cursor) };
}

const attemptsText = (d) => (d.attempts ? String(d.attempts) : html`<span class="m">0</span>`);

function cells(d, { rule = true, target = true } = {}) {
  return html`<td class="m nw" title=${d.createdAt}>${moment(Date.parse(d.createdAt), true)}</td><td>${eventWord(d.event)}${d.change === "resend" ? html` <span class="m">again</span>` : nothing}</td><td class="strong" title=${deliveryTitle(d)}>${deliveryTitle(d)}</td>
    ${rule ? html`<td class="i2 prio-3" title=${d.rule?.name ?? ""}>${d.rule?.name ?? html`<span class="m">${d.alertNumber === null ? "group" : "test or heartbeat"}</span>`}</td>` : nothing}${target ? html`<td class="i2 beside-gone" title=${d.target.name}>${d.target.name}</td>` : nothing}
    <td class="r beside-gone">${attemptsText(d)}</td><td class=${d.status === "dead" ? "crit" : d.status === "retry" ? "warn" : "i2"} title=${answerWords(d)}>${answerWords(d)}</td><td class="mono m prio-3 wide-only" title=${d.id}>${d.id.slice(0, 13)}</td><td class="r m beside-gone">${took(d)}</td>`;
}

export function deliveriesTab(filter) {
  let version = 0;
  const query = () => ({ target: param("target"), rule: param("rule"), alert: param("alert"), status: param("status").split(",").filter((s) => STATE_NAMES.includes(s)), since: SPANS.includes(param("since")) ? param("since") : SINCE });
  const load = new Load(({ since, ...q }, _tick, _version, signal) => readDeliveries({ ...q, from: new Date(Date.now() - span(since)).toISOString() }, signal));
  const targets = new Load((_once, signal) => get("/notification-targets", { limit: 1000 }, signal));
  const rules = new Load((_once, signal) => get("/notification-rules", { limit: 1000 }, signal));
  const detail = new DeliveryDetail({ changed: () => again() });
  const again = () => {
    version++;
    update();
    detail.again();
  };

  const text = (d) => `${d.alertName} ${d.objectName ?? ""} ${d.target.name} ${d.rule?.name ?? ""} ${d.template} ${d.id} A-${d.alertNumber ?? ""} ${d.reason ?? ""}`.toLowerCase();
  const left = memo((items, typed) => items.filter((d) => words(typed).every((w) => (w.startsWith("template:") ? d.template === w.slice(9) : text(d).includes(w.toLowerCase())))));
  const rows = new Rows({ main: "notifications", items: () => (load.data ? left(load.data.items, filter.text()) : null), asked: () => [filter.text(), query()], compare: (a, b) => b.number - a.number, address: (d) => `/notifications/deliveries/${d.id}`, go });

  function update() {
    const { status, ...q } = query();
    load.want({ ...q, status }, lastTick(), version);
    targets.want(0);
    rules.want(0);
  }

  const choice = (name, label, options, all) => html`<label class="ctl pick-one"><span class="k">${label}</span><select aria-label=${label} @change=${(e) => amend({ [name]: e.target.value || null, row: null }, { replace: true })}><option value="">${all}</option>${options.map(([v, word]) => html`<option value=${v} ?selected=${v === param(name)}>${word}</option>`)}</select></label>`;
  const chosen = () => (rows.selected.size ? rows.picked() : [rows.chosen()].filter(Boolean));
  const replayThem = () => {
    const list = chosen().filter((d) => isOver(d) || d.status === "retry");
    return list.length ? replay(list, () => { rows.clear(); again(); }) : notice("Choose deliveries that are over, with J, K and X or the mouse.");
  };
  const dropThem = () => {
    const list = chosen().filter((d) => !isOver(d));
    return list.length ? drop(list, () => { rows.clear(); again(); }) : notice("Choose deliveries that wait, with J, K and X or the mouse.");
  };
  const range = () => showReplay({ target: param("target") || null, rule: param("rule") || null, targets: targets.data?.items ?? [], rules: rules.data?.items ?? [], from: Date.now() - span(query().since), to: Date.now(), done: again });
  const save = (format) => {
    const head = ["id", "number", "createdAt", "status", "event", "change", "alertNumber", "alertName", "objectName", "criticality", "target", "rule", "template", "templateVersion", "sequence", "attempts", "endedAt", "reason"];
    const list = rows.list();
    download("deliveries", format, format === "csv" ? asCsv([head, ...list.map((d) => head.map((k) => (k === "target" || k === "rule" ? d[k]?.name : d[k])))]) : JSON.stringify(list, null, 2), plural(list.length, "delivery", "deliveries"));
  };

  function head() {
    const operator = may("operator");
    const n = rows.selected.size;
    if (n) {
      const list = rows.picked();
      return html`<b>${count(n)} selected</b><button class="ctl low" ?disabled=${!operator || !list.some(isOver)} title=${operator ? nothing : NEEDS} @click=${replayThem}>Replay</button><button class="ctl low" ?disabled=${!operator || list.every(isOver)} title=${operator ? nothing : NEEDS} @click=${dropThem}>Drop</button><button class="link" @click=${() => rows.clear()}>None</button>`;
    }
    const items = load.data?.items ?? [];
    const sum = STATE_NAMES.map((s) => [s, items.filter((d) => d.status === s).length]).filter(([, c]) => c);
    return html`<h2>${load.data ? plural(items.length, "delivery", "deliveries") : "Delivery log"}</h2><span class="m cut">${sum.map(([s, c]) => `${count(c)} ${stateWord(s)}`).join(", ")}${load.data?.more ? "; older ones are not listed" : ""}</span><span class="sp"></span>
      ${choice("target", "To", (targets.data?.items ?? []).map((t) => [t.id, t.name]), "any target")}${choice("rule", "By", (rules.data?.items ?? []).map((r) => [r.id, r.name]), "any rule")}${choice("status", "State", [...STATE_NAMES.map((s) => [s, stateWord(s)]), ["waiting,sending,retry", "on its way"]], "any state")}${choice("since", "Of", SPANS.filter((s) => s !== SINCE).map((s) => [s, spanName(s).toLowerCase()]), "last 24 hours")}
      ${param("alert") ? html`<button class="ctl low" @click=${() => amend({ alert: null }, { replace: true })}>of one alert \u00d7</button>` : nothing}<button class="link" ?disabled=${!items.length} @click=${() => save("csv")}>CSV</button><button class="link" ?disabled=${!items.length} @click=${() => save("json")}>JSON</button>`;
  }

  const row = (d) => html`<tr class="${rows.isOn(d) ? "sel" : ""} ${d.status === "dropped" ? "quiet" : ""}" aria-selected=${rows.selected.has(d.id)} @click=${(e) => rows.click(e, d)} @dblclick=${() => rows.open(d)}>${rows.pick({ ...d, name: deliveryTitle(d) }, deliveryShape(d.status))}${cells(d)}</tr>`;

  return {
    name: "Delivery log",
    load,
    params: ["target", "rule", "alert", "status", "since"],
    filter: "alert, object, id, template:slack",
    buttons: () => html`<button class="ctl" ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} @click=${range}>Replay a range\u2026</button>`,
    update,
    head,
    keys: () => ({ ...rows.keys(), R: [replayThem, "Replay what is chosen"], Delete: [dropThem, "Drop what is chosen"] }),
    escape: () => rows.escape(),
    beside: () => (rows.chosen() ? html`<section class="pane" aria-label="Delivery">${detail.view(rows.chosen())}</section>` : nothing),
    view() {
      const list = rows.list();
      if (!list.length) {
        const q = query();
        const narrowed = q.target || q.rule || q.alert || q.status.length || filter.text().trim();
        return html`<div class="empty">${narrowed ? "No delivery matches." : `Nothing was sent in the ${spanName(q.since).toLowerCase()}, and nothing waits.`} ${narrowed ? html`<button class="link" @click=${() => { filter.set(""); amend({ target: null, rule: null, alert: null, status: null, q: null }, { replace: true }); }}>Drop the filters</button>` : html`<button class="link" @click=${() => amend({ since: "30d" }, { replace: true })}>Look at 30 days</button>`}</div>`;
      }
      return rows.box(html`<table><colgroup><col class="w-pick" /><col class="w-stamp" /><col class="w-few" /><col /><col class="w-who prio-3" /><col class="w-who beside-gone" /><col class="w-few beside-gone" /><col class="w-answer" /><col class="w-time prio-3 wide-only" /><col class="w-few beside-gone" /></colgroup>
        <thead><tr><th></th><th>Time</th><th>Event</th><th>Alert</th><th class="prio-3">Rule</th><th class="beside-gone">Target</th><th class="r beside-gone">Attempts</th><th>Answer</th><th class="prio-3 wide-only">Delivery id</th><th class="r beside-gone">Took</th></tr></thead>${rows.body(list, row)}</table>`);
    },
  };
}

const below = new Map();

/** Deliveries of a template, a rule or a target, below its editor. */
export function deliveriesOf(what, { title }) {
  const key = JSON.stringify(what);
  if (!below.has(key)) {
    below.clear();
    const { template, ...query } = what;
    below.set(key, new Load(async (_tick, signal) => {
      const { items } = await readDeliveries({ ...query, from: new Date(Date.now() - span(BELOW)).toISOString() }, signal, 2000);
      return template ? items.filter((d) => d.template === template) : items;
    }));
  }
  const load = below.get(key);
  load.want(lastTick());
  const items = load.data ?? [];
  const n = (...states) => items.filter((d) => states.includes(d.status)).length;
  const again = () => load.again();
  const options = { rule: !what.rule, target: !what.target };
  const row = (d) => html`<tr @dblclick=${() => go(`/notifications/deliveries/${d.id}`)}><td>${deliveryShape(d.status)}</td>${cells(d, options)}</tr>`;
  return html`<section class="pane deliveries-below" aria-label=${title}><div class="ph"><h2>${title}</h2><span class="m cut">${load.data ? `last 6 hours: ${count(n("delivered", "unconfirmed"))} delivered, ${count(n("waiting", "sending", "retry"))} waiting, ${count(n("dead"))} dead` : ""}</span><span class="sp"></span>
      <a class="link" href=${href("/notifications", { tab: "deliveries", ...(what.template ? { q: `template:${what.template}` } : what) })}>All</a>${what.template ? nothing : html`<button class="ctl low" ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} @click=${() => showReplay({ ...what, from: Date.now() - DAY, to: Date.now() + HOUR / 60, done: again })}>Replay\u2026</button>`}</div>
    ${load.error && !load.data ? failure(load.error, again) : items.length ? html`<div class="scrolls"><table><colgroup><col class="w-state" /><col class="w-stamp" /><col class="w-few" /><col />${options.rule ? html`<col class="w-who prio-3" />` : nothing}${options.target ? html`<col class="w-who" />` : nothing}<col class="w-few" /><col class="w-answer" /><col class="w-time prio-3 wide-only" /><col class="w-few" /></colgroup>
      <thead><tr><th></th><th>Time</th><th>Event</th><th>Alert</th>${options.rule ? html`<th class="prio-3">Rule</th>` : nothing}${options.target ? html`<th>Target</th>` : nothing}<th class="r">Attempts</th><th>Answer</th><th class="prio-3 wide-only">Delivery id</th><th class="r">Took</th></tr></thead><tbody>${items.slice(0, 50).map(row)}</tbody></table></div>` : html`<div class="empty s12">${load.data ? "Nothing in the last 6 hours." : "\u00a0"}</div>`}</section>`;
}
