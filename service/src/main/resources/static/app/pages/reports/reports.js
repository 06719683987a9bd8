// Reports: dashboards and views that are answered by a schedule, kept and sent.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { words } from "../../core/filter.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { readPages } from "../../core/outliers.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { amend, back, filterToAddress, go, href, param } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { scheduleWords } from "../shared/sending-fields.js";
import { readSources } from "./sources.js";
import { deadOf, outcome, outcomeShape } from "./words.js";

const byName = (a, b) => a.name.localeCompare(b.name);
const ORDERS = {
  name: byName,
  next: (a, b) => (a.nextAt ?? "9").localeCompare(b.nextAt ?? "9"),
  changed: (a, b) => a.updatedAt.localeCompare(b.updatedAt),
};
const at = (iso) => (iso ? moment(Date.parse(iso)) : "-");

const COLUMNS = {
  name: {
    list: "name",
    name: "Name",
    sort: true,
    col: "w-name",
    least: 160,
    td: "strong",
    title: (r) => r.description || r.name,
    cell: (r) => html`<a href=${href(`/reports/${r.id}`)}>${r.name}</a>`,
  },
  shows: {
    list: "what",
    name: "Shows",
    least: 180,
    title: (r, more) => more.shows(r),
    cell: (r, more) => more.shows(r),
  },
  schedule: {
    name: "Runs",
    width: 226,
    td: "i2",
    title: (r) => scheduleWords(r.schedule, "when somebody runs it"),
    cell: (r) => scheduleWords(r.schedule, "when somebody runs it"),
  },
  targets: {
    name: "To",
    width: 140,
    cls: "prio-3",
    td: "m",
    title: (r, more) => more.targets(r),
    cell: (r, more) => more.targets(r),
  },
  next: { list: "long", name: "Next", sort: true, width: 116, cls: "r", td: "m", cell: (r) => at(r.nextAt) },
  last: {
    list: "value",
    name: "Last run",
    hint: "when it was due, and how it went",
    width: 232,
    title: (r, more) => more.last(r)?.words ?? "",
    cell: (r, more) => more.last(r)?.view ?? "",
  },
  owner: { name: "Reads as", width: 104, td: "m", title: (r) => r.owner, cell: (r) => r.owner },
  by: { name: "Changed by", width: 104, td: "m", title: (r) => r.updatedBy, cell: (r) => r.updatedBy },
  changed: { name: "Changed", sort: true, width: 116, cls: "r", td: "m", cell: (r) => at(r.updatedAt) },
};

export function page() {
  const load = new Load((_tick, signal) => readPages("/reports", {}, signal));
  const sources = new Load((signal) => readSources(signal));
  const targets = new Load((signal) => readPages("/notification-targets", {}, signal));
  const lost = new Load((_tick, signal) => get("/deliveries", { event: "REPORT", state: "dead", limit: 100 }, signal));
  let typed = param("q");
  const toAddress = filterToAddress();
  const left = memo((items, text, _sources) =>
    items.filter((r) =>
      words(text).every((w) => `${r.name} ${r.description ?? ""} ${shows(r)}`.toLowerCase().includes(w.toLowerCase())),
    ),
  );
  const columns = choosable("reports", {
    definitions: COLUMNS,
    usual: ["name", "shows", "schedule", "targets", "next", "last"],
    fixed: ["name"],
  });
  const rows = new Rows({
    main: "reports-page",
    items: () => (load.data ? left(load.data.items, typed, sources.data) : null),
    asked: () => typed,
    compare: (a, b) => ordered(ORDERS, "name", byName)(a, b),
    address: (r) => `/reports/${r.id}`,
    go,
  });
  const add = () => (may("operator") ? go("/reports/new") : notice(NEEDS));

  /** "dashboard Cluster capacity, one for each cluster". */
  function shows(r) {
    const what = r.view ? "view" : "dashboard";
    const id = r.view ?? r.dashboard;
    const name = sources.data ? (sources.data.find((s) => s.id === id)?.name ?? "that is gone or private") : "";
    return `${what} ${name}${r.each ? `, one for each ${r.each}` : ""}`;
  }

  function names(r) {
    if (!r.targets?.length) return "nobody";
    return r.targets.map((id) => targets.data?.items.find((t) => t.id === id)?.name ?? "\u2026").join(", ");
  }

  /** The newest run of a report; null where there is none. */
  function last(r) {
    const run = r.lastRun;
    if (!run) return null;
    const dead = deadOf(lost.data);
    const words = `, ${outcome(run, dead).words}`;
    const text = `${at(run.dueAt)}${words}`;
    return {
      words: [text, run.reason].filter(Boolean).join(": "),
      view: html`${outcomeShape(run, dead)} ${at(run.dueAt)}<span class="went">${words}</span>`,
    };
  }

  const more = { shows, targets: names, last };
  const row = (r) =>
    html`<tr
      class=${rows.isOn(r) ? "sel" : ""}
      aria-selected=${rows.isOn(r)}
      @click=${(e) => rows.click(e, r)}
      @dblclick=${() => rows.open(r)}
    >
      <td>${shape(r.schedule ? "info" : "alike", 12, r.schedule ? "runs by itself" : "runs when somebody asks")}</td>
      ${cells(columns.shown(), r, more)}
    </tr>`;

  const none = () =>
    html`<section class="pane words">
      <p class="say">
        <b>There is no report yet.</b> A report shows a dashboard or a view, one part for each cluster if you like. It
        runs when you want it to, every Monday at 07:00 or whenever you ask. Each run is kept with its data and can go
        out as mail with pictures, PDF and CSV, or to a web hook.
      </p>
      <p class="say row wrap">
        <button
          class="ctl primary"
          ?disabled=${!may("operator")}
          title=${may("operator") ? nothing : NEEDS}
          @click=${add}
        >
          New report
        </button>
        <a class="ctl" href=${href("/dashboards")}>Begin at a dashboard</a>
        <span class="m s12">its menu has "Send as a report"</span>
      </p>
    </section>`;

  function list() {
    const found = rows.list();
    if (!found.length)
      return html`<div class="empty">
        Nothing matches.
        <button
          class="link"
          @click=${() => {
            typed = "";
            amend({ q: null }, { replace: true });
          }}
        >
          Drop the filter
        </button>
      </div>`;
    return rows.box(columns.table({ lead: "w-state", leadWidth: 32, room: 150, usual: "name" }, rows.body(found, row)));
  }

  return {
    title: "Reports",
    name: "reports-page",
    timed: false,
    update() {
      columns.arrive();
      if (document.activeElement?.id !== "filter") typed = param("q");
      load.want(lastTick());
      lost.want(lastTick());
      sources.want();
      targets.want();
    },
    leave: () => toAddress.cancel(),
    escape: () => (param("row") ? rows.escape() : back("/dashboards")),
    keys: () => ({ ...rows.keys({ selecting: false }), C: [add, "New report"] }),
    view() {
      return html`<div class="tb">
          <a class="m nw" href=${href("/dashboards")}>Dashboards /</a>
          <h1>Reports</h1>
          <div class="tokens">
            <input
              id="filter"
              type="search"
              .value=${typed}
              placeholder="name, what it shows"
              aria-label="Filter"
              autocomplete="off"
              spellcheck="false"
              @input=${(e) => {
                typed = e.target.value;
                toAddress(typed.trim());
                redraw();
              }}
              @keydown=${(e) => e.key === "Escape" && e.target.blur()}
            />
            <kbd>/</kbd>
          </div>
          <span class="sp"></span>
          <button
            class="ctl primary"
            ?disabled=${!may("operator")}
            title=${may("operator") ? nothing : NEEDS}
            @click=${add}
          >
            New report <kbd>C</kbd>
          </button>
        </div>
        ${load.data && !load.data.items.length
          ? none()
          : html`<section class="pane ranking" aria-label="Reports">
              <div class="ph">
                <h2>${load.data ? plural(load.data.total, "report") : "Reports"}</h2>
                <span class="sp"></span>
                <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd></span>
                ${columns.button()}
              </div>
              ${loaded(load, list, { rows: 8 })}
            </section>`}`;
    },
  };
}
