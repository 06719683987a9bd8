// Thresholds, and as a second tab alert definitions: all of them, those with something open first; the selected ones are
// exported, switched on or off together.
import { html, nothing, repeat } from "../core/html.js";
import { redraw, settled } from "../core/bus.js";
import { exchange, get } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { kindWord } from "../core/metrics.js";
import { rank } from "../core/severity.js";
import { may } from "../core/session.js";
import { kept } from "../core/store.js";
import { clock, DAY, date, lastTick, moment } from "../core/time.js";
import { amend, go, href, param } from "../core/url.js";
import { copy, notice } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { severityShape, shape } from "../parts/shapes.js";
import { segments } from "../parts/small.js";
import { treeText } from "./alert-tree.js";
import { words } from "./explorer-filter.js";
import { showRulePacks } from "./rules-packs.js";
import { scopeWords, wantNames } from "./scope-fields.js";
import { conditionText, openOf, stateOf, triggerText } from "./threshold-words.js";

const PAGE = 1000;
const EDITABLE = {
  thresholds: ["name", "description", "enabled", "objectKind", "scope", "condition", "trigger", "overrides", "alert", "tags", "owner", "intervalSeconds"],
  definitions: ["name", "description", "enabled", "objectKind", "scope", "impact", "criticality", "condition", "waitCycles", "cancelCycles", "recommendations", "type", "subType", "tags", "owner", "intervalSeconds"],
};
const PLACES = { thresholds: "/thresholds", definitions: "/thresholds/definitions" };
const APIS = { thresholds: "/thresholds", definitions: "/alert-definitions" };

async function readAll(path, signal) {
  const items = [];
  let cursor = null;
  do {
    const page = await get(path, { limit: PAGE, cursor }, signal);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}

const openCount = (rule) => rule.openAlerts ?? openOf(rule.state).count;
const changedWord = (ms) => html`<span title=${moment(ms)}>${Date.now() - ms < DAY ? clock(ms) : date(ms)}</span>`;
const ORDERS = {
  open: (a, b) => rank(openOf(b.state).worst) - rank(openOf(a.state).worst) || openCount(b) - openCount(a),
  name: (a, b) => a.name.localeCompare(b.name),
  kind: (a, b) => a.objectKind.objectKind.localeCompare(b.objectKind.objectKind),
  pack: (a, b) => (a.pack ?? "\uffff").localeCompare(b.pack ?? "\uffff"),
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
};

export function page() {
  const all = { thresholds: new Load((_tick, _version, signal) => readAll(APIS.thresholds, signal)), definitions: new Load((_tick, _version, signal) => readAll(APIS.definitions, signal)) };
  const ROW = kept("rows", "dense") === "comfy" ? 36 : 28;
  let typed = param("q");
  let selected = new Set();
  let last = null;
  let version = 0;
  let busy = false;
  let held = null;
  let box = null;
  let top = 0;
  let height = 700;

  const tab = () => (param("tab") === "definitions" ? "definitions" : "thresholds");
  const load = () => all[tab()];
  const toAddress = settled((q) => amend({ q, row: null }, { replace: true }), 250);

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    for (const l of Object.values(all)) l.want(lastTick(), version);
  }

  /** Words must all occur; `pack:`, `kind:`, `tag:` and `is:` say where. */
  function matches(rule) {
    const text = `${rule.name} ${rule.description ?? ""} ${rule.objectKind.objectKind} ${rule.pack ?? ""} ${(rule.tags ?? []).join(" ")} ${rule.condition.key ?? ""}`.toLowerCase();
    return words(typed).every((word) => {
      const colon = word.indexOf(":");
      const value = word.slice(colon + 1);
      switch (word.slice(0, Math.max(0, colon))) {
        case "pack":
          return rule.pack === value;
        case "kind":
          return rule.objectKind.objectKind === value;
        case "tag":
          return (rule.tags ?? []).includes(value);
        case "is":
          return { open: openCount(rule) > 0, disabled: !rule.enabled, symptom: !rule.alert && tab() === "thresholds", error: Boolean(rule.error ?? rule.state?.error) }[value] ?? false;
        default:
          return text.includes(word.toLowerCase());
      }
    });
  }

  function rows() {
    const items = (load().data ?? []).filter(matches);
    const [, minus, key] = /^(-?)(\w+)$/.exec(param("sort", "open")) ?? [];
    const compare = ORDERS[key] ?? ORDERS.open;
    const asked = JSON.stringify([tab(), param("sort"), typed, items.length]);
    if (!held || held.asked !== asked || !(selected.size || box?.matches(":hover"))) held = { asked, ids: items.toSorted((a, b) => (minus ? -1 : 1) * compare(a, b) || ORDERS.name(a, b)).map((r) => r.id) };
    const byId = new Map(items.map((r) => [r.id, r]));
    return held.ids.map((id) => byId.get(id)).filter(Boolean);
  }

  const chosen = () => rows().find((r) => r.id === param("row"));
  const address = (rule) => `${PLACES[tab()]}/${rule.id}`;
  const open = (rule) => rule && go(address(rule));
  function step(by) {
    const list = rows();
    if (!list.length) return;
    const now = list.findIndex((r) => r.id === param("row"));
    const next = Math.max(0, Math.min(list.length - 1, now < 0 ? 0 : now + by));
    amend({ row: list[next].id }, { replace: true });
    if (!box) return;
    if (next * ROW < box.scrollTop) box.scrollTop = next * ROW;
    if ((next + 1) * ROW + 26 > box.scrollTop + box.clientHeight) box.scrollTop = (next + 1) * ROW + 26 - box.clientHeight;
  }
  function select(rule, through = false) {
    if (!rule) return;
    const next = new Set(selected);
    if (through && last) {
      const list = rows().map((r) => r.id);
      const [from, to] = [list.indexOf(last), list.indexOf(rule.id)].sort((a, b) => a - b);
      for (const id of list.slice(Math.max(0, from), to + 1)) next.add(id);
    } else if (!next.delete(rule.id)) next.add(rule.id);
    last = rule.id;
    selected = next;
    redraw();
  }

  async function enable(on, list) {
    busy = true;
    redraw();
    const kind = tab();
    const done = [];
    const failed = [];
    for (const rule of list.filter((r) => r.enabled !== on)) {
      try {
        const body = Object.fromEntries(EDITABLE[kind].filter((f) => rule[f] !== undefined).map((f) => [f, rule[f]]));
        done.push((await exchange("PUT", `${APIS[kind]}/${rule.id}`, { body: { ...body, enabled: on }, etag: `"${rule.version}"` })).data);
      } catch (error) {
        failed.push(`${rule.name}: ${error.message}`);
      }
    }
    busy = false;
    version++;
    update();
    const word = on ? "enabled" : "disabled";
    if (failed.length) notice(`${done.length} ${word}, ${failed.length} not. ${failed[0]}`, { seconds: 10 });
    else notice(done.length ? `${plural(done.length, "rule")} ${word}` : `All of them were ${word} already`, { seconds: 10, undo: done.length ? () => enable(!on, done) : null });
  }

  const add = () => go(`${PLACES[tab()]}/new`);
  const keys = () => ({
    J: [() => step(1), "Next row"],
    K: [() => step(-1), "Row before"],
    ArrowDown: [() => step(1), ""],
    ArrowUp: [() => step(-1), ""],
    Enter: [() => open(chosen()), "Open the row"],
    O: [() => chosen() && window.open(href(address(chosen()))), "Open it beside"],
    X: [(e) => select(chosen(), e?.shiftKey), "Select the row, with Shift all up to it"],
    C: [add, tab() === "thresholds" ? "New threshold" : "New alert definition"],
    Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
    "/": [() => document.getElementById("filter")?.focus(), "Filter"],
  });

  function head(id, name, cls = "") {
    const now = param("sort", "open");
    const sorted = now === id ? "ascending" : now === `-${id}` ? "descending" : nothing;
    return html`<th class=${cls} aria-sort=${sorted}><button @click=${() => amend({ sort: now === id ? `-${id}` : id }, { replace: true })}>${name}${sorted === nothing ? nothing : html` <span aria-hidden="true">${sorted === "ascending" ? "\u2191" : "\u2193"}</span>`}</button></th>`;
  }

  function stateCell(rule) {
    if (tab() === "thresholds") return stateOf(rule);
    if (!rule.enabled) return ["alike", "disabled"];
    if (rule.error) return ["immediate", rule.error];
    return rule.openAlerts ? ["warning", `${plural(rule.openAlerts, "alert")} open`] : ["alike", "nothing open"];
  }

  function row(rule) {
    const [kind, state] = stateCell(rule);
    const what = tab() === "thresholds" ? conditionText(rule.condition, rule.unit) : treeText(rule.condition, rule.thresholds ?? all.thresholds.data ?? []);
    const { worst } = openOf(rule.state);
    const n = openCount(rule);
    return html`<tr class="${rule.id === param("row") || selected.has(rule.id) ? "sel" : ""} ${rule.enabled ? "" : "quiet"}" aria-selected=${selected.has(rule.id)}
        @click=${(e) => { if (e.target.closest("a, input")) return; if (e.shiftKey) select(rule, true); else amend({ row: rule.id }, { replace: true }); }} @dblclick=${() => open(rule)}>
      <td class="pick"><label title="Select"><input type="checkbox" .checked=${selected.has(rule.id)} aria-label=${`Select ${rule.name}`} @click=${(e) => (e.preventDefault(), select(rule, e.shiftKey))} />${shape(kind, 12, state)}</label></td>
      <td class="strong" title=${rule.description ?? rule.name}><a href=${href(address(rule))}>${rule.name}</a></td>
      <td class="i2">${kindWord(rule.objectKind.objectKind, 2)}</td>
      <td title=${tab() === "thresholds" ? `${what}; ${triggerText(rule.trigger)}` : what}>${what}</td>
      <td class="i2 prio-3" title=${scopeWords(rule.scope)}>${scopeWords(rule.scope, "")}${rule.overrides?.length ? html` <span class="m">${plural(rule.overrides.length, "override")}</span>` : nothing}</td>
      <td class="m prio-3">${tab() === "thresholds" ? (rule.alert?.impact ?? "symptom") : rule.impact}</td>
      <td class="r" title=${state}>${n ? html`<span class="row end-row">${worst ? severityShape(worst, 10) : nothing}${count(n)}</span>` : html`<span class="m">0</span>`}</td>
      <td class="m prio-3" title=${(rule.tags ?? []).join(", ")}>${rule.pack ?? (rule.tags ?? []).join(", ")}</td>
      <td class="r m prio-3">${changedWord(Date.parse(rule.updatedAt))}</td></tr>`;
  }

  function table() {
    const list = rows();
    if (!list.length) return html`<div class="empty">Nothing matches. <button class="link" @click=${() => { typed = ""; amend({ q: null }, { replace: true }); }}>Drop the filter</button></div>`;
    wantNames(list.map((r) => r.scope));
    const first = Math.max(0, Math.floor(top / ROW) - 10);
    const until = Math.min(list.length, first + Math.ceil(height / ROW) + 20);
    return html`<table><colgroup><col class="w-pick" /><col /><col class="w-dur" /><col class="w-rule" /><col class="w-scope prio-3" /><col class="w-dur prio-3" /><col class="w-open" /><col class="w-pack prio-3" /><col class="w-slim prio-3" /></colgroup>
      <thead><tr><th></th>${head("name", "Name")}${head("kind", "On")}<th>${tab() === "thresholds" ? "When" : "Condition"}</th><th class="prio-3">Scope</th><th class="prio-3">Impact</th>${head("open", "Open now", "r")}${head("pack", "Pack, tags", "prio-3")}${head("changed", "Changed", "r prio-3")}</tr></thead>
      <tbody><tr class="gap" .style=${`height:${first * ROW}px`}></tr>${repeat(list.slice(first, until), (r) => r.id, row)}<tr class="gap" .style=${`height:${(list.length - until) * ROW}px`}></tr></tbody></table>`;
  }

  function bulk() {
    const list = rows().filter((r) => selected.has(r.id));
    const allowed = may("operator");
    const needs = allowed ? nothing : "Needs the role operator";
    return html`<b>${count(list.length)} selected</b><a class="ctl" href=${`/api/v1/rules/export?id=${list.map((r) => r.id).join(",")}`} download>Export</a>
      <button class="ctl" ?disabled=${!allowed || busy} title=${needs} @click=${() => enable(true, list)}>Enable</button><button class="ctl" ?disabled=${!allowed || busy} title=${needs} @click=${() => enable(false, list)}>Disable</button>
      <button class="link" @click=${() => ((selected = new Set()), redraw())}>None</button>`;
  }

  const none = () => (tab() === "thresholds"
    ? html`<section class="pane words"><p class="say"><b>There is no threshold yet.</b> A threshold says when a metric, a super metric or a property of an object needs somebody, how bad that is, and for how long it must last.</p>
      <p class="say row"><button class="ctl primary" @click=${() => showRulePacks()}>Install a pack\u2026</button><a class="ctl" href=${href("/thresholds/import")}>Import a file\u2026</a><a class="ctl" href=${href("/thresholds/new")}>Write one</a></p></section>`
    : html`<section class="pane words"><p class="say"><b>There is no alert definition yet.</b> A threshold raises alerts by itself. An alert definition combines several: on an object, on what is above it and on what is below it, such as "at least 3 hosts of a cluster".</p>
      <p class="say row"><a class="ctl primary" href=${href("/thresholds/definitions/new")}>Write one</a></p></section>`);

  return {
    get title() {
      return tab() === "thresholds" ? "Thresholds" : "Alert definitions";
    },
    name: "thresholds",
    timed: false,
    update,
    keys,
    escape: () => {
      if (selected.size) selected = new Set();
      else if (param("row")) amend({ row: null }, { replace: true });
      redraw();
    },
    view() {
      box = document.querySelector("main.thresholds .results");
      if (box) height = box.clientHeight || height;
      const now = load();
      const switchTab = (name) => {
        selected = new Set();
        amend({ tab: name === "thresholds" ? null : name, row: null }, { replace: true });
      };
      const counted = (name) => (all[name].data ? html` <span class="n">${count(all[name].data.length)}</span>` : nothing);
      const operator = may("operator");
      return html`<div class="tb"><h1>Thresholds</h1>${segments(tab(), [["thresholds", html`Thresholds${counted("thresholds")}`], ["definitions", html`Alert definitions${counted("definitions")}`]], switchTab, "What is listed")}
          <div class="tokens"><input id="filter" type="search" .value=${typed} placeholder="name, key, is:open pack:vm-basics kind:VirtualMachine" aria-label="Filter" autocomplete="off" spellcheck="false" @input=${(e) => { typed = e.target.value; toAddress(typed.trim()); redraw(); }} @keydown=${(e) => e.key === "Escape" && e.target.blur()} /><kbd>/</kbd></div>
          <button class="ctl" @click=${() => showRulePacks()}>Packs\u2026</button><a class="ctl" href=${href("/thresholds/import")}>Import\u2026</a>
          <button class="ctl primary" ?disabled=${!operator} title=${operator ? nothing : "Needs the role operator"} @click=${add}>New <kbd>C</kbd></button></div>
        ${now.data?.length === 0 ? none() : html`<section class="pane" aria-label=${tab() === "thresholds" ? "Thresholds" : "Alert definitions"}>
          <div class="ph ${selected.size ? "bulk" : ""}">${selected.size ? bulk() : html`<h2>${now.data ? plural(now.data.length, tab() === "thresholds" ? "threshold" : "alert definition") : "Thresholds"}</h2>`}<span class="sp"></span>
            ${selected.size ? nothing : html`<a class="link" href="/api/v1/rules/export" download>Export all</a>`}<span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd> Select <kbd>X</kbd></span></div>
          <div class="results" tabindex="-1" @scroll=${(e) => { top = e.target.scrollTop; height = e.target.clientHeight; redraw(); }}>${now.error && !now.data ? failure(now.error, () => now.again()) : loaded(now, () => table(), { rows: 12 })}</div></section>`}`;
    },
  };
}
