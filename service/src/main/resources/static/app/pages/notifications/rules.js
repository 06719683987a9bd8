// Rules in the order in which they are tried: drag a row or press Alt and an arrow to move it.
import { html } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { go, href } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";
import { editOf, whoWords, whenWords } from "./rule-words.js";
import { wantNames } from "../shared/scope-fields.js";

const STEP = 10;
const inOrder = (a, b) => a.order - b.order || a.name.localeCompare(b.name);

/** New orders so that the rules stand as in `list`, as few of them changed as can be: pairs of rule and order. */
export function reordered(list, moved) {
  const at = list.indexOf(moved);
  const before = list[at - 1]?.order ?? -1;
  const behind = list[at + 1]?.order ?? Math.max(before, 0) + 2 * STEP;
  if (behind - before > 1) return [[moved, Math.floor((before + behind) / 2)]];
  return list.map((rule, i) => [rule, (i + 1) * STEP]).filter(([rule, order]) => rule.order !== order);
}

const stateWords = (rule) => (rule.enabled ? rule.issues.map((i) => i.message).join("; ") || "enabled" : "disabled");

const COLUMNS = {
  name: {
    list: "name",
    name: "Name",
    col: "w-name",
    least: 150,
    td: "strong",
    title: (r) => r.description ?? r.name,
    cell: (r) => html`<a href=${href(`/notifications/rules/${r.id}`)}>${r.name}</a>`,
  },
  alerts: { list: "what", name: "Which alerts", title: whoWords, cell: whoWords },
  when: { name: "When", col: "w-scope", least: 130, cls: "prio-3", td: "i2", title: whenWords, cell: whenWords },
  template: {
    list: "long",
    name: "Template",
    width: 146,
    td: "i2",
    title: (r) => r.template,
    cell: (r) => html`<a href=${href(`/notifications/templates/${r.template}`)}>${r.template}</a>`,
  },
  targets: {
    name: "Targets",
    col: "w-who",
    least: 128,
    title: (r) => r.targetRefs.map((t) => t.name).join(", "),
    cell: (r) =>
      r.targetRefs.map((t, i) => html`${i ? ", " : ""}<a href=${href(`/notifications/targets/${t.id}`)}>${t.name}</a>`),
  },
  then: { name: "Then", width: 92, cls: "prio-3", td: "m", cell: (r) => (r.continue ? "goes on" : "ends here") },
  changed: { name: "Changed", width: 104, cls: "r prio-3", td: "m", cell: (r) => moment(Date.parse(r.updatedAt)) },
  by: { name: "Changed by", width: 104, td: "m", cell: (r) => r.updatedBy },
  state: { name: "State", width: 128, title: stateWords, cell: stateWords },
  description: { name: "Description", td: "m", title: (r) => r.description ?? "", cell: (r) => r.description ?? "" },
  order: { name: "Order number", width: 92, cls: "r", td: "m", cell: (r) => r.order },
  pack: { name: "Pack", width: 128, td: "m", cell: (r) => r.pack ?? "" },
};

export function rulesTab(filter) {
  let version = 0;
  let busy = false;
  let dragged = null;
  let over = null;
  // As it stands until the service has taken it over.
  let wanted = null;
  const load = new Load((_tick, _version, signal) => get("/notification-rules", { limit: 1000 }, signal));

  function matches(rule) {
    const text =
      `${rule.name} ${rule.description ?? ""} ${rule.template} ${rule.targetRefs.map((t) => t.name).join(" ")} ${rule.pack ?? ""}`.toLowerCase();
    return words(filter.text()).every((w) => {
      if (w === "is:enabled") return rule.enabled;
      if (w === "is:disabled") return !rule.enabled;
      if (w.startsWith("template:")) return rule.template === w.slice(9);
      return text.includes(w.toLowerCase());
    });
  }

  const left = memo((items, _text, order) =>
    (order ? items.map((r) => (order.has(r.id) ? { ...r, order: order.get(r.id) } : r)) : items).filter(matches),
  );
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text(), wanted) : null),
    asked: () => [filter.text(), wanted ? [...wanted] : 0],
    compare: inOrder,
    address: (r) => `/notifications/rules/${r.id}`,
    go,
  });
  const columns = choosable("notifications.rules", {
    definitions: COLUMNS,
    usual: ["name", "alerts", "when", "template", "targets", "then", "changed"],
    fixed: ["name"],
  });
  const whole = () => words(filter.text()).length === 0;

  /** Stores another order; what somebody else changed meanwhile is read again and nothing is lost. */
  async function place(changes) {
    busy = true;
    wanted = new Map(changes.map(([rule, order]) => [rule.id, order]));
    redraw();
    try {
      for (const [rule, order] of changes)
        await exchange("PUT", `/notification-rules/${rule.id}`, {
          body: { ...editOf(rule), order },
          etag: `"${rule.version}"`,
        });
    } catch (error) {
      notice(
        error.status === 412
          ? "Somebody else changed a rule meanwhile; the list is read again"
          : `Not moved: ${error.message}`,
        { seconds: 8 },
      );
    }
    version++;
    await load.want(lastTick(), version).again();
    wanted = null;
    busy = false;
    redraw();
  }

  function move(rule, to) {
    if (!may("operator")) return notice(NEEDS);
    if (!whole()) return notice("Drop the filter first: the order is that of all rules");
    if (busy || !rule) return;
    const list = rows.list();
    const from = list.indexOf(rule);
    const at = Math.max(0, Math.min(list.length - 1, to));
    if (at === from) return;
    const next = list.toSpliced(from, 1).toSpliced(at, 0, rule);
    const old = list.map((r) => [r, r.order]);
    const changes = reordered(next, rule);
    notice(`${rule.name} is tried as number ${at + 1}`, {
      seconds: 8,
      undo: () => {
        const now = new Map(load.data.items.map((r) => [r.id, r]));
        place(old.map(([r, order]) => [now.get(r.id), order]).filter(([r, order]) => r && r.order !== order));
      },
    });
    place(changes);
  }

  const keyed = (event, rule) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    move(rule, rows.list().indexOf(rule) + by);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector(`[data-grip="${rule.id}"]`)?.focus()),
    );
  };

  function row(rule) {
    const list = rows.list();
    const n = list.indexOf(rule);
    return html`<tr
      class="${rows.isOn(rule) ? "sel" : ""} ${rule.enabled ? "" : "quiet"} ${over === rule.id ? "drop-before" : ""}"
      aria-selected=${rows.isOn(rule)}
      @click=${(e) => rows.click(e, rule)}
      @dblclick=${() => rows.open(rule)}
      @dragover=${(e) => {
        if (!dragged) return;
        e.preventDefault();
        if (over !== rule.id) {
          over = rule.id;
          redraw();
        }
      }}
      @drop=${(e) => {
        e.preventDefault();
        const from = list.indexOf(dragged);
        over = null;
        if (dragged) move(dragged, n > from ? n - (n === list.length - 1 ? 0 : 1) : n);
        dragged = null;
      }}
    >
      <td class="grip-cell">
        <button
          class="drag"
          data-grip=${rule.id}
          draggable=${may("operator") ? "true" : "false"}
          ?disabled=${!may("operator")}
          aria-label=${`${rule.name} is number ${n + 1}; Alt with arrow keys moves it`}
          title="Drag, or Alt with arrow keys"
          @keydown=${(e) => keyed(e, rule)}
          @dragstart=${(e) => {
            dragged = rule;
            e.dataTransfer.effectAllowed = "move";
            e.dataTransfer.setData("text/plain", rule.name);
          }}
          @dragend=${() => {
            dragged = null;
            over = null;
            redraw();
          }}
        >
          ${grip()}<span>${n + 1}</span></button
        >${shape(rule.enabled ? (rule.issues.length ? "warning" : "info") : "alike", 12, stateWords(rule))}
      </td>
      ${cells(columns.shown(), rule)}
    </tr>`;
  }

  return {
    name: "Rules",
    load,
    columns,
    filter: "name, target, is:enabled template:slack",
    add: [() => go("/notifications/rules/new"), "New rule", "operator"],
    update: () => load.want(lastTick(), version),
    keys: () => rows.keys({ selecting: false }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.total, "rule") : "Rules"),
    note: () => "tried from top to bottom; one that ends there stops the search",
    none() {
      if (load.data.items.length) return null;
      return html`<section class="pane words">
        <p class="say">
          <b>There is no rule yet, so nobody is notified.</b> A rule says which alerts go to which targets, when, and in
          which form. Make a target first, then a rule; every rule can be tried on the alerts of last week before it is
          stored.
        </p>
        <p class="say row">
          <a class="ctl primary" href=${href("/notifications/rules/new")}>Write a rule</a>
          <a class="ctl" href=${href("/notifications", { tab: "targets" })}>See the targets</a>
        </p>
      </section>`;
    },
    view() {
      const list = rows.list();
      if (!list.length)
        return html`<div class="empty">
          Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button>
        </div>`;
      wantNames(list.map((r) => r.scope));
      return rows.box(columns.table({ lead: "w-grip", leadWidth: 84, room: 160, usual: "" }, rows.body(list, row)));
    },
  };
}

export const grip = () =>
  html`<svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true">
    <g fill="var(--line-strong)">
      <circle cx="2" cy="3" r="1.2" />
      <circle cx="6" cy="3" r="1.2" />
      <circle cx="2" cy="7" r="1.2" />
      <circle cx="6" cy="7" r="1.2" />
      <circle cx="2" cy="11" r="1.2" />
      <circle cx="6" cy="11" r="1.2" />
    </g>
  </svg>`;
