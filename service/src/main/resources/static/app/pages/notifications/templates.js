// Templates: your own first, then those that come with the product.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { go, href } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";
import { FORMATS, typeWord } from "./words.js";

const byId = (a, b) => a.id.localeCompare(b.id);
const ORDERS = {
  own: (a, b) => Number(a.builtIn) - Number(b.builtIn) || b.usedBy.length - a.usedBy.length,
  name: byId,
  format: (a, b) => a.format.localeCompare(b.format),
  used: (a, b) => b.usedBy.length - a.usedBy.length,
  changed: (a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""),
};

const originWord = (t) => (t.builtIn ? "built in" : t.overrides ? "in place of a built-in one" : "your own");

const COLUMNS = {
  name: {
    list: "name",
    name: "Template",
    sort: true,
    col: "w-name",
    least: 160,
    td: "strong",
    title: (t) => t.id,
    cell: (t) => html`<a href=${href(`/notifications/templates/${t.id}`)}>${t.id}</a>`,
  },
  purpose: { list: "what", name: "What it is for", td: "i2", title: (t) => t.description, cell: (t) => t.description },
  format: { list: "value", name: "Gives", sort: true, width: 76, cell: (t) => FORMATS[t.format] ?? t.format },
  to: { name: "To", width: 92, td: "i2", cell: (t) => typeWord(t.targetType) },
  version: { name: "Version", width: 76, td: "mono", cell: (t) => t.templateVersion },
  origin: { name: "Where from", width: 180, cls: "prio-3", td: "m", cell: originWord },
  used: {
    name: "Used by",
    sort: true,
    width: 92,
    cls: "r",
    title: (t) => t.usedBy.map((r) => r.name).join(", "),
    cell: (t) => (t.usedBy.length ? plural(t.usedBy.length, "rule") : html`<span class="m">no rule</span>`),
  },
  changed: {
    name: "Changed",
    sort: true,
    width: 104,
    cls: "r prio-3",
    td: "m",
    cell: (t) => (t.updatedAt ? moment(Date.parse(t.updatedAt)) : ""),
  },
  by: { name: "Changed by", width: 104, td: "m", cell: (t) => t.updatedBy ?? "" },
  pack: { name: "Pack", width: 128, td: "m", cell: (t) => t.pack ?? "" },
  rules: {
    name: "Rules",
    col: "w-who",
    least: 128,
    title: (t) => t.usedBy.map((r) => r.name).join(", "),
    cell: (t) =>
      t.usedBy.map((r, i) => html`${i ? ", " : ""}<a href=${href(`/notifications/rules/${r.id}`)}>${r.name}</a>`),
  },
};

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
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" @submit=${make}>
        <h2 class="title">Clone ${template.id}</h2>
        <label class="lab"
          >Id of the copy: small letters, digits and single -<input
            class="field mono"
            autofocus
            maxlength="64"
            autocomplete="off"
            spellcheck="false"
            .value=${draft.id}
            aria-invalid=${valid() ? "false" : "true"}
            @input=${(e) => {
              draft.id = e.target.value.trim();
              draft.error = null;
              redraw();
            }}
        /></label>
        ${draft.error ? failure(draft.error) : nothing}
        <div class="row">
          <button class="ctl primary" ?disabled=${draft.busy || !valid()}>Clone</button>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
        </div>
      </form>`,
    { label: "Clone" },
  );
}

export function templatesTab(filter) {
  const load = new Load((_tick, signal) => get("/notification-templates", { limit: 1000 }, signal));

  function matches(t) {
    const text = `${t.id} ${t.description} ${t.format} ${t.targetType} ${t.pack ?? ""}`.toLowerCase();
    return words(filter.text()).every(
      (w) =>
        ({ "is:own": !t.builtIn, "is:built-in": t.builtIn, "is:used": t.usedBy.length > 0 })[w] ??
        (w.startsWith("for:") ? t.targetType === w.slice(4) : text.includes(w.toLowerCase())),
    );
  }

  const left = memo((items, _text) => items.filter(matches));
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text()) : null),
    asked: () => filter.text(),
    compare: (a, b) => ordered(ORDERS, "own", byId)(a, b),
    address: (t) => `/notifications/templates/${t.id}`,
    go,
  });
  const columns = choosable("notifications.templates", {
    definitions: COLUMNS,
    usual: ["name", "purpose", "format", "to", "version", "origin", "used", "changed"],
    fixed: ["name"],
  });

  const row = (t) =>
    html`<tr
      class=${rows.isOn(t) ? "sel" : ""}
      aria-selected=${rows.isOn(t)}
      @click=${(e) => rows.click(e, t)}
      @dblclick=${() => rows.open(t)}
    >
      <td>
        ${t.issues.length && (t.usedBy.length || !t.builtIn)
          ? shape("warning", 12, t.issues.map((i) => i.message).join("; "))
          : shape(t.builtIn ? "alike" : "info", 12, originWord(t))}
      </td>
      ${cells(columns.shown(), t)}
    </tr>`;

  return {
    name: "Templates",
    load,
    columns,
    filter: "id, words, is:own is:used for:webhook",
    add: [() => go("/notifications/templates/new"), "New template", "operator"],
    buttons: () => html`<a class="ctl" href=${href("/notifications/templates/import")}>Import…</a>`,
    update: () => load.want(lastTick()),
    keys: () => rows.keys({ selecting: false }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.total, "template") : "Templates"),
    note: () =>
      load.data
        ? `${count(load.data.items.filter((t) => !t.builtIn).length)} of your own; built-in ones are cloned to be changed`
        : "",
    view() {
      const list = rows.list();
      if (!list.length)
        return html`<div class="empty">
          Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button>
        </div>`;
      return rows.box(columns.table({ lead: "w-state", leadWidth: 32, room: 160, usual: "own" }, rows.body(list, row)));
    },
  };
}
