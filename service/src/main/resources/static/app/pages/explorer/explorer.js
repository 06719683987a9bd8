// Explorer: a tree on the left, a table of what matches on the right; what was typed is what the address holds.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { phone } from "../../core/screen.js";
import { kept } from "../../core/store.js";
import { lastTick } from "../../core/time.js";
import { amend, filterToAddress, go, href, param } from "../../core/url.js";
import { scopeId } from "../../frame/scope.js";
import { cells, Columns } from "../../parts/columns.js";
import { copy, notice } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { stateShape } from "../../parts/shapes.js";
import { Splitter } from "../../parts/splitter.js";
import { inSight, rowHeight } from "../../parts/rows.js";
import { COMPARED } from "../objects/charts.js";
import { availableColumns, metricsAmong, shownColumns } from "./columns.js";
import { save } from "./export.js";
import { complete, completions, parseFilter } from "../../core/filter.js";
import { ObjectRows } from "./rows.js";
import { tree } from "./tree.js";

// What a column without a width of its own gets at least.
const ROOM = 96;
const STATE = 32;

export function page() {
  const rows = new ObjectRows();
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const under = new Load((id, signal) => get(`/objects/${id}`, {}, signal));
  let typed = param("q");
  let top = 0;
  const ROW = kept("rows", "dense") === "comfy" ? 36 : 28;
  let height = 600;
  let selected = new Set();
  let box = null;
  let suggesting = false;
  const columns = new Columns("explorer", ["name"]);
  const splitter = new Splitter({
    name: "explorer.tree",
    label: "Width of the tree",
    property: "--tree-w",
    usual: 280,
    least: 180,
    most: () => Math.min(640, innerWidth / 2),
  });

  const toAddress = filterToAddress();

  function update() {
    // The field leads while it is typed in; elsewhere the address does.
    if (document.activeElement?.id !== "filter") typed = param("q");
    const filter = parseFilter(param("q"));
    const kindsAsked = filter.query.objectKind ?? [];
    columns.arrive(kindsAsked.length === 1 ? kindsAsked[0] : "");
    const chosenColumns = columns.chosen();
    rows.choose(chosenColumns && metricsAmong(chosenColumns));
    const ancestor = param("under") || scopeId();
    if (param("under")) under.want(param("under"));
    kinds.want(lastTick());
    rows.want(
      { ...filter.query, ancestor: ancestor || undefined, sort: param("sort", "name"), withPath: true },
      lastTick(),
    );
  }

  const at = () => rows.indexOf(param("row"));
  function step(by) {
    if (!rows.total) return;
    const next = Math.max(0, Math.min(rows.total - 1, at() < 0 ? 0 : at() + by));
    const o = rows.at(next);
    if (!o) return;
    amend({ row: o.id }, { replace: true });
    if (!box) return;
    const head = 26;
    if (next * ROW < box.scrollTop) box.scrollTop = next * ROW;
    if ((next + 1) * ROW + head > box.scrollTop + box.clientHeight)
      box.scrollTop = (next + 1) * ROW + head - box.clientHeight;
  }
  const chosen = () => rows.at(at());
  const open = (o) => o && go(`/objects/${o.id}`);
  function select(o) {
    if (!o) return;
    selected = new Set(selected);
    if (!selected.delete(o.id)) selected.add(o.id);
    redraw();
  }
  function compare() {
    const ids = [...selected];
    if (ids.length < 2) return notice("Select at least two objects with X to compare them.");
    go(`/objects/${ids[0]}`, { vs: ids.slice(1, COMPARED).join(",") });
  }

  const there = () => rows.counted || rows.error !== null;
  const keys = () => ({
    J: [() => step(1), "Next row", there],
    K: [() => step(-1), "Row before", there],
    ArrowDown: [() => step(1), "", there],
    ArrowUp: [() => step(-1), "", there],
    Enter: [() => open(chosen()), "Open the row", there],
    O: [() => chosen() && window.open(href(`/objects/${chosen().id}`)), "Open it beside", there],
    X: [() => select(chosen()), "Select the row", there],
    V: [compare, "Compare the selected"],
    Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
    "/": [() => document.getElementById("filter").focus(), "Filter"],
  });

  function typing(event) {
    typed = event.target.value;
    suggesting = true;
    toAddress(typed.trim());
    redraw();
  }

  function fill(word) {
    typed = complete(typed, word);
    suggesting = word.endsWith(":") || word.endsWith("=");
    const field = /** @type {HTMLInputElement} */ (document.getElementById("filter"));
    field.value = typed;
    field.focus();
    if (!suggesting) amend({ q: typed.trim(), row: null }, { replace: true });
    redraw();
  }

  function filterBox() {
    const words = suggesting ? completions(typed, kinds.data, rows.loaded) : [];
    return html`<div
      class="tokens"
      @focusout=${(e) => e.currentTarget.contains(e.relatedTarget) || ((suggesting = false), redraw())}
    >
      <input
        id="filter"
        type="search"
        .value=${typed}
        placeholder="kind:VirtualMachine tag:tier=web is:silent name"
        aria-label="Filter"
        autocomplete="off"
        spellcheck="false"
        @focus=${() => ((suggesting = true), redraw())}
        @input=${typing}
        @keydown=${(e) => {
          if (e.key === "Escape") {
            suggesting = false;
            e.target.blur();
            redraw();
          } else if (e.key === "Tab" && words.length && !e.shiftKey && typed.split(" ").at(-1)) {
            e.preventDefault();
            fill(words[0]);
          } else if (e.key === "Enter") {
            suggesting = false;
            amend({ q: typed.trim(), row: null });
          }
        }}
      />
      <kbd>/</kbd>
      ${words.length
        ? html`<ul class="menu suggest" role="listbox" aria-label="Completions">
            ${words.map(
              (w) =>
                html`<li>
                  <button tabindex="-1" @mousedown=${(e) => (e.preventDefault(), fill(w))}>
                    <span class="mono">${w}</span>
                  </button>
                </li>`,
            )}
          </ul>`
        : nothing}
    </div>`;
  }

  function table() {
    if (rows.error && !rows.loaded.length) return failure(rows.error, () => rows.again());
    const ROW = rowHeight();
    const first = Math.max(0, Math.floor(top / ROW) - 8);
    const last = Math.min(rows.total, first + Math.ceil(height / ROW) + 16);
    rows.need(last);
    const shown = shownColumns(columns.chosen(), rows);
    const row = (i) => {
      const o = rows.at(i);
      if (!o)
        return html`<tr aria-busy="true">
          <td></td>
          <td class="m" colspan=${shown.length}>…</td>
        </tr>`;
      const now = o.id === param("row");
      return html`<tr
        class=${now || selected.has(o.id) ? "sel" : ""}
        aria-selected=${selected.has(o.id)}
        @click=${(e) => !e.target.closest("a, input") && amend({ row: o.id }, { replace: true })}
        @dblclick=${() => open(o)}
      >
        <td>
          ${selected.size
            ? html`<input
                type="checkbox"
                .checked=${selected.has(o.id)}
                aria-label=${`Select ${o.name}`}
                @change=${() => select(o)}
              />`
            : stateShape(o.state)}
        </td>
        ${cells(shown, o)}
      </tr>`;
    };
    const visible = Array.from({ length: Math.max(0, last - first) }, (_, i) => row(first + i));
    const body = html`<tbody>
      <tr class="gap" .style=${`height:${first * ROW}px`}></tr>
      ${visible}
      <tr class="gap" .style=${`height:${(rows.total - last) * ROW}px`}></tr>
    </tbody>`;
    return columns.table(shown, { lead: "w-state", leadWidth: STATE, room: ROOM, usual: "name" }, body);
  }

  function noMatch() {
    const tokens = param("q").split(/\s+/).filter(Boolean);
    return html`<div class="empty">
      Nothing matches. ${tokens.length > 1 || param("under") ? "Drop a part of the filter:" : "The filter was:"}
      ${tokens.map(
        (t) =>
          html` <button
            class="link mono"
            @click=${() => ((typed = tokens.filter((x) => x !== t).join(" ")), amend({ q: typed }))}
          >
            ${t}
          </button>`,
      )}
      ${param("under")
        ? html` <button class="link" @click=${() => amend({ under: null })}>
            below ${under.data?.name ?? "the chosen object"}
          </button>`
        : nothing}
    </div>`;
  }

  const scrolled = (event) => {
    top = event.target.scrollTop;
    height = event.target.clientHeight;
    redraw();
  };

  return {
    title: "Explorer",
    name: "explorer",
    timed: false,
    update,
    keys,
    escape: () => {
      if (selected.size) selected = new Set();
      else if (param("row")) amend({ row: null }, { replace: true });
      else if (param("under")) amend({ under: null });
      redraw();
    },
    view() {
      const filter = parseFilter(param("q"));
      box = document.querySelector(".results");
      if (box) height = inSight(box).height || height;
      if (box && phone()) top = inSight(box).top;
      const below = param("under") && under.data?.id === param("under") ? under.data : null;
      return html`<div class="tb">
          <h1>Explorer</h1>
          ${filterBox()}
          <button
            class="ctl"
            aria-haspopup="dialog"
            @click=${() =>
              columns.pick(() => ({ available: availableColumns(rows), shown: shownColumns(columns.chosen(), rows) }))}
          >
            Columns
          </button>
          <button class="ctl" @click=${() => save("csv", rows)}>CSV</button>
          <button class="ctl" @click=${() => save("json", rows)}>JSON</button>
        </div>
        ${tree(param("under"))}${splitter.view()}
        <section class="pane" aria-label="Results">
          <div class="ph">
            ${selected.size
              ? html`<b>${count(selected.size)} selected</b
                  ><button class="ctl" @click=${compare} ?disabled=${selected.size < 2 || selected.size > COMPARED}>
                    Compare <kbd>V</kbd></button
                  ><button class="link" @click=${() => ((selected = new Set()), redraw())}>None</button
                  >${selected.size > COMPARED ? html`<span class="m">at most ${COMPARED}</span>` : nothing}`
              : html`<h2>${rows.counted ? plural(rows.total, "object") : "Objects"}</h2>
                  ${below
                    ? html`<span class="m cut"
                          >below <a class="acc" href=${href(`/objects/${below.id}`)}>${below.name}</a></span
                        ><button class="link" @click=${() => amend({ under: null })}>everywhere</button>`
                    : nothing}`}
            <span class="sp"></span>
            ${filter.unknown.length
              ? html`<span class="warn cut">not understood: ${filter.unknown.join(" ")}</span>`
              : nothing}
            <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd> Select <kbd>X</kbd></span>
          </div>
          <div class="results ${rows.stale ? "dimmed" : ""}" @scroll=${scrolled} tabindex="-1">
            ${rows.counted && rows.total === 0 ? noMatch() : table()}
          </div>
        </section>`;
    },
  };
}
