// The tree of objects: one level at a time, silent ones marked, type to filter.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Health } from "../../core/health.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { amend, go } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { icon, severityShape, stateShape } from "../../parts/shapes.js";

const LEVEL = 1000;
const levels = new Map();
const open = new Set();
let typed = "";
let focused = null;
const health = new Health();

const level = (parent) => {
  if (!levels.has(parent)) {
    levels.set(parent, new Load((signal) => get("/objects/tree", { parent: parent || null, limit: LEVEL }, signal)));
  }
  return levels.get(parent).want();
};
const found = new Load((q, signal) => get("/objects", { q, limit: 100, withPath: true }, signal));
const search = settled((q) => q && found.want(q), 150);

/** Rows of the open part of the tree, top to bottom; `path` tells places of one object apart. */
function rows(parent = "", path = "", depth = 0, out = []) {
  const load = level(parent);
  for (const node of load.data?.items ?? []) {
    const key = `${path}/${node.id}`;
    out.push({ node, key, depth });
    if (open.has(key) && node.childCount) rows(node.id, key, depth + 1, out);
  }
  if (!load.data && depth) out.push({ waiting: true, key: `${path}/...`, depth, error: load.error });
  if (load.data?.nextCursor) out.push({ rest: load.data.total - load.data.items.length, key: `${path}/rest`, depth });
  return out;
}

function toggle(key) {
  if (!open.delete(key)) open.add(key);
  redraw();
}

const narrow = (id, selected) => amend({ under: id === selected ? null : id, row: null });

function key(event, list, selected) {
  const at = list.findIndex((r) => r.key === focused);
  const row = list[at];
  const move = (to) => {
    const next = list[Math.max(0, Math.min(list.length - 1, to))];
    focused = next?.key ?? null;
    redraw();
    requestAnimationFrame(() => document.querySelector(".tree [tabindex='0']")?.focus());
  };
  const acts = {
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    ArrowRight: () => (row?.node?.childCount && !open.has(row.key) ? toggle(row.key) : move(at + 1)),
    ArrowLeft: () =>
      row && open.has(row.key)
        ? toggle(row.key)
        : move(list.findLastIndex((r, i) => i < at && r.depth < (row?.depth ?? 0))),
    Enter: () => row?.node && go(`/objects/${row.node.id}`),
    " ": () => row?.node && narrow(row.node.id, selected),
  };
  if (!acts[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
}

/** What is open on it and below it: the shape of the worst, and how many. */
function findings(id) {
  const found = health.of(id);
  return found?.severity
    ? html`<span class="row findings" title=${`${plural(found.count, "open alert")} on it and below it`}
        >${severityShape(found.severity, 10)}<span class="s12">${count(found.count)}</span></span
      >`
    : nothing;
}

function branch(row, i, selected) {
  const indent = `padding-left:${4 + row.depth * 14}px`;
  if (row.waiting) return html`<div class="m s12" .style=${indent}>${row.error ? row.error.message : "\u2026"}</div>`;
  if (row.rest) return html`<div class="m s12" .style=${indent}>and ${count(row.rest)} more: type to find them</div>`;
  const { node, key: at } = row;
  const isOpen = open.has(at);
  const here = focused === null ? i === 0 : focused === at;
  return html`<div
    role="treeitem"
    aria-level=${row.depth + 1}
    aria-expanded=${node.childCount ? String(isOpen) : nothing}
    aria-selected=${node.id === selected}
    tabindex=${here ? 0 : -1}
    .style=${indent}
    @focus=${() => (focused = at)}
    @click=${() => narrow(node.id, selected)}
    @dblclick=${() => go(`/objects/${node.id}`)}
    title=${`${node.name}, ${kindWord(node.objectKind)}. Click narrows the list, double click opens it.`}
  >
    <span
      class="twist ${isOpen ? "open" : ""}"
      @click=${(e) => {
        if (node.childCount) {
          e.stopPropagation();
          toggle(at);
        }
      }}
      >${node.childCount ? icon("right", 12) : nothing}</span
    >
    ${node.state === "silent" ? stateShape(node.state, 11) : nothing}<span class="cut">${node.name}</span
    ><span class="sp"></span>${findings(node.id)}<span class="m s12 below"
      >${node.childCount ? count(node.childCount) : ""}</span
    >
  </div>`;
}

export function tree(selected) {
  const body = typed
    ? loaded(
        found,
        ({ items, total }) =>
          html`<div class="tree" role="tree" aria-label="Objects found">
            ${items.map(
              (o) =>
                html`<div
                  role="treeitem"
                  tabindex="0"
                  aria-selected=${o.id === selected}
                  title=${(o.path ?? []).join(" / ")}
                  @click=${() => narrow(o.id, selected)}
                  @dblclick=${() => go(`/objects/${o.id}`)}
                  @keydown=${(e) => e.key === "Enter" && go(`/objects/${o.id}`)}
                >
                  ${stateShape(o.state, 11)}<span class="cut">${o.name}</span><span class="sp"></span>${findings(
                    o.id,
                  )}<span class="m s12">${kindWord(o.objectKind)}</span>
                </div>`,
            )}
            ${total > items.length
              ? html`<div class="pad m s12">and ${count(total - items.length)} more</div>`
              : nothing}
          </div>`,
        { rows: 8, empty: "Nothing has this name.", isEmpty: (d) => !d.items.length },
      )
    : loaded(
        level(""),
        () => {
          const list = rows();
          health.want(list.filter((row) => row.node).map((row) => row.node.id));
          return html`<div class="tree" role="tree" aria-label="Objects" @keydown=${(e) => key(e, list, selected)}>
            ${list.map((row, i) => branch(row, i, selected))}
          </div>`;
        },
        { rows: 8, empty: "No objects yet.", isEmpty: (d) => !d.items.length },
      );
  return html`<section class="pane" aria-label="Tree">
    <div class="pad tree-find">
      <input
        class="field"
        type="search"
        placeholder="Find in the tree"
        aria-label="Find in the tree"
        @input=${(e) => ((typed = e.target.value.trim()), search(typed), redraw())}
      />
    </div>
    ${body}
  </section>`;
}
