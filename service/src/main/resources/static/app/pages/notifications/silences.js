// Silences: in force, to come, over.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { duration, lastTick, moment } from "../../core/time.js";
import { go, href } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";
import { clockMark } from "./words.js";
import { isEverything, scopeWords, wantNames } from "../shared/scope-fields.js";

export const OPERATORS = [
  ["equals", "is"],
  ["not-equals", "is not"],
  ["matches", "matches"],
  ["not-matches", "does not match"],
];

const PATHS = {
  "alert.definitionId": "rule",
  "alert.name": "alert",
  "alert.id": "alert",
  "alert.criticality": "severity",
  "alert.impact": "impact",
  "alert.owner": "owner",
  "object.name": "object",
  "object.id": "object",
  "object.kind": "kind of object",
  "object.adapterKind": "adapter kind",
};
const RULES = new Map();

/** Reads the names of the rules that matchers hold by id; of a rule that has never opened an alert the id stays. */
function wantRules(matchers) {
  const ids = matchers
    .filter(
      (m) =>
        m.path === "alert.definitionId" &&
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(m.value) &&
        !RULES.has(m.value),
    )
    .map((m) => m.value);
  for (const id of new Set(ids)) {
    RULES.set(id, null);
    get("/alerts", { definition: id, state: "any", limit: 1 }).then(
      (page) => {
        const rule = page.items.find((a) => a.definition.id === id)?.definition;
        if (!rule) return;
        RULES.set(id, rule.name);
        redraw();
      },
      () => RULES.delete(id),
    );
  }
}

/** A matcher in words: "rule is 'VM waits for CPU'". */
function matcherWords(m) {
  const rule = m.path === "alert.definitionId" ? RULES.get(m.value) : null;
  const path = PATHS[m.path] ?? m.path.replace(/^object\.tags\./, "tag ").replace(/^object\.properties\./, "property ");
  return `${path} ${OPERATORS.find(([o]) => o === m.operator)?.[1] ?? m.operator} ${m.value === "" ? "empty" : rule ? `\u201c${rule}\u201d` : m.value}`;
}

/** What a silence covers, in one line. */
export function silenceWords(s) {
  wantRules(s.matchers ?? []);
  const parts = [
    s.alerts?.length ? (s.alerts.length === 1 ? "one alert" : `these ${s.alerts.length} alerts`) : "",
    ...(s.matchers ?? []).map(matcherWords),
    isEverything(s.scope) ? "" : scopeWords(s.scope),
    s.when ? `when ${s.when}` : "",
  ].filter(Boolean);
  return parts.join(" and ") || "nothing yet";
}

const STATES = { active: ["in force", 0], pending: ["to come", 1], expired: ["over", 2] };
const inOrder = (a, b) =>
  STATES[a.state][1] - STATES[b.state][1] ||
  (a.state === "expired" ? b.to.localeCompare(a.to) : a.to.localeCompare(b.to));
export const silenceShape = (s, size = 12) =>
  s.state === "active"
    ? shape("info", size, "in force")
    : s.state === "pending"
      ? clockMark(size, "to come")
      : shape("alike", size, "over");

/** Ends a silence now. */
export async function expire(silence, done) {
  if (!may("operator")) return notice(NEEDS);
  try {
    await post(`/silences/${silence.id}/expire`);
    notice("Over. Alerts that are still open are sent now.", { seconds: 5 });
  } catch (error) {
    notice(`Not ended: ${error.message}`, { seconds: 8 });
  }
  done();
}

const timeWords = (s) =>
  s.state === "active"
    ? `${duration(Date.parse(s.to) - Date.now())} left`
    : s.state === "pending"
      ? `in ${duration(Date.parse(s.from) - Date.now())}`
      : `for ${duration(Date.parse(s.to) - Date.parse(s.from))}`;
const at = (iso) => moment(Date.parse(iso));
const COLUMNS = {
  why: {
    list: "name",
    name: "Why",
    col: "w-why",
    least: 180,
    td: "strong",
    title: (s) => s.comment,
    cell: (s) => html`<a href=${href(`/notifications/silences/${s.id}`)}>${s.comment}</a>`,
  },
  what: { list: "what", name: "What it covers", title: silenceWords, cell: silenceWords },
  state: { list: "value", name: "State", width: 76, td: "m", cell: (s) => STATES[s.state][0] },
  from: { name: "From", width: 104, td: "m nw", cell: (s) => at(s.from) },
  to: { list: "long", name: "To", width: 104, td: "m nw", cell: (s) => at(s.to) },
  time: { name: "Time", width: 116, cls: "r", cell: timeWords },
  author: { name: "By", width: 92, cls: "prio-3", td: "m", cell: (s) => s.author },
  acts: {
    name: "End",
    width: 84,
    cls: "r",
    cell: (s, { again }) =>
      s.state === "expired"
        ? nothing
        : html`<button
            class="link"
            ?disabled=${!may("operator")}
            title=${may("operator") ? nothing : NEEDS}
            aria-label=${`End ${s.comment}`}
            @click=${() => expire(s, again)}
          >
            End now
          </button>`,
  },
  changed: { name: "Changed", width: 104, cls: "r", td: "m", cell: (s) => at(s.updatedAt) },
  by: { name: "Changed by", width: 104, td: "m", cell: (s) => s.updatedBy },
};

export function silencesTab(filter) {
  let version = 0;
  const load = new Load((_tick, _version, signal) => get("/silences", { limit: 1000 }, signal));
  const matches = (s) =>
    words(filter.text()).every((w) =>
      w.startsWith("is:")
        ? s.state === w.slice(3)
        : `${s.comment} ${s.author} ${silenceWords(s)}`.toLowerCase().includes(w.toLowerCase()),
    );
  const left = memo((items, _text) => items.filter(matches));
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text()) : null),
    asked: () => filter.text(),
    compare: inOrder,
    address: (s) => `/notifications/silences/${s.id}`,
    go,
  });
  const again = () => {
    version++;
    load.want(lastTick(), version);
  };
  const end = () => {
    const s = rows.chosen();
    if (!s || s.state === "expired") return notice("Choose a silence that is not over, with J and K or the mouse.");
    expire(s, again);
  };
  const columns = choosable("notifications.silences", {
    definitions: COLUMNS,
    usual: ["why", "what", "state", "from", "to", "time", "author", "acts"],
    fixed: ["why", "acts"],
  });

  const row = (s) =>
    html`<tr
      class="${rows.isOn(s) ? "sel" : ""} ${s.state === "expired" ? "quiet" : ""}"
      aria-selected=${rows.isOn(s)}
      @click=${(e) => rows.click(e, s)}
      @dblclick=${() => rows.open(s)}
    >
      <td>${silenceShape(s)}</td>
      ${cells(columns.shown(), s, { again })}
    </tr>`;

  return {
    name: "Silences",
    load,
    columns,
    filter: "why, what, who, is:active",
    add: [() => go("/notifications/silences/new"), "New silence", "operator"],
    update: () => load.want(lastTick(), version),
    keys: () => ({ ...rows.keys({ selecting: false }), E: [end, "End the row now"] }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.total, "silence") : "Silences"),
    note() {
      const n = (load.data?.items ?? []).filter((s) => s.state === "active").length;
      return load.data
        ? `${n ? `${count(n)} in force; ` : ""}alerts that are still open when one ends are sent then`
        : "";
    },
    none() {
      if (load.data.items.length) return null;
      return html`<section class="pane words">
        <p class="say">
          <b>Nothing is silenced.</b> A silence holds back notifications of some alerts for a while; the alerts stay on
          every page. Make one from an alert, with <kbd>M</kbd>, or here. For planned work on objects, a maintenance
          window is better: it holds the alerts themselves.
        </p>
        <p class="say row">
          <a class="ctl primary" href=${href("/notifications/silences/new")}>New silence</a>
          <a class="ctl" href=${href("/settings/maintenance/new")}>New maintenance window</a>
        </p>
      </section>`;
    },
    view() {
      const list = rows.list();
      if (!list.length)
        return html`<div class="empty">
          Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button>
        </div>`;
      wantNames(list.map((s) => s.scope));
      return rows.box(columns.table({ lead: "w-state", leadWidth: 32, room: 180, usual: "" }, rows.body(list, row)));
    },
  };
}
