// Targets: where notifications go, and how each of them does.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { duration, lastTick, moment } from "../../core/time.js";
import { go, href } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";
import { showTest } from "./test.js";
import { clockMark, placeOf, typeWord } from "./words.js";

const readTargets = async (signal) => {
  const [{ items, total }, states] = await Promise.all([
    get("/notification-targets", { limit: 1000 }, signal),
    get("/notification-targets/states", {}, signal),
  ]);
  const byId = new Map(states.items.map((s) => [s.target, s]));
  return { items: items.map((t) => ({ ...t, state: byId.get(t.id) ?? null })), total };
};

const since = (iso) => duration(Date.now() - Date.parse(iso));

/** How a target does: `[rank, shape, words, hint]`; the worst ranks highest. */
export function targetState(target) {
  const s = target.state;
  if (!target.enabled) return [0, shape("alike", 12, "disabled"), "disabled", ""];
  if (s?.stoppedAt) return [6, shape("critical", 12), "stopped: it wants no more", s.stoppedReason ?? ""];
  if (s?.pausedUntil && Date.parse(s.pausedUntil) > Date.now())
    return [
      5,
      shape("critical", 12),
      `paused until ${moment(Date.parse(s.pausedUntil))}: it does not accept our credentials`,
      s.failure ?? "",
    ];
  if (s?.breaker === "open")
    return [
      4,
      shape("immediate", 12, "failing"),
      `left alone, ${plural(s.failures, "failure")} in a row`,
      s.failure ?? "",
    ];
  if (s?.breaker === "half-open")
    return [3, shape("warning", 12, "being tried"), "tried with one message", s.failure ?? ""];
  if (s?.failure)
    return [
      3,
      shape("warning", 12, "failing"),
      s.failingSince ? `failing for ${since(s.failingSince)}` : "the last attempt failed",
      s.failure,
    ];
  if (target.issues.length)
    return [2, shape("warning", 12, "odd"), target.issues[0].message, target.issues.map((i) => i.message).join("; ")];
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

const quiet = (text) => html`<span class="m">${text}</span>`;

function stateCell(target) {
  const [, , state, hint] = targetState(target);
  return html`${state}${hint && hint !== state ? html` <span class="m">${hint}</span>` : nothing}`;
}

const acts = (t, { again }) =>
  html`${held(t) && may("operator")
      ? html`<button class="link" @click=${() => resume(t, again)}>Try again</button>&nbsp; `
      : nothing}<button
      class="link"
      ?disabled=${!may("operator")}
      title=${may("operator") ? nothing : NEEDS}
      aria-label=${`Test ${t.name}`}
      @click=${() => showTest({ target: t })}
    >
      Test…
    </button>`;

const COLUMNS = {
  name: {
    list: "name",
    name: "Name",
    sort: true,
    col: "w-name",
    least: 150,
    td: "strong",
    title: (t) => t.description ?? t.name,
    cell: (t) => html`<a href=${href(`/notifications/targets/${t.id}`)}>${t.name}</a>`,
  },
  type: { list: "value", name: "Type", sort: true, width: 76, td: "i2", cell: (t) => typeWord(t.type) },
  where: { list: "what", name: "Where", td: "mono", title: placeOf, cell: placeOf },
  state: {
    list: "long",
    name: "State",
    sort: true,
    col: "w-standing-wide",
    least: 170,
    title: (t) => targetState(t)[3] || targetState(t)[2],
    cell: stateCell,
  },
  waiting: {
    name: "Waiting",
    sort: true,
    width: 76,
    cls: "r",
    cell: (t) =>
      t.state?.waiting
        ? html`<span class="row end-row"
            >${Date.now() - Date.parse(t.state.oldestWaiting) > 300_000
              ? clockMark(11, "waits long", true)
              : nothing}${count(t.state.waiting)}</span
          >`
        : quiet("0"),
  },
  oldest: {
    name: "Oldest",
    hint: "how long the oldest waits",
    width: 92,
    cls: "r",
    title: (t) => (t.state?.oldestWaiting ? moment(Date.parse(t.state.oldestWaiting)) : nothing),
    cell: (t) => (t.state?.oldestWaiting ? since(t.state.oldestWaiting) : quiet("-")),
  },
  dead: {
    name: "Gave up, 24 h",
    sort: true,
    width: 84,
    cls: "r",
    cell: (t) =>
      t.state?.dead
        ? html`<a class="crit" href=${href("/notifications", { tab: "deliveries", target: t.id, status: "dead" })}
            >${count(t.state.dead)}</a
          >`
        : quiet("0"),
  },
  success: {
    name: "Last success",
    sort: true,
    width: 104,
    cls: "r prio-3",
    td: "m",
    cell: (t) => (t.state?.lastSuccess ? moment(Date.parse(t.state.lastSuccess)) : "-"),
  },
  failure: {
    name: "Last failure",
    width: 104,
    cls: "r",
    td: "m",
    cell: (t) => (t.state?.lastFailure ? moment(Date.parse(t.state.lastFailure)) : "-"),
  },
  acts: { name: "Test", width: 128, cls: "r", cell: acts },
  description: { name: "Who is reached", td: "m", title: (t) => t.description ?? "", cell: (t) => t.description ?? "" },
  used: {
    name: "Used by",
    col: "w-who",
    least: 128,
    title: (t) => t.usedBy.map((r) => r.name).join(", "),
    cell: (t) =>
      t.usedBy.length
        ? t.usedBy.map((r, i) => html`${i ? ", " : ""}<a href=${href(`/notifications/rules/${r.id}`)}>${r.name}</a>`)
        : quiet("no rule"),
  },
  changed: { name: "Changed", width: 104, cls: "r", td: "m", cell: (t) => moment(Date.parse(t.updatedAt)) },
  by: { name: "Changed by", width: 104, td: "m", cell: (t) => t.updatedBy },
};

export function targetsTab(filter) {
  const load = new Load((_tick, signal) => readTargets(signal));
  const matches = (t) =>
    words(filter.text()).every(
      (w) =>
        ({
          "is:failing": targetState(t)[0] >= 3,
          "is:disabled": !t.enabled,
          "is:waiting": (t.state?.waiting ?? 0) > 0,
        })[w] ??
        (w.startsWith("type:")
          ? t.type === w.slice(5)
          : `${t.name} ${t.description ?? ""} ${t.type} ${placeOf(t)}`.toLowerCase().includes(w.toLowerCase())),
    );
  const left = memo((items, _text) => items.filter(matches));
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text()) : null),
    asked: () => filter.text(),
    compare: (a, b) => ordered(ORDERS, "state", byName)(a, b),
    address: (t) => `/notifications/targets/${t.id}`,
    go,
  });
  const test = () =>
    rows.chosen() ? showTest({ target: rows.chosen() }) : notice("Choose a target first, with J and K or the mouse.");
  const columns = choosable("notifications.targets", {
    definitions: COLUMNS,
    usual: ["name", "type", "where", "state", "waiting", "oldest", "dead", "success", "acts"],
    fixed: ["name", "acts"],
  });

  const row = (t) =>
    html`<tr
      class="${rows.isOn(t) ? "sel" : ""} ${t.enabled ? "" : "quiet"}"
      aria-selected=${rows.isOn(t)}
      @click=${(e) => rows.click(e, t)}
      @dblclick=${() => rows.open(t)}
    >
      <td>${targetState(t)[1]}</td>
      ${cells(columns.shown(), t, { again: () => load.again() })}
    </tr>`;

  return {
    name: "Targets",
    load,
    columns,
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
      return html`<section class="pane words">
        <p class="say">
          <b>There is no target yet.</b> A target says how to reach a receiver: a webhook such as Slack, PagerDuty or
          ServiceNow, e-mail, or an SNMP trap receiver. Only public addresses are reached unless the administrator
          allows others (<code>peerlens.notify.egress.allow</code>).
        </p>
        <p class="say row">
          ${["webhook", "email", "snmp"].map(
            (type) =>
              html`<a
                class="ctl ${type === "webhook" ? "primary" : ""}"
                href=${href("/notifications/targets/new", { type })}
                >${typeWord(type)}</a
              >`,
          )}${may("admin") ? nothing : html`<span class="m">needs the role admin</span>`}
        </p>
      </section>`;
    },
    view() {
      const list = rows.list();
      if (!list.length)
        return html`<div class="empty">
          Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button>
        </div>`;
      return rows.box(
        columns.table({ lead: "w-state", leadWidth: 32, room: 150, usual: "state" }, rows.body(list, row)),
      );
    },
  };
}
