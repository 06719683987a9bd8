// Targets: where notifications go, and how each of them does.
import { html, nothing } from "../core/html.js";
import { get, post } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { memo } from "../core/memo.js";
import { may, NEEDS } from "../core/session.js";
import { duration, lastTick, moment } from "../core/time.js";
import { go, href } from "../core/url.js";
import { notice } from "../parts/notice.js";
import { ordered, Rows } from "../parts/rows.js";
import { shape } from "../parts/shapes.js";
import { words } from "./explorer-filter.js";
import { showTest } from "./notify-test.js";
import { clockMark, placeOf, typeWord } from "./notify-words.js";

export const readTargets = async (signal) => {
  const [{ items, total }, states] = await Promise.all([get("/notification-targets", { limit: 1000 }, signal), get("/notification-targets/states", {}, signal)]);
  const byId = new Map(states.items.map((s) => [s.target, s]));
  return { items: items.map((t) => ({ ...t, state: byId.get(t.id) ?? null })), total };
};

const since = (iso) => duration(Date.now() - Date.parse(iso));

/** How a target does: `[rank, shape, words, hint]`; the worst ranks highest. */
export function targetState(target) {
  const s = target.state;
  if (!target.enabled) return [0, shape("alike", 12, "disabled"), "disabled", ""];
  if (s?.stoppedAt) return [6, shape("critical", 12), "stopped: it wants no more", s.stoppedReason ?? ""];
  if (s?.pausedUntil && Date.parse(s.pausedUntil) > Date.now()) return [5, shape("critical", 12), `paused until ${moment(Date.parse(s.pausedUntil))}: it does not accept our credentials`, s.failure ?? ""];
  if (s?.breaker === "open") return [4, shape("immediate", 12, "failing"), `left alone, ${plural(s.failures, "failure")} in a row`, s.failure ?? ""];
  if (s?.breaker === "half-open") return [3, shape("warning", 12, "being tried"), "tried with one message", s.failure ?? ""];
  if (s?.failure) return [3, shape("warning", 12, "failing"), s.failingSince ? `failing for ${since(s.failingSince)}` : "the last attempt failed", s.failure];
  if (target.issues.length) return [2, shape("warning", 12, "odd"), target.issues[0].message, target.issues.map((i) => i.message).join("; ")];
  if (s?.lastSuccess) return [1, shape("alike", 12, "works"), "works", ""];
  return [1, shape("unknown", 12, "nothing sent yet"), "nothing sent yet", ""];
}

/** Tries a target again that is paused or stopped. */
export async function resume(target, done) {
  if (!may("operator")) return notice(NEEDS);
  try {
    await post(`/notification-targets/${target.id}/resume`);
    notice(`${target.name} is tried again`);
  } catch (error) {
    notice(`Not tried again: ${error.message}`, { seconds: 8 });
  }
  done();
}

const held = (t) => Boolean(t.state?.stoppedAt || t.state?.pausedUntil || (t.state?.breaker ?? "closed") !== "closed");
export const resumable = held;

const byName = (a, b) => a.name.localeCompare(b.name);
const ORDERS = {
  state: (a, b) => targetState(b)[0] - targetState(a)[0],
  name: byName,
  type: (a, b) => a.type.localeCompare(b.type),
  waiting: (a, b) => (b.state?.waiting ?? 0) - (a.state?.waiting ?? 0),
  dead: (a, b) => (b.state?.dead ?? 0) - (a.state?.dead ?? 0),
  success: (a, b) => (b.state?.lastSuccess ?? "").localeCompare(a.state?.lastSuccess ?? ""),
};

export function targetsTab(filter) {
  const load = new Load((_tick, signal) => readTargets(signal));
  const matches = (t) => words(filter.text()).every((w) => ({ "is:failing": targetState(t)[0] >= 3, "is:disabled": !t.enabled, "is:waiting": (t.state?.waiting ?? 0) > 0 })[w] ?? (w.startsWith("type:") ? t.type === w.slice(5) : `${t.name} ${t.description ?? ""} ${t.type} ${placeOf(t)}`.toLowerCase().includes(w.toLowerCase())));
  const left = memo((items, _text) => items.filter(matches));
  const rows = new Rows({ main: "notifications", items: () => (load.data ? left(load.data.items, filter.text()) : null), asked: () => filter.text(), compare: (a, b) => ordered(ORDERS, "state", byName)(a, b), address: (t) => `/notifications/targets/${t.id}`, go });
  const test = () => (rows.chosen() ? showTest({ target: rows.chosen() }) : notice("Choose a target first, with J and K or the mouse."));
  const head = (id, name, cls) => rows.head(id, name, cls, "state");

  function row(t) {
    const [, mark, state, hint] = targetState(t);
    const s = t.state;
    return html`<tr class="${rows.isOn(t) ? "sel" : ""} ${t.enabled ? "" : "quiet"}" aria-selected=${rows.isOn(t)} @click=${(e) => rows.click(e, t)} @dblclick=${() => rows.open(t)}>
      <td>${mark}</td><td class="strong" title=${t.description ?? t.name}><a href=${href(rows.address(t))}>${t.name}</a></td><td class="i2">${typeWord(t.type)}</td><td class="mono" title=${placeOf(t)}>${placeOf(t)}</td>
      <td title=${hint || state}>${state}${hint && hint !== state ? html` <span class="m">${hint}</span>` : nothing}</td>
      <td class="r">${s?.waiting ? html`<span class="row end-row">${Date.now() - Date.parse(s.oldestWaiting) > 300_000 ? clockMark(11, "waits long", true) : nothing}${count(s.waiting)}</span>` : html`<span class="m">0</span>`}</td>
      <td class="r" title=${s?.oldestWaiting ? moment(Date.parse(s.oldestWaiting)) : nothing}>${s?.oldestWaiting ? since(s.oldestWaiting) : html`<span class="m">-</span>`}</td>
      <td class="r">${s?.dead ? html`<a class="crit" href=${href("/notifications", { tab: "deliveries", target: t.id, status: "dead" })}>${count(s.dead)}</a>` : html`<span class="m">0</span>`}</td>
      <td class="r m prio-3">${s?.lastSuccess ? moment(Date.parse(s.lastSuccess)) : "-"}</td>
      <td class="r">${held(t) && may("operator") ? html`<button class="link" @click=${() => resume(t, () => load.again())}>Try again</button>\u00a0 ` : nothing}<button class="link" ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} aria-label=${`Test ${t.name}`} @click=${() => showTest({ target: t })}>Test\u2026</button></td></tr>`;
  }

  return {
    name: "Targets",
    load,
    filter: "name, address, is:failing type:webhook",
    add: [() => go("/notifications/targets/new"), "New target", "admin"],
    update: () => load.want(lastTick()),
    keys: () => ({ ...rows.keys({ selecting: false }), T: [test, "Test the row"] }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.total, "target") : "Targets"),
    note() {
      const all = load.data?.items ?? [];
      const failing = all.filter((t) => targetState(t)[0] >= 3).length;
      const waiting = all.reduce((n, t) => n + (t.state?.waiting ?? 0), 0);
      return load.data ? `${failing ? `${failing} fail, ` : ""}${count(waiting)} waiting` : "";
    },
    none() {
      if (load.data.items.length) return null;
      return html`<section class="pane words"><p class="say"><b>There is no target yet.</b> A target says how to reach a receiver: a webhook such as Slack, PagerDuty or ServiceNow, e-mail, or an SNMP trap receiver. Only public addresses are reached unless the administrator allows others (<code>peerlens.notify.egress.allow</code>).</p>
        <p class="say row">${["webhook", "email", "snmp"].map((type) => html`<a class="ctl ${type === "webhook" ? "primary" : ""}" href=${href("/notifications/targets/new", { type })}>${typeWord(type)}</a>`)}${may("admin") ? nothing : html`<span class="m">needs the role admin</span>`}</p></section>`;
    },
    view() {
      const list = rows.list();
      if (!list.length) return html`<div class="empty">Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button></div>`;
      return rows.box(html`<table><colgroup><col class="w-state" /><col class="w-name" /><col class="w-few" /><col /><col class="w-standing-wide" /><col class="w-few" /><col class="w-dur" /><col class="w-few" /><col class="w-time prio-3" /><col class="w-acts" /></colgroup>
        <thead><tr><th></th>${head("name", "Name")}${head("type", "Type")}<th>Where</th>${head("state", "State")}${head("waiting", "Waiting", "r")}<th class="r">Oldest</th>${head("dead", "Dead, 24 h", "r")}${head("success", "Last success", "r prio-3")}<th></th></tr></thead>${rows.body(list, row)}</table>`);
    },
  };
}
