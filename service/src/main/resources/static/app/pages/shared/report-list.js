// A list of reports: a filter, rows by keys, and what stands there while there is none.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { words } from "../../core/filter.js";
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
import { searchBox } from "../../parts/small.js";

export const byName = (a, b) => a.name.localeCompare(b.name);

/**
 * The page of such a list.
 * @param {object} of
 * @param {string} of.title in the window
 * @param {string} of.asked where the reports are read
 * @param {string} of.address of the list; a report has its id below it
 * @param {[string, string]} of.above address and name of what it belongs to
 * @param {string} of.kept name under which the choice of columns is kept
 * @param {object} of.definitions columns
 * @param {string[]} of.usual names of the columns that are shown first
 * @param {object} of.orders comparisons by name
 * @param {(report: any) => string} of.text what the filter looks in
 * @param {() => any} [of.known] what that text depends on besides
 * @param {string} of.placeholder of the filter
 * @param {(report: any) => any} of.mark in front of a row
 * @param {(button: any) => any} of.none what stands there while there is none, with `button(look)` that makes one
 * @param {object} [of.more] for the cells
 * @param {() => void} [of.update] reads what else is needed
 */
export function reportList(of) {
  const load = new Load((_tick, signal) => readPages(of.asked, {}, signal));
  const known = of.known ?? (() => null);
  let typed = param("q");
  const toAddress = filterToAddress();
  const left = memo((items, text, _known) =>
    items.filter((r) => words(text).every((w) => of.text(r).toLowerCase().includes(w.toLowerCase()))),
  );
  const columns = choosable(of.kept, { definitions: of.definitions, usual: of.usual, fixed: ["name"] });
  const rows = new Rows({
    main: "reports-page",
    items: () => (load.data ? left(load.data.items, typed, known()) : null),
    asked: () => typed,
    compare: (a, b) => ordered(of.orders, "name", byName)(a, b),
    address: (r) => `${of.address}/${r.id}`,
    go,
  });
  const add = () => (may("operator") ? go(`${of.address}/new`) : notice(NEEDS));
  /** @type {(look: string, key?: any) => any} */
  const addButton = (look, key = nothing) =>
    html`<button class=${look} ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} @click=${add}>
      New report ${key}
    </button>`;

  const row = (r) =>
    html`<tr
      class=${rows.isOn(r) ? "sel" : ""}
      aria-selected=${rows.isOn(r)}
      @click=${(e) => rows.click(e, r)}
      @dblclick=${() => rows.open(r)}
    >
      <td>${of.mark(r)}</td>
      ${cells(columns.shown(), r, of.more)}
    </tr>`;

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
    title: of.title,
    name: "reports-page",
    timed: false,
    update() {
      columns.arrive();
      if (document.activeElement?.id !== "filter") typed = param("q");
      load.want(lastTick());
      of.update?.();
    },
    leave: () => toAddress.cancel(),
    escape: () => (param("row") ? rows.escape() : back(of.above[0])),
    keys: () => ({ ...rows.keys({ selecting: false }), C: [add, "New report"] }),
    view() {
      return html`<div class="tb">
          <a class="m nw" href=${href(of.above[0])}>${of.above[1]} /</a>
          <h1>Reports</h1>
          ${searchBox({
            value: typed,
            placeholder: of.placeholder,
            type: (text) => {
              typed = text;
              toAddress(typed.trim());
              redraw();
            },
          })}
          <span class="sp"></span>
          ${addButton("ctl primary", html`<kbd>C</kbd>`)}
        </div>
        ${load.data && !load.data.items.length
          ? of.none(addButton)
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
