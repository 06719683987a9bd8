// The columns of a table: which, in which order and how wide. Order and choice are part of the address; all of it is
// kept in the browser, the choice per variant of the table (such as the kind of the objects in it).
import { html, nothing, repeat } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { keep, kept } from "../core/store.js";
import { amend, param } from "../core/url.js";
import { narrow } from "../core/screen.js";
import { closeLayer, showLayer } from "./layer.js";
import { icon } from "./shapes.js";

const PARAM = "columns";
const LEAST = 48;
// Names are not cut.
const LEAST_NAME = 160;

const known = new Map();

/** The width that a class gives a column, in pixels; 0 = none. */
function classWidth(name) {
  if (!name) return 0;
  if (!known.has(name)) {
    const probe = document.createElement("div");
    probe.className = name;
    probe.style.cssText = "position:absolute;visibility:hidden;padding:0;border:0";
    (document.querySelector("main") ?? document.body).append(probe);
    known.set(name, probe.getBoundingClientRect().width);
    probe.remove();
  }
  return known.get(name);
}
const MOST = 1200;
const STEP = 16;

/** Ids in the address: with commas between, so that commas within are written otherwise. */
const join = (ids) => ids.map((id) => id.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",");
const split = (text) =>
  text
    .split(",")
    .filter(Boolean)
    .map((id) => id.replaceAll("%2C", ",").replaceAll("%25", "%"));

export class Columns {
  #table;
  #variant = null;
  #widths;
  #drag = null;
  #moved = null;

  /** `fixed` ids are always shown. */
  constructor(table, fixed) {
    this.#table = table;
    this.fixed = fixed;
    this.#widths = kept(`${table}.widths`, {});
  }

  get #key() {
    return `${this.#table}.columns${this.#variant ? `.${this.#variant}` : ""}`;
  }

  /** Takes the choice from the address, or puts the kept one there; a new variant brings its own. */
  arrive(variant) {
    const other = this.#variant !== null && this.#variant !== variant;
    this.#variant = variant;
    const own = kept(this.#key, null);
    if (other || !param(PARAM)) amend({ [PARAM]: own ? join(own) : null }, { replace: true });
  }

  /** The ids that somebody chose, null when nobody did. */
  chosen() {
    const ids = [...new Set(split(param(PARAM)))];
    return ids.length ? [...this.fixed.filter((id) => !ids.includes(id)), ...ids] : null;
  }

  choose(ids) {
    keep(this.#key, ids);
    amend({ [PARAM]: ids ? join(ids) : null }, { replace: true });
    redraw();
  }

  width(id) {
    return this.#widths[id] ?? null;
  }

  setWidth(id, width) {
    this.#widths = {
      ...this.#widths,
      [id]: width === null ? undefined : Math.round(Math.min(MOST, Math.max(LEAST, width))),
    };
    keep(`${this.#table}.widths`, Object.values(this.#widths).some(Boolean) ? this.#widths : null);
    redraw();
  }

  /** Puts `id` where `place` is now. */
  #move(shown, id, place) {
    const list = shown.filter((other) => other !== id);
    list.splice(Math.max(0, Math.min(place, list.length)), 0, id);
    if (list.join() !== shown.join()) this.choose(list);
  }

  /**
   * One head cell. `column` has id, name, and as they apply hint, cls, sorted ("ascending", "descending") and sort();
   * `shown` are the ids of all columns in their order.
   */
  head(column, shown) {
    const { id, name, hint, cls = "", sorted, sort } = column;
    const how = `${name}${hint ? ` (${hint})` : ""}. Drag or Alt with arrow keys moves it, Shift with arrow keys makes it wider or narrower.`;
    const keys = (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.altKey === event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      const cell = event.currentTarget;
      if (event.shiftKey) this.setWidth(id, cell.offsetWidth + by * STEP);
      else {
        this.#move(shown, id, shown.indexOf(id) + by);
        requestAnimationFrame(() =>
          requestAnimationFrame(() => document.querySelector(`th[data-column="${CSS.escape(id)}"] .name`)?.focus()),
        );
      }
    };
    const label = html`<span class="cut">${name}</span>${sorted
        ? html`<span aria-hidden="true">${sorted === "ascending" ? "\u2191" : "\u2193"}</span>`
        : nothing}`;
    return html`<th
      class="${cls} ${this.#moved === id ? "moving" : ""}"
      data-column=${id}
      aria-sort=${sorted ?? nothing}
      @keydown=${keys}
      @pointerdown=${(e) => (e.currentTarget.draggable = !e.target.closest(".grip"))}
      @dragstart=${(e) => {
        this.#moved = id;
        e.dataTransfer.effectAllowed = "move";
        e.dataTransfer.setData("text/plain", name);
      }}
      @dragover=${(e) => this.#moved && (e.preventDefault(), e.currentTarget.classList.add("drop"))}
      @dragleave=${(e) => e.currentTarget.classList.remove("drop")}
      @drop=${(e) => this.#dropped(e, shown, id)}
      @dragend=${() => {
        this.#moved = null;
        redraw();
      }}
    >
      ${sort
        ? html`<button class="name" title=${how} @click=${sort}>${label}</button>`
        : html`<span class="name" tabindex="0" title=${how}>${label}</span>`}
      <span
        class="grip"
        aria-hidden="true"
        title="Drag makes the column wider or narrower, a double click resets it"
        @pointerdown=${(e) => this.#pressed(e, id)}
        @pointermove=${(e) => this.#pulled(e)}
        @pointerup=${() => (this.#drag = null)}
        @pointercancel=${() => (this.#drag = null)}
        @dblclick=${() => this.setWidth(id, null)}
      ></span>
    </th>`;
  }

  /**
   * A table with these columns behind one that is always there, `lead` its class and `leadWidth` its width. Columns
   * have a `width`, a class `col` that gives them one, or share what room is left, each at least `room`; those with
   * `sort` sort by their id, and `usual` is the order of an address that says nothing of it.
   */
  table(shown, { name = "", lead, leadWidth, room, usual }, body) {
    const now = param("sort", usual);
    const ids = shown.map((c) => c.id);
    const widths = shown.map((c) => this.width(c.id) ?? c.width ?? null);
    // What a narrow window leaves out needs no room.
    const least = shown.reduce(
      (sum, c, i) =>
        sum +
        ((narrow() ? /prio-3|beside-gone/ : /beside-gone/).test(c.cls ?? "") && !this.width(c.id)
          ? 0
          : (widths[i] ?? Math.max(classWidth(c.col) || (c.least ?? room), c.list === "name" ? LEAST_NAME : 0))),
      leadWidth,
    );
    const head = (c) => {
      const sorted = now === c.id ? "ascending" : now === `-${c.id}` ? "descending" : null;
      return this.head(
        {
          ...c,
          sorted,
          sort: c.sort ? () => amend({ sort: now === c.id ? `-${c.id}` : c.id }, { replace: true }) : null,
        },
        ids,
      );
    };
    return html`<table class=${name} .style=${`min-width:${least}px`}>
      <colgroup>
        <col class=${lead} />
        ${shown.map(
          (c, i) =>
            html`<col class="${c.cls ?? ""} ${c.col ?? ""}" .style=${widths[i] ? `width:${widths[i]}px` : ""} />`,
        )}
      </colgroup>
      <thead>
        <tr>
          <td></td>
          ${shown.map(head)}
        </tr>
      </thead>
      ${body}
    </table>`;
  }

  #dropped(event, shown, id) {
    event.preventDefault();
    event.currentTarget.classList.remove("drop");
    if (this.#moved && this.#moved !== id) this.#move(shown, this.#moved, shown.indexOf(id));
    this.#moved = null;
  }

  #pressed(event, id) {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#drag = { id, x: event.clientX, width: event.currentTarget.parentElement.offsetWidth };
  }

  #pulled(event) {
    if (this.#drag) this.setWidth(this.#drag.id, this.#drag.width + event.clientX - this.#drag.x);
  }

  /**
   * Opens the list of columns to choose from; `describe` gives `{ available, shown }`, each a list of `{ id, name,
   * hint, full }`, `full` being why one cannot be added.
   */
  pick(describe) {
    showLayer("popover at-columns", () => this.#list(describe()), { label: "Columns" });
  }

  #list({ available, shown }) {
    const ids = shown.map((c) => c.id);
    const rest = available.filter((c) => !ids.includes(c.id));
    const toggle = (id) => this.choose(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
    const keys = (event, id) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.altKey) {
        this.#move(ids, id, ids.indexOf(id) + by);
        requestAnimationFrame(() =>
          requestAnimationFrame(() => document.querySelector(`.at-columns [data-column="${CSS.escape(id)}"]`)?.focus()),
        );
        return;
      }
      const boxes = [...event.currentTarget.closest(".layer").querySelectorAll("input")];
      boxes[(boxes.indexOf(event.currentTarget) + by + boxes.length) % boxes.length].focus();
    };
    const locked = (c, on) => (this.fixed.includes(c.id) ? "Always shown" : !on && c.full ? c.full : null);
    const row = (c, on) =>
      html`<li
        draggable=${on ? "true" : "false"}
        @dragstart=${() => (this.#moved = c.id)}
        @dragover=${(e) => on && this.#moved && e.preventDefault()}
        @drop=${(e) => on && this.#dropped(e, ids, c.id)}
        @dragend=${() => (this.#moved = null)}
      >
        <label class="check"
          ><input
            type="checkbox"
            data-column=${c.id}
            .checked=${on}
            ?disabled=${locked(c, on) !== null}
            title=${locked(c, on) ?? nothing}
            @change=${() => toggle(c.id)}
            @keydown=${(e) => keys(e, c.id)}
          /><span class="cut" title=${c.hint ?? c.name}>${c.name}</span>${on || !c.hint
            ? nothing
            : html`<span class="m s12 cut">${c.hint}</span>`}</label
        >
        ${on
          ? html`<span class="sp"></span
              ><button
                class="icon"
                aria-label=${`${c.name} further left`}
                ?disabled=${ids[0] === c.id}
                @click=${() => this.#move(ids, c.id, ids.indexOf(c.id) - 1)}
              >
                ${icon("up", 12)}
              </button>
              <button
                class="icon"
                aria-label=${`${c.name} further right`}
                ?disabled=${ids.at(-1) === c.id}
                @click=${() => this.#move(ids, c.id, ids.indexOf(c.id) + 1)}
              >
                ${icon("down", 12)}
              </button>`
          : nothing}
      </li>`;
    return html`<h3>Shown</h3>
      <ul>
        ${repeat(
          shown,
          (c) => c.id,
          (c) => row(c, true),
        )}
      </ul>
      ${rest.length
        ? html`<h3>Not shown</h3>
            <ul>
              ${repeat(
                rest,
                (c) => c.id,
                (c) => row(c, false),
              )}
            </ul>`
        : nothing}
      <div class="row end">
        <span class="m s12 nw">Move <kbd>Alt</kbd> <kbd>↑</kbd> <kbd>↓</kbd></span>
        <span class="sp"></span>
        <button
          class="ctl"
          @click=${() => {
            this.#widths = {};
            keep(`${this.#table}.widths`, null);
            this.choose(null);
          }}
        >
          Reset
        </button>
        <button class="ctl" @click=${closeLayer}>Close</button>
      </div>`;
  }
}

/**
 * The cells of a row: `cell`, `td` (a class) and `title` of a column may depend on the row and on what is said of it
 * besides. `list` says where a cell stands on a phone, where rows are two lines: "name" and "value" in the first,
 * "what" and "long" in the second.
 */
export function cells(shown, row, more) {
  const of = (part) => (typeof part === "function" ? part(row, more) : part);
  return shown.map(
    (c) =>
      html`<td class="${c.cls ?? ""} ${of(c.td) ?? ""} ${c.list ? `l-${c.list}` : ""}" title=${of(c.title) ?? nothing}>
        ${c.cell(row, more)}
      </td>`,
  );
}

/**
 * A table whose columns are a fixed list: which of them are shown, in which order and how wide is anybody's choice.
 * `definitions` are all columns by their ids (see `Columns.table` and `cells`), `usual` the ids shown before somebody
 * chose, `fixed` those that always are.
 */
export function choosable(table, { definitions, usual, fixed }) {
  const columns = new Columns(table, fixed);
  const column = (id) => ({ id, ...definitions[id] });
  const shown = () => (columns.chosen() ?? usual).filter((id) => id in definitions).map(column);
  const pick = () => columns.pick(() => ({ available: Object.keys(definitions).map(column), shown: shown() }));
  return {
    arrive: () => columns.arrive(""),
    shown,
    table: (options, body) => columns.table(shown(), options, body),
    button: () => html`<button class="ctl low" aria-haspopup="dialog" @click=${pick}>Columns</button>`,
  };
}
