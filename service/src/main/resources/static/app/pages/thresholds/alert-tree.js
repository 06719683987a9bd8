// The condition of an alert definition: thresholds joined by all, any and not, on the object and on what is above and
// below it.
import { html, nothing } from "../../core/html.js";
import { kindWord } from "../../core/metrics.js";
import { SEVERITIES } from "../../core/severity.js";
import { icon } from "../../parts/shapes.js";

const DEPTH = 5;
const MOST = 20;
const ON = [
  ["self", "on the object itself"],
  ["parent", "on a parent"],
  ["ancestor", "on something above it"],
  ["child", "on a child"],
  ["descendant", "on something below it"],
];
const MANY = ["child", "descendant", "parent", "ancestor"];
const POPULATIONS = [
  ["any", "at least one"],
  ["all", "all"],
  ["count", "at least"],
  ["percent", "at least, in %,"],
];
const JOINS = [
  ["all", "all of these hold"],
  ["any", "any of these holds"],
  ["not", "this does not hold"],
];

const nameIn = (id, thresholds) =>
  thresholds.find((t) => t.id === id)?.name ?? (id ? "a threshold that is gone" : "\u2026");

/** @param {{type: string, value?: number}} population */
function populationText({ type, value } = { type: "any" }, on, kind) {
  const of = kind
    ? kindWord(kind.objectKind, 2)
    : { child: "children", descendant: "objects below", parent: "parents", ancestor: "objects above" }[on];
  if (type === "all") return `all ${of}`;
  if (type === "count") return `at least ${value ?? 1} ${of}`;
  if (type === "percent") return `at least ${value ?? 1} % of ${of}`;
  return `any of ${of}`;
}

/** A condition in words. */
export function treeText(c, thresholds) {
  if (!c) return "";
  if (c.type === "threshold") {
    const least = c.minimumSeverity ? ` (${c.minimumSeverity} or worse)` : "";
    return `${nameIn(c.threshold, thresholds)}${least}${(c.on ?? "self") === "self" ? "" : ` on ${populationText(c.population, c.on, c.objectKind)}`}`;
  }
  const parts = (c.conditions ?? []).map((x) =>
    ["all", "any"].includes(x.type) && (x.conditions ?? []).length > 1
      ? `(${treeText(x, thresholds)})`
      : treeText(x, thresholds),
  );
  if (c.type === "not") return `not ${parts[0] ?? "\u2026"}`;
  return parts.join(c.type === "all" ? " and " : " or ") || "\u2026";
}

const BLANK = { type: "threshold", on: "self" };

/** The tree as fields. Each node changes its own part; `set` takes the whole condition. */
export function conditionTree({ condition, set, thresholds, kinds, off }) {
  const known = (kinds.data?.items ?? []).flatMap((a) => a.objectKinds);
  return html`<div class="cond-tree" role="tree" aria-label="Condition">
    ${node(condition, set, { thresholds, known, off, depth: 1, remove: null })}
  </div>`;
}

function node(c, set, at) {
  return c.type === "threshold" ? leaf(c, set, at) : branch(c, set, at);
}

/** Keys of a node: Delete takes it out, Alt with arrows moves it. */
function keys(event, at) {
  if (at.off || event.target.matches("input")) return;
  const acts = { Delete: at.remove, ArrowUp: event.altKey ? at.up : null, ArrowDown: event.altKey ? at.down : null };
  if (!acts[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
}

function tools(at, what) {
  if (at.off) return nothing;
  return html`<span class="row tight tools"
    >${at.up !== undefined
      ? html`<button type="button" class="icon" aria-label=${`Move ${what} up`} ?disabled=${!at.up} @click=${at.up}>
            ${icon("up", 12)}</button
          ><button type="button" class="icon" aria-label=${`Move ${what} down`} ?disabled=${!at.down} @click=${at.down}>
            ${icon("down", 12)}
          </button>`
      : nothing}
    ${at.remove
      ? html`<button type="button" class="icon" aria-label=${`Remove ${what}`} @click=${at.remove}>
          ${icon("close", 12)}
        </button>`
      : nothing}</span
  >`;
}

function branch(c, set, at) {
  const all = c.conditions ?? [];
  const put = (list) => set({ ...c, conditions: list });
  const swap = (i, j) => put(all.with(i, all[j]).with(j, all[i]));
  const retype = (type) => set({ type, conditions: type === "not" ? all.slice(0, 1) : all });
  const full = c.type === "not" ? all.length >= 1 : all.length >= MOST;
  return html`<div
    role="treeitem"
    aria-level=${at.depth}
    aria-expanded="true"
    class="cond-branch"
    @keydown=${(e) => keys(e, at)}
  >
    <div class="row">
      <select
        class="field inline"
        aria-label="How they are joined"
        ?disabled=${at.off}
        @change=${(e) => retype(e.target.value)}
      >
        ${JOINS.map(
          ([v, w]) =>
            html`<option value=${v} ?selected=${v === c.type} ?disabled=${v === "not" && all.length > 1}>${w}</option>`,
        )}
      </select>
      <span class="sp"></span>
      ${tools(at, "this group")}
    </div>
    <div role="group" class="cond-list">
      ${all.map((x, i) =>
        node(x, (next) => put(all.with(i, next)), {
          ...at,
          depth: at.depth + 1,
          remove: all.length > 1 || at.depth > 1 ? () => put(all.toSpliced(i, 1)) : null,
          up: i > 0 ? () => swap(i, i - 1) : null,
          down: i < all.length - 1 ? () => swap(i, i + 1) : null,
        }),
      )}
      ${at.off || full
        ? nothing
        : html`<div class="row">
            <button type="button" class="link s12" @click=${() => put([...all, { ...BLANK }])}>Add a threshold</button>
            ${at.depth < DEPTH - 1
              ? html`<button
                  type="button"
                  class="link s12"
                  @click=${() => put([...all, { type: c.type === "all" ? "any" : "all", conditions: [{ ...BLANK }] }])}
                >
                  Add a group
                </button>`
              : nothing}
          </div>`}
    </div>
  </div>`;
}

function leaf(c, set, at) {
  const on = c.on ?? "self";
  const chosen = at.thresholds.find((t) => t.id === c.threshold);
  const related = MANY.includes(on);
  const population = c.population ?? { type: "any" };
  const put = (part) => set(Object.fromEntries(Object.entries({ ...c, ...part }).filter(([, v]) => v !== undefined)));
  const counted = ["count", "percent"].includes(population.type);
  const kind = c.objectKind ?? chosen?.objectKind;
  const what = chosen?.name ?? "this threshold";
  return html`<div role="treeitem" aria-level=${at.depth} class="cond-leaf" @keydown=${(e) => keys(e, at)}>
    <div class="row wrap">
      <select
        class="field inline"
        aria-label="Threshold"
        ?disabled=${at.off}
        @change=${(e) => put({ threshold: e.target.value || undefined })}
      >
        <option value="" ?selected=${!c.threshold}>threshold…</option>
        ${c.threshold && !chosen
          ? html`<option value=${c.threshold} selected>a threshold that is gone</option>`
          : nothing}${at.thresholds.map(
          (t) =>
            html`<option value=${t.id} ?selected=${t.id === c.threshold}>
              ${t.name} (${kindWord(t.objectKind.objectKind)})
            </option>`,
        )}
      </select>
      <select
        class="field inline faint"
        aria-label=${`Least severity of ${what}`}
        ?disabled=${at.off}
        @change=${(e) => put({ minimumSeverity: e.target.value || undefined })}
      >
        <option value="">any severity</option>
        ${SEVERITIES.filter((s) => s !== "information").map(
          (s) =>
            html`<option value=${s} ?selected=${s === c.minimumSeverity}>
              ${s}${s === "critical" ? "" : " or worse"}
            </option>`,
        )}
      </select>
      <select
        class="field inline"
        aria-label=${`Where ${what} is looked for`}
        ?disabled=${at.off}
        @change=${(e) =>
          put({
            on: e.target.value,
            ...(e.target.value === "self" ? { population: undefined, objectKind: undefined } : {}),
          })}
      >
        ${ON.map(([v, w]) => html`<option value=${v} ?selected=${v === on}>${w}</option>`)}
      </select>
      ${related
        ? html`<span class="row"
            ><select
              class="field inline"
              aria-label="Of how many"
              ?disabled=${at.off}
              @change=${(e) =>
                put({
                  population:
                    e.target.value === "any"
                      ? undefined
                      : {
                          type: e.target.value,
                          ...(["count", "percent"].includes(e.target.value)
                            ? { value: population.value ?? (e.target.value === "count" ? 3 : 20) }
                            : {}),
                        },
                })}
            >
              ${POPULATIONS.map(([v, w]) => html`<option value=${v} ?selected=${v === population.type}>${w}</option>`)}
            </select>
            ${counted
              ? html`<input
                  class="field inline tiny"
                  type="number"
                  min="1"
                  max=${population.type === "percent" ? 100 : 100000}
                  aria-label=${population.type === "percent" ? "Percent" : "How many"}
                  .value=${String(population.value ?? 1)}
                  ?disabled=${at.off}
                  @change=${(e) =>
                    put({ population: { ...population, value: Math.max(1, Number(e.target.value) || 1) } })}
                />`
              : nothing}
            <span class="m">of ${kind ? kindWord(kind.objectKind, 2) : "them"}</span></span
          >`
        : nothing}
      <span class="sp"></span>
      ${tools(at, what)}
    </div>
  </div>`;
}
