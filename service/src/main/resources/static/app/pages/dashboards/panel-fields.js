// The pane of a panel: what it is, of which objects, what it shows of them, what a click sets and where it stands.
import { html, nothing } from "../../core/html.js";
import { hasColumns } from "../../panels/draw.js";
import { assign, checkField, lengthField, listField, numberField, selectField, textField } from "./fields.js";
import { ColumnFields } from "./column-fields.js";
import { readers } from "./address.js";
import { COLUMNS, TALLEST } from "./layout.js";
import { typePicker } from "./pictures.js";
import { firstKind, knownKinds, RuleFields, ruleOf } from "./rule-fields.js";

const PARTS = [
  ["", "nothing"],
  ["object", "the object"],
  ["group", "the group"],
  ["slice", "the slice"],
  ["time", "the time"],
  ["instance", "the instance"],
  ["metric", "the metric"],
];
const OF_OBJECT = ["properties", "alerts", "relations", "changes", "outliers", "impact", "capacity", "talkers"];

/** The index of a change's impact compares weeks: over days it has gaps, for single days have too few values. */
const IMPACT_WINDOW = "26w";

/** Makes a panel one of another type, with a window that suits it unless it has one. */
export function retyped(panel, type) {
  if (panel.type === "impact" && panel.window === IMPACT_WINDOW) delete panel.window;
  panel.type = type;
  if (type === "impact") panel.window ??= IMPACT_WINDOW;
}

export class PanelFields {
  #rules = new RuleFields();
  #columns = new ColumnFields();

  #type(panel, set) {
    const columns = (panel.columns ?? []).filter((c) => !c.hidden).map((c) => [c.name, c.title ?? c.name]);
    const member =
      (name, of = name) =>
      (value) =>
        set((p) => assign(p, name, value), of);
    const first = [["", "the first"], ...columns];
    switch (panel.type) {
      case "heatmap":
        return html`<div class="two">
            ${selectField("Colour by", panel.colourBy, first, member("colourBy"))}
            ${selectField("Size by", panel.size, [["", "all alike"], ...columns], member("size"))}
          </div>
          ${checkField("Slider through past moments", panel.slider, member("slider"))}`;
      case "distribution":
        return html`<div class="two">
          ${selectField(
            "Drawn as",
            panel.as,
            [
              ["", "bars"],
              ["donut", "donut"],
              ["histogram", "histogram"],
            ],
            member("as"),
          )}
          ${selectField("Of", panel.buckets?.of, [["", "choose"], ...columns], (of) =>
            set((p) => assign(p, "buckets", of ? { ...p.buckets, of } : undefined)),
          )}
          ${panel.buckets
            ? html`${selectField(
                "Parts",
                panel.buckets.by,
                [
                  ["", "by itself"],
                  ["values", "one for each value"],
                  ["equal", "equal widths"],
                  ["bounds", "between bounds"],
                ],
                (by) => set((p) => assign(p.buckets, "by", by)),
              )}
              ${panel.buckets.by === "bounds"
                ? listField(
                    "Bounds",
                    panel.buckets.bounds?.map(String),
                    (list) => {
                      const bounds = (list ?? []).map(Number).filter(Number.isFinite);
                      set((p) => assign(p.buckets, "bounds", bounds), "bounds");
                    },
                    { placeholder: "10, 50, 90" },
                  )
                : numberField(
                    "How many",
                    panel.buckets.count,
                    (n) => set((p) => assign(p.buckets, "count", n), "count"),
                    {
                      min: 1,
                      max: 100,
                      step: 1,
                    },
                  )}`
            : nothing}
        </div>`;
      case "chart":
        return html`<div class="two">
            ${lengthField("Forecast", panel.forecast, member("forecast"), { placeholder: "none" })}
          </div>
          ${checkField("What is usual behind it", panel.usual, member("usual"))}`;
      case "impact":
        return lengthField("Over", panel.window, member("window"), {
          placeholder: "as the page",
          hint: "from 27 d on, the index compares weeks",
        });
      case "text":
        return html`<label class="lab"
          >Text <span class="m">Markdown; $name puts in a variable</span>
          <textarea
            class="field markdown"
            rows="10"
            .value=${panel.markdown ?? ""}
            @input=${(e) => member("markdown")(e.target.value || undefined)}
          ></textarea>
        </label>`;
      case "properties":
        return listField("Properties", panel.properties, member("properties"), {
          placeholder: "all, or cpu|numCpu, config|*",
        });
      case "alerts":
        return selectField(
          "At least",
          panel.severity,
          [
            ["", "any severity"],
            ["info", "information"],
            ["warning", "warning"],
            ["immediate", "immediate"],
            ["critical", "critical"],
          ],
          member("severity"),
        );
      case "relations":
        return html`<div class="two">
          ${numberField("Steps up", panel.up, member("up"), { min: 0, max: 10, step: 1 })}
          ${numberField("Steps down", panel.down, member("down"), { min: 0, max: 10, step: 1 })}
        </div>`;
      case "talkers":
        return selectField(
          "By",
          panel.by,
          [
            ["", "sender"],
            ["receiver", "receiver"],
            ["pair", "pair"],
            ["service", "service"],
            ["network", "network"],
            ["object", "object"],
          ],
          member("by"),
        );
      default:
        return nothing;
    }
  }

  #question(panel, set) {
    const columns = (panel.columns ?? []).map((c) => [c.name, c.title ?? c.name]);
    const [sort] = panel.sort ?? [];
    const group = panel.groupBy?.ancestor ?? (panel.groupBy?.column ? `column ${panel.groupBy.column}` : "");
    return html`<div class="two">
      ${lengthField("Over", panel.window, (v) => set((p) => assign(p, "window", v), "window"), {
        placeholder: "as the page",
      })}
      ${numberField("At most", panel.limit, (v) => set((p) => assign(p, "limit", v), "limit"), {
        min: 1,
        max: 10_000,
        step: 1,
        hint: "rows",
      })}
      ${selectField("Order", sort?.column, [["", "by itself"], ...columns], (column) =>
        set((p) => assign(p, "sort", column ? [{ column, order: sort?.order ?? "desc" }] : undefined)),
      )}
      ${sort
        ? selectField(
            "Begins with",
            sort.order ?? "asc",
            [
              ["desc", "the largest"],
              ["asc", "the least"],
            ],
            (order) => set((p) => (p.sort[0].order = order)),
          )
        : nothing}
      ${selectField(
        "Groups",
        group,
        [
          ["", "none"],
          ...knownKinds().map(([kind, words]) => [
            kind,
            `by ${words.replace(/ \(.*/, "").toLowerCase().replace("vms", "VMs")} above`,
          ]),
          ...columns.map(([name, words]) => [`column ${name}`, `by ${words}`]),
        ],
        (value) =>
          set((p) =>
            assign(
              p,
              "groupBy",
              !value ? undefined : value.startsWith("column ") ? { column: value.slice(7) } : { ancestor: value },
            ),
          ),
      )}
    </div>`;
  }

  #sets(panel, dashboard, set) {
    const variables = dashboard.variables ?? [];
    if (!variables.length) return nothing;
    return html`<fieldset class="ed-part">
      <legend>A click sets</legend>
      <div class="two">
        ${variables.map((v) => {
          const read = readers(dashboard, v.name).length;
          return selectField(
            `$${v.name}`,
            panel.sets?.[v.name],
            PARTS,
            (value) =>
              set((p) => {
                const sets = { ...p.sets };
                assign(sets, v.name, value);
                assign(p, "sets", Object.keys(sets).length ? sets : undefined);
              }),
            { hint: read ? `read by ${read}` : "read by none" },
          );
        })}
      </div>
    </fieldset>`;
  }

  #place(item, move) {
    const side = (name, words, least, most) =>
      html`<label class="of-side"
        >${words}<input
          class="field"
          type="number"
          min=${least}
          max=${most}
          aria-label=${{ x: "Column", y: "Row", w: "Width", h: "Height" }[name]}
          .value=${String(item[name])}
          @change=${(e) =>
            e.target.validity.valid && e.target.value && move(name, Number(e.target.value) - item[name])}
      /></label>`;
    return html`<fieldset class="ed-part">
      <legend>On the grid</legend>
      <div class="row">
        ${side("x", "x", 1, COLUMNS + 1 - item.w)} ${side("y", "y", 1, 1000)} ${side("w", "w", 1, COLUMNS + 1 - item.x)}
        ${side("h", "h", 1, TALLEST)}
      </div>
    </fieldset>`;
  }

  /**
   * `panel` and its `item` on the grid, `set(change, of)` changes the panel, `move(side, by)` its place, `question(panel)`
   * is what is asked for one, `retype(type)` makes it one of another type.
   */
  view({ panel, item, dashboard, set, move, question, retype }) {
    const variables = dashboard.variables ?? [];
    const asks = hasColumns(panel.type);
    return html`<div class="ed-part">
        ${textField("Title", panel.title, (v) => set((p) => assign(p, "title", v), "title"), { id: "panel-title" })}
        ${typePicker(panel.type, retype)}
        ${textField("Note", panel.note, (v) => set((p) => assign(p, "note", v), "note"), {
          placeholder: "what is measured, what a click does",
        })}
      </div>
      ${panel.view
        ? html`<p class="ed-part m s12">
            Shows the view <b>${panel.view.name ?? panel.view}</b>; what is said here holds instead of what the view
            says.
          </p>`
        : nothing}
      ${asks || OF_OBJECT.includes(panel.type)
        ? this.#rules.view({ panel, set, variables, question, columns: panel.columns ?? [] })
        : nothing}
      ${asks ? this.#columns.view({ panel, set, kind: firstKind(panel), rule: ruleOf(panel), question }) : nothing}
      <fieldset class="ed-part">
        <legend>${asks ? "Shown" : "Content"}</legend>
        ${this.#type(panel, set)}${asks ? this.#question(panel, set) : nothing}
      </fieldset>
      ${this.#sets(panel, dashboard, set)} ${this.#place(item, move)}`;
  }
}
