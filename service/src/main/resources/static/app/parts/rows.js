// The rows of a list that is read whole: sorted, windowed, chosen and selected with keys or the mouse. While the
// pointer is in the table or rows are selected they keep their places; which row is chosen is in the address.
import { html, nothing, repeat } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { phone } from "../core/screen.js";
import { kept } from "../core/store.js";
import { amend, href, param } from "../core/url.js";
import { copy } from "./notice.js";

const HEAD = 26;
const BEYOND = 10;
const LINES = 61;

/** How high a row is: one line of a table, two of a list on a phone. */
export const rowHeight = () => (phone() ? LINES : kept("rows", "dense") === "comfy" ? 36 : 28);

/**
 * How far the rows of a box are scrolled away, and how much of them is in sight; on a phone they scroll with the page.
 */
export function inSight(box) {
  if (!phone()) return { top: box.scrollTop, height: box.clientHeight };
  const page = document.getElementById("main");
  return {
    top: Math.max(0, page.getBoundingClientRect().top - box.getBoundingClientRect().top),
    height: page.clientHeight,
  };
}

/** The line above the rows of a group. */
class Head {
  constructor(key) {
    this.key = key;
    this.id = `group ${key}`;
  }
}

export class Rows {
  #sorted = null;
  #grouped = null;
  #last = null;
  #box = null;
  #top = 0;
  #height = 700;
  get #row() {
    return rowHeight();
  }

  selected = new Set();

  /**
   * `main` is the class of the page; `items()` gives what the filter leaves, the same array as long as that is the
   * same, null while it is not read; `asked()` tells one question from another; `compare(a, b)` is their order.
   * `address(row)` is where a row leads, null for nowhere; `selectable(row)` whether it can be selected. `group(row)` is
   * the key of the group that a row stands in, where groups have heads: the order has to keep their rows together.
   */
  constructor({
    main,
    items,
    asked = () => /** @type {unknown} */ (""),
    compare,
    address,
    go,
    selectable = (/** @type {any} */ _row) => true,
    group = null,
  }) {
    this.main = main;
    this.items = items;
    this.asked = asked;
    this.compare = compare;
    this.address = address;
    this.go = go;
    this.selectable = selectable;
    this.group = group;
  }

  /** Whether a hand is on the rows. */
  get #held() {
    return this.selected.size > 0 || Boolean(this.#box?.matches(":hover"));
  }

  /** The rows in their order: sorted anew when there are others or the question is another, once no hand is on them. */
  list() {
    const items = this.items() ?? [];
    const asked = JSON.stringify([this.asked(), items.length]);
    const last = this.#sorted;
    if (last?.items === items && last.asked === asked && (!last.waits || this.#held)) return last.list;
    const waits = last?.asked === asked && this.#held;
    const byId = new Map(items.map((r) => [r.id, r]));
    const list = waits ? last.list.map((r) => byId.get(r.id)).filter(Boolean) : items.toSorted(this.compare);
    this.#sorted = { items, asked, list, waits };
    return list;
  }

  /** The lines of the table: the rows, and before the first of each group its head. */
  #lines(list) {
    if (!this.group) return list;
    if (this.#grouped?.list !== list) {
      const lines = list.flatMap((row, i) => {
        const key = this.group(row);
        return i && this.group(list[i - 1]) === key ? [row] : [new Head(key), row];
      });
      this.#grouped = { list, lines };
    }
    return this.#grouped.lines;
  }

  chosen() {
    return this.list().find((r) => r.id === param("row"));
  }

  /** The selected rows that are on the list. */
  picked() {
    return this.list().filter((r) => this.selected.has(r.id));
  }

  isOn(row) {
    return row.id === param("row") || this.selected.has(row.id);
  }

  choose(row) {
    amend({ row: row?.id ?? null }, { replace: true });
  }

  open(row) {
    const at = row && this.address(row);
    if (at) this.go(at);
  }

  clear() {
    this.selected = new Set();
    redraw();
  }

  /** One step back: nothing selected, then nothing chosen. */
  escape() {
    if (this.selected.size) this.clear();
    else if (param("row")) this.choose(null);
  }

  step(by) {
    const list = this.list();
    if (!list.length) return;
    const now = list.findIndex((r) => r.id === param("row"));
    const next = Math.max(0, Math.min(list.length - 1, now < 0 ? 0 : now + by));
    this.choose(list[next]);
    const box = this.#box;
    if (!box) return;
    const lines = this.#lines(list);
    const at = lines.indexOf(list[next]);
    // Of a group's first row the head is seen too.
    const from = (at - (lines[at - 1] instanceof Head ? 1 : 0)) * this.#row;
    if (from < box.scrollTop) box.scrollTop = from;
    if ((at + 1) * this.#row + HEAD > box.scrollTop + box.clientHeight)
      box.scrollTop = (at + 1) * this.#row + HEAD - box.clientHeight;
  }

  /** Selects a row, or no longer; with `through` all up to it from the one before. */
  select(row, through = false) {
    if (!row || !this.selectable(row)) return;
    const next = new Set(this.selected);
    if (through && this.#last) {
      const list = this.list();
      const [from, to] = [this.#last, row.id].map((id) => list.findIndex((r) => r.id === id)).sort((a, b) => a - b);
      for (const r of list.slice(Math.max(0, from), to + 1)) if (this.selectable(r)) next.add(r.id);
    } else if (!next.delete(row.id)) next.add(row.id);
    this.#last = row.id;
    this.selected = next;
    redraw();
  }

  /** The keys of every list; `selecting` says whether its rows can be selected. */
  keys({ selecting = true } = {}) {
    const there = () => this.items() !== null;
    return {
      J: [() => this.step(1), "Next row", there],
      K: [() => this.step(-1), "Row before", there],
      ArrowDown: [() => this.step(1), "", there],
      ArrowUp: [() => this.step(-1), "", there],
      Enter: [() => this.open(this.chosen()), "Open the row", there],
      O: [
        () => this.chosen() && this.address(this.chosen()) && window.open(href(this.address(this.chosen()))),
        "Open it beside",
        there,
      ],
      ...(selecting
        ? { X: [(e) => this.select(this.chosen(), e?.shiftKey), "Select the row, with Shift all up to it", there] }
        : {}),
      Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
      "/": [() => document.getElementById("filter")?.focus(), "Filter"],
    };
  }

  /** What a click in a row does: choose it, or select up to it with Shift. */
  click(event, row) {
    if (event.target.closest("a, button, input, label")) return;
    if (event.shiftKey) this.select(row, true);
    else this.choose(row);
  }

  /** The head of a column that sorts; `usual` is the order of a page that says nothing of it. */
  head(id, name, cls, usual) {
    const now = param("sort", usual);
    const sorted = now === id ? "ascending" : now === `-${id}` ? "descending" : nothing;
    return html`<th class=${cls ?? ""} aria-sort=${sorted}>
      <button @click=${() => amend({ sort: now === id ? `-${id}` : id }, { replace: true })}>
        ${name}${sorted === nothing
          ? nothing
          : html` <span aria-hidden="true">${sorted === "ascending" ? "\u2191" : "\u2193"}</span>`}
      </button>
    </th>`;
  }

  /** The box of the select column, with the shape of a row's state. */
  pick(row, shape) {
    const off = !this.selectable(row);
    return html`<td class="pick l-shape">
      <label title=${off ? "This one cannot be selected" : "Select"}
        ><input
          type="checkbox"
          ?disabled=${off}
          .checked=${this.selected.has(row.id)}
          aria-label=${`Select ${row.name}`}
          @click=${(e) => (e.preventDefault(), this.select(row, e.shiftKey))}
        />${shape}</label
      >
    </td>`;
  }

  /** The scrolled box around a table. */
  box(view) {
    this.#box = document.querySelector(`main.${this.main} .results`);
    if (this.#box) {
      const { top, height } = inSight(this.#box);
      this.#height = height || this.#height;
      if (phone()) this.#top = top;
    }
    // Rows beyond the edges are there already: it is drawn again when half of them have come into sight.
    const scrolled = (event) => {
      if (Math.abs(event.target.scrollTop - this.#top) < (BEYOND / 2) * this.#row) return;
      this.#top = event.target.scrollTop;
      redraw();
    };
    return html`<div class="results" tabindex="-1" @scroll=${scrolled}>${view}</div>`;
  }

  /**
   * Those rows of `list` that are in sight, between gaps as high as the others; `head(key)` is the line above a group.
   */
  body(list, row, head = (/** @type {any} */ _key) => /** @type {unknown} */ (nothing)) {
    const lines = this.#lines(list);
    const first = Math.max(0, Math.floor(this.#top / this.#row) - BEYOND);
    const until = Math.min(lines.length, first + Math.ceil(this.#height / this.#row) + 2 * BEYOND);
    return html`<tbody>
      <tr class="gap" .style=${`height:${first * this.#row}px`}></tr>
      ${repeat(
        lines.slice(first, until),
        (l) => l.id,
        (l) => (l instanceof Head ? head(l.key) : row(l)),
      )}
      <tr class="gap" .style=${`height:${(lines.length - until) * this.#row}px`}></tr>
    </tbody>`;
  }
}

/** A comparison by a key of `orders`, as the address names it: "name", "-name"; ties by `then`. */
export function ordered(orders, usual, then) {
  const [, minus, key] = /^(-?)(\w+)$/.exec(param("sort", usual)) ?? [];
  const compare = orders[key] ?? orders[usual];
  return (a, b) => (minus ? -1 : 1) * compare(a, b) || then(a, b);
}
