// The columns of a panel, one of them open: what it shows, over which window, in which colour.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { metricName } from "../../core/metrics.js";
import { severityShape } from "../../parts/shapes.js";
import { icon } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { sourceWords, STATES, transformWords } from "../../panels/words.js";
import { assign, checkField, lengthField, numberField, selectField, textField } from "./fields.js";
import { MetricSearch, sourceOf } from "./metric-search.js";

const TRANSFORMS = [
  ["", "as usual"],
  ["current", "newest value"],
  ["last", "last of the window"],
  ["avg", "mean"],
  ["max", "peak"],
  ["min", "least"],
  ["sum", "sum"],
  ["percentile", "percentile"],
  ["trend", "trend"],
  ["change", "change against before"],
  ["forecast", "forecast"],
  ["reaches", "days until a value"],
  ["outside", "time outside of usual"],
  ["first", "first of the window"],
  ["count", "number of values"],
  ["timestamp", "time of the newest"],
  ["timeOfMax", "time of the peak"],
  ["timeOfMin", "time of the least"],
];
const MADE = {
  percentile: { percentile: 95 },
  change: { change: "before" },
  forecast: { forecast: "7d" },
  reaches: { reaches: 100 },
  outside: { outside: "usual" },
};
const INSTANCES = [
  ["", "aggregate"],
  ["each", "a row each"],
  ["max", "highest"],
  ["min", "least"],
  ["sum", "sum"],
  ["avg", "mean"],
];
const SOURCES = ["metric", "property", "tag", "attribute", "related", "expression"];

const kindOf = (transform) =>
  !transform ? "" : typeof transform === "string" ? transform : Object.keys(transform).find((k) => k in MADE);

/** A name for a column that none has yet. */
export function freeColumn(columns, wanted) {
  const base = (wanted.match(/[A-Za-z][\w-]*/)?.[0] ?? "column").slice(0, 34);
  const names = columns.map((c) => c.name);
  if (!names.includes(base)) return base;
  for (let n = 2; ; n++) if (!names.includes(`${base}${n}`)) return `${base}${n}`;
}

/** A percentile as somebody writes it: a number between 0 and 100, or a variable; null for anything else. */
function percentileOf(text) {
  if (/^\$[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(text.trim())) return text.trim();
  const n = Number(text.replace(",", "."));
  return n > 0 && n < 100 ? n : null;
}

export class ColumnFields {
  #open = 0;
  #search = new MetricSearch();
  #add = new MetricSearch();

  #bounds(column, edit) {
    const { colour } = column;
    const way = typeof colour === "string" ? colour : colour?.bounds ? "fixed" : colour?.values ? "values" : "none";
    const set = (next) => edit((c) => assign(c, "colour", next));
    const bound = (i) =>
      html`<label class="bound"
        >${severityShape(STATES[i + 1], 10, STATES[i + 1])}<input
          class="field"
          type="number"
          step="any"
          aria-label=${`Bound of ${STATES[i + 1]}`}
          .value=${colour.bounds[i] ?? ""}
          @input=${(e) => {
            const bounds = [0, 1, 2].map((n) => colour.bounds[n] ?? null);
            bounds[i] = e.target.value === "" ? null : Number(e.target.value);
            while (bounds.length > 1 && bounds.at(-1) === null) bounds.pop();
            set({ ...colour, bounds });
          }}
      /></label>`;
    return html`<div class="lab">
      Colour <span class="m">what a person should look at</span>
      <div class="row wrap">
        ${segments(
          way,
          [
            ["none", "None"],
            ["fixed", "Fixed"],
            ["usual", "Usual"],
            ["alerts", "Alerts"],
            ...(way === "values" ? [["values", "By value"]] : []),
          ],
          (value) =>
            set(
              value === "none" ? undefined : value === "fixed" ? { bounds: [90] } : value === "values" ? colour : value,
            ),
          "Colour",
        )}
        ${way === "fixed"
          ? html`${[0, 1, 2].map(bound)}<label class="check"
                ><input
                  type="checkbox"
                  .checked=${colour.above === false}
                  @change=${(e) => {
                    const { above: _above, ...rest } = colour;
                    set(e.target.checked ? { ...rest, above: false } : rest);
                  }}
                />less is worse</label
              >`
          : nothing}
      </div>
    </div>`;
  }

  #fields(column, at, edit, { type, kind, rule, question }) {
    const way = kindOf(column.transform);
    const set =
      (member, of = member) =>
      (value) =>
        edit((c) => assign(c, member, value), of);
    const source = column.metric?.any?.[0];
    return html`<div class="column-fields">
      ${column.expression !== undefined
        ? textField(
            "Expression of other columns",
            column.expression,
            (v) => edit((c) => (c.expression = v ?? ""), "expression"),
            {
              placeholder: "used / total * 100",
            },
          )
        : html`<div class="lab">
            Shows <code>${source ?? sourceWords(column)}</code>
            ${this.#search.view({
              label: "What the column shows",
              kind,
              rule,
              question,
              id: "column-metric",
              take: (hit) =>
                edit((c) => {
                  for (const one of SOURCES) delete c[one];
                  Object.assign(c, sourceOf(hit));
                }),
            })}
          </div>`}
      <div class="two">
        ${textField("Title", column.title, set("title"), {
          placeholder: source ? metricName(source) : sourceWords(column),
        })}
        ${textField("Unit", column.unit, set("unit"), { placeholder: "as reported" })}
        ${column.metric
          ? html`${type === "chart"
              ? nothing
              : selectField("Value", way, TRANSFORMS, (value) =>
                  edit((c) => assign(c, "transform", value ? (MADE[value] ?? value) : undefined)),
                )}
            ${way === "percentile"
              ? textField(
                  "Percentile",
                  String(column.transform.percentile),
                  (text) => {
                    const p = percentileOf(text ?? "");
                    if (p !== null) edit((c) => (c.transform = { percentile: p }), "p");
                  },
                  { placeholder: "95, or $p" },
                )
              : way === "reaches"
                ? numberField(
                    "Value that is reached",
                    column.transform.reaches,
                    (n) => n !== undefined && edit((c) => (c.transform = { reaches: n }), "p"),
                  )
                : way === "forecast"
                  ? lengthField(
                      "So far ahead",
                      column.transform.forecast,
                      (v) => v && edit((c) => (c.transform = { forecast: v }), "p"),
                    )
                  : nothing}
            ${lengthField("Window", column.window, set("window"), { placeholder: "as the panel" })}
            ${selectField(
              "Instance",
              typeof column.metric.instance === "string" && column.metric.instance !== "aggregate"
                ? column.metric.instance
                : "",
              INSTANCES,
              (value) => edit((c) => assign(c.metric, "instance", value)),
            )}`
          : nothing}
        ${numberField("Decimals", column.decimals, set("decimals"), { min: 0, max: 6, step: 1 })}
        ${selectField(
          "Total",
          column.total,
          [
            ["", "none"],
            ["sum", "sum"],
            ["avg", "mean"],
            ["min", "least"],
            ["max", "highest"],
          ],
          set("total"),
        )}
      </div>
      <div class="row wrap">
        ${checkField("Line of the window", column.sparkline, set("sparkline"))}
        ${checkField("Place among peers", column.peers, set("peers"))}
        ${checkField("Hidden", column.hidden, set("hidden"))}
      </div>
      ${this.#bounds(column, edit)}
      <span class="unseen">${at}</span>
    </div>`;
  }

  /** `panel` as it is, `set(change, of)` changes it; the rest is as of the fields of the rule. */
  view({ panel, set, kind, rule, question }) {
    const columns = panel.columns ?? [];
    const open = Math.min(this.#open, columns.length - 1);
    const edit =
      (at) =>
      (make, of = null) =>
        set((p) => make(p.columns[at], p), of === null ? null : `columns.${at}.${of}`);
    const turn = (at, by) =>
      set((p) => {
        const [one] = p.columns.splice(at, 1);
        p.columns.splice(at + by, 0, one);
        this.#open = at + by;
      });
    return html`<fieldset class="ed-part">
      <legend>Columns <span class="m">figures, texts and lines</span></legend>
      <ul class="columns-list">
        ${columns.map(
          (c, at) =>
            html`<li>
              <div class="row">
                <button
                  class="column-name"
                  aria-expanded=${at === open}
                  @click=${() => {
                    this.#open = at === open ? -1 : at;
                    redraw();
                  }}
                >
                  ${icon(at === open ? "caret" : "right", 12)}<span class="cut" title=${c.title ?? sourceWords(c)}
                    >${c.title ?? sourceWords(c)}</span
                  ><span class="m s12 nw">${transformWords(c.transform)}</span>
                </button>
                <button class="icon" aria-label="Further up" ?disabled=${at === 0} @click=${() => turn(at, -1)}>
                  ${icon("up", 12)}
                </button>
                <button
                  class="icon"
                  aria-label="Further down"
                  ?disabled=${at === columns.length - 1}
                  @click=${() => turn(at, 1)}
                >
                  ${icon("down", 12)}
                </button>
                <button class="icon" aria-label="Remove the column" @click=${() => set((p) => p.columns.splice(at, 1))}>
                  ${icon("close", 12)}
                </button>
              </div>
              ${at === open ? this.#fields(c, at, edit(at), { type: panel.type, kind, rule, question }) : nothing}
            </li>`,
        )}
      </ul>
      ${this.#add.view({
        label: "Add a column",
        kind,
        rule,
        question,
        id: "add-column",
        placeholder: "Add a column: type a metric or property",
        take: (hit) =>
          set((p) => {
            p.columns ??= [];
            const name = freeColumn(p.columns, hit.key.split("|").at(-1));
            p.columns.push({ name, ...sourceOf(hit) });
            this.#open = p.columns.length - 1;
          }),
      })}
      <p class="s12 links-of">
        ${[
          ["name", { attribute: "name" }],
          ["health", { attribute: "health" }],
          ["open alerts", { attribute: "alerts" }],
          ["expression", { expression: "" }],
        ].map(
          ([words, of]) =>
            html`<button
                class="link"
                @click=${() =>
                  set((p) => {
                    p.columns ??= [];
                    p.columns.push({
                      name: freeColumn(p.columns, String(words).replace(/ .*/, "")),
                      .../** @type {object} */ (of),
                    });
                    this.#open = p.columns.length - 1;
                  })}
              >
                ${words}</button
              >${" "}`,
        )}
      </p>
    </fieldset>`;
  }
}
