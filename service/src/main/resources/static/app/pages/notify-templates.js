// Templates: your own first, then those that come with the product.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { get, post } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { memo } from "../core/memo.js";
import { may, NEEDS } from "../core/session.js";
import { lastTick, moment } from "../core/time.js";
import { go, href } from "../core/url.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { notice } from "../parts/notice.js";
import { failure } from "../parts/pane.js";
import { ordered, Rows } from "../parts/rows.js";
import { shape } from "../parts/shapes.js";
import { words } from "./explorer-filter.js";
import { FORMATS, typeWord } from "./notify-words.js";

const byId = (a, b) => a.id.localeCompare(b.id);
const ORDERS = {
  own: (a, b) => Number(a.builtIn) - Number(b.builtIn) || b.usedBy.length - a.usedBy.length,
  name: byId,
  format: (a, b) => a.format.localeCompare(b.format),
  used: (a, b) => b.usedBy.length - a.usedBy.length,
  changed: (a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""),
};

const originWord = (t) => (t.builtIn ? "built in" : t.overrides ? "in place of a built-in one" : "your own");

/** Asks for the id of a copy and makes it. */
export function showClone(template) {
  if (!may("operator")) return notice(NEEDS);
  const draft = { id: `${template.id}-copy`.slice(0, 64), busy: false, error: null };
  const make = async (event) => {
    event.preventDefault();
    draft.busy = true;
    redraw();
    try {
      const made = await post(`/notification-templates/${template.id}/clone`, { id: draft.id });
      closeLayer();
      notice(`${made.id} is stored`);
      go(`/notifications/templates/${made.id}`);
    } catch (error) {
      draft.error = error;
    }
    draft.busy = false;
    redraw();
  };
  const valid = () => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(draft.id);
  showLayer("dialog", () => html`<form class="form-lines" @submit=${make}><h2 class="title">Clone ${template.id}</h2>
    <label class="lab">Id of the copy: small letters, digits and single -<input class="field mono" autofocus maxlength="64" autocomplete="off" spellcheck="false" .value=${draft.id} aria-invalid=${valid() ? "false" : "true"} @input=${(e) => { draft.id = e.target.value.trim(); draft.error = null; redraw(); }} /></label>
    ${draft.error ? failure(draft.error) : nothing}
    <div class="row"><button class="ctl primary" ?disabled=${draft.busy || !valid()}>Clone</button><button type="button" class="ctl" @click=${closeLayer}>Cancel</button></div></form>`, { label: "Clone" });
}

export function templatesTab(filter) {
  const load = new Load((_tick, signal) => get("/notification-templates", { limit: 1000 }, signal));

  function matches(t) {
    const text = `${t.id} ${t.description} ${t.format} ${t.targetType} ${t.pack ?? ""}`.toLowerCase();
    return words(filter.text()).every((w) => ({ "is:own": !t.builtIn, "is:built-in": t.builtIn, "is:used": t.usedBy.length > 0 })[w] ?? (w.startsWith("for:") ? t.targetType === w.slice(4) : text.includes(w.toLowerCase())));
  }

  const left = memo((items, _text) => items.filter(matches));
  const rows = new Rows({ main: "notifications", items: () => (load.data ? left(load.data.items, filter.text()) : null), asked: () => filter.text(), compare: (a, b) => ordered(ORDERS, "own", byId)(a, b), address: (t) => `/notifications/templates/${t.id}`, go });
  const head = (id, name, cls) => rows.head(id, name, cls, "own");

  const row = (t) => html`<tr class=${rows.isOn(t) ? "sel" : ""} aria-selected=${rows.isOn(t)} @click=${(e) => rows.click(e, t)} @dblclick=${() => rows.open(t)}>
    <td>${t.issues.length ? shape("warning", 12, t.issues.map((i) => i.message).join("; ")) : shape(t.builtIn ? "alike" : "info", 12, originWord(t))}</td>
    <td class="strong" title=${t.id}><a href=${href(rows.address(t))}>${t.id}</a></td><td class="i2" title=${t.description}>${t.description}</td><td>${FORMATS[t.format] ?? t.format}</td><td class="i2">${typeWord(t.targetType)}</td>
    <td class="mono">${t.templateVersion}</td><td class="m prio-3">${originWord(t)}</td><td class="r" title=${t.usedBy.map((r) => r.name).join(", ")}>${t.usedBy.length ? plural(t.usedBy.length, "rule") : html`<span class="m">no rule</span>`}</td>
    <td class="r m prio-3">${t.updatedAt ? moment(Date.parse(t.updatedAt)) : ""}</td></tr>`;

  return {
    name: "Templates",
    load,
    filter: "id, words, is:own is:used for:webhook",
    add: [() => go("/notifications/templates/new"), "New template", "operator"],
    buttons: () => html`<a class="ctl" href=${href("/notifications/templates/import")}>Import\u2026</a>`,
    update: () => load.want(lastTick()),
    keys: () => rows.keys({ selecting: false }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.total, "template") : "Templates"),
    note: () => (load.data ? `${count(load.data.items.filter((t) => !t.builtIn).length)} of your own; built-in ones are cloned to be changed` : ""),
    view() {
      const list = rows.list();
      if (!list.length) return html`<div class="empty">Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button></div>`;
      return rows.box(html`<table><colgroup><col class="w-state" /><col class="w-name" /><col /><col class="w-few" /><col class="w-dur" /><col class="w-few" /><col class="w-wide prio-3" /><col class="w-dur" /><col class="w-time prio-3" /></colgroup>
        <thead><tr><th></th>${head("name", "Template")}<th>What it is for</th>${head("format", "Gives")}<th>To</th><th>Version</th><th class="prio-3">Where from</th>${head("used", "Used by", "r")}${head("changed", "Changed", "r prio-3")}</tr></thead>${rows.body(list, row)}</table>`);
    },
  };
}
