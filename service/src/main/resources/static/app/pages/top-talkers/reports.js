// Saved reports of top talkers: what each asks, when it is sent, and what its limit says.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { readPages } from "../../core/outliers.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick } from "../../core/time.js";
import { amend, back, filterToAddress, go, href, param } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";
import { scheduleWords } from "../shared/sending-fields.js";
import { at, queryWords, shareWords } from "./report-words.js";

const byName = (a, b) => a.name.localeCompare(b.name);
const stamp = (name) => (a, b) => (a[name] ?? "").localeCompare(b[name] ?? "");
const ORDERS = {
  name: byName,
  next: stamp("nextAt"),
  last: stamp("lastAt"),
  share: (a, b) => (a.shareAbove ?? 2) - (b.shareAbove ?? 2),
};

const COLUMNS = {
  name: {
    list: "name",
    name: "Name",
    sort: true,
    col: "w-name",
    least: 160,
    td: "strong",
    title: (r) => r.description ?? r.name,
    cell: (r) => html`<a href=${href(`/top-talkers/reports/${r.id}`)}>${r.name}</a>`,
  },
  question: {
    list: "what",
    name: "Question",
    least: 220,
    title: (r) => queryWords(r.query),
    cell: (r) => queryWords(r.query),
  },
  schedule: {
    name: "Sent",
    width: 216,
    td: "i2",
    title: (r) => scheduleWords(r.schedule),
    cell: (r) => scheduleWords(r.schedule),
  },
  targets: {
    name: "To",
    width: 90,
    cls: "prio-3",
    td: "m",
    cell: (r) => (r.targets?.length ? plural(r.targets.length, "target") : "nobody"),
  },
  share: {
    name: "Share limit",
    sort: true,
    width: 112,
    cell: (r) => html`<span class=${r.shareAbove ? "" : "m"}>${shareWords(r.shareAbove)}</span>`,
  },
  next: { list: "long", name: "Next", sort: true, width: 116, cls: "r", td: "m", cell: (r) => at(r.nextAt) },
  last: { name: "Last", sort: true, width: 116, cls: "r prio-3", td: "m", cell: (r) => at(r.lastAt) },
  by: { name: "Changed by", width: 104, td: "m", cell: (r) => r.updatedBy },
  changed: { name: "Changed", width: 116, cls: "r", td: "m", cell: (r) => at(r.updatedAt) },
};

export function page() {
  const load = new Load((_tick, signal) => readPages("/talker-reports", {}, signal));
  let typed = param("q");
  const toAddress = filterToAddress();
  const left = memo((items, text) =>
    items.filter((r) =>
      words(text).every((w) =>
        `${r.name} ${r.description ?? ""} ${queryWords(r.query)}`.toLowerCase().includes(w.toLowerCase()),
      ),
    ),
  );
  const columns = choosable("talker-reports", {
    definitions: COLUMNS,
    usual: ["name", "question", "schedule", "targets", "share", "next", "last"],
    fixed: ["name"],
  });
  const rows = new Rows({
    main: "reports-page",
    items: () => (load.data ? left(load.data.items, typed) : null),
    asked: () => typed,
    compare: (a, b) => ordered(ORDERS, "name", byName)(a, b),
    address: (r) => `/top-talkers/reports/${r.id}`,
    go,
  });
  const add = () => (may("operator") ? go("/top-talkers/reports/new") : notice(NEEDS));

  const row = (r) =>
    html`<tr
      class=${rows.isOn(r) ? "sel" : ""}
      aria-selected=${rows.isOn(r)}
      @click=${(e) => rows.click(e, r)}
      @dblclick=${() => rows.open(r)}
    >
      <td>
        ${shape(
          r.schedule || r.shareAbove ? "info" : "alike",
          12,
          r.schedule || r.shareAbove ? "at work" : "kept only",
        )}
      </td>
      ${cells(columns.shown(), r)}
    </tr>`;

  const none = () =>
    html`<section class="pane words">
      <p class="say">
        <b>No report is saved yet.</b> A report keeps a question of top talkers. With a schedule its answer is sent to
        notification targets; with a limit of share it raises an alert while one talker has more than that of the whole.
      </p>
      <p class="say row">
        <a class="ctl primary" href=${href("/top-talkers")}>Ask something first</a>
        <button class="ctl" ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} @click=${add}>
          New report
        </button>
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
    title: "Reports of top talkers",
    name: "reports-page",
    timed: false,
    update() {
      columns.arrive();
      if (document.activeElement?.id !== "filter") typed = param("q");
      load.want(lastTick());
    },
    leave: () => toAddress.cancel(),
    escape: () => (param("row") ? rows.escape() : back("/top-talkers")),
    keys: () => ({ ...rows.keys({ selecting: false }), C: [add, "New report"] }),
    view() {
      return html`<div class="tb">
          <a class="m nw" href=${href("/top-talkers")}>Top talkers /</a>
          <h1>Reports</h1>
          <div class="tokens">
            <input
              id="filter"
              type="search"
              .value=${typed}
              placeholder="name, what it asks"
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
