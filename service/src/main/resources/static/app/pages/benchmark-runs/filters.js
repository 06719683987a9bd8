// The filters above the curve: what was tested, which series, what varies in it, at which latency it is read, over how
// many nodes. All of them are in the address.
import { html, nothing } from "../../core/html.js";
import { count, plural } from "../../core/format.js";
import { amend, param } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { parameterName, toolWords } from "./words.js";

/** What the address calls all runs, whatever they tested. */
export const ALL = "all";

const select = (label, value, options, choose) =>
  html`<label class="run-filter"
    ><span class="m">${label}</span
    ><select class="field low" aria-label=${label} @change=${(e) => choose(e.target.value)}>
      ${options.map(([id, words]) => html`<option value=${id} ?selected=${id === value}>${words}</option>`)}
    </select></label
  >`;

/** How the load is spread, and what it could be at most. */
function showParts(nodes) {
  const field = (words, name, value, attributes) =>
    html`<label class="lab"
      >${words}<input
        class="field"
        name=${name}
        type="number"
        min=${attributes.min}
        max=${attributes.max}
        step=${attributes.step}
        .value=${String(value ?? "")}
    /></label>`;
  showLayer(
    "dialog",
    () =>
      html`<form
        class="form-lines parts-form"
        @submit=${(e) => {
          e.preventDefault();
          const form = new FormData(e.target);
          const text = (name) => String(form.get(name) ?? "").trim() || null;
          closeLayer();
          amend(
            { nodes: text("nodes"), each: text("each"), parts: text("parts"), part: text("part") },
            { replace: true },
          );
        }}
      >
        <h2 class="title">Nodes and maximum</h2>
        ${field("Nodes over which the load is spread", "nodes", nodes, { min: 1, max: 10_000, step: 1 })}
        <p class="i2">The theoretical maximum is what one part carries by its data sheet, times how many there are.</p>
        <div class="row wrap">
          ${field("IOPS of one part", "each", param("each"), { min: 0, max: 1e12, step: "any" })}
          ${field("How many", "parts", param("parts"), { min: 1, max: 100_000, step: 1 })}
          <label class="lab"
            >Parts<input class="field" name="part" maxlength="40" placeholder="drives" .value=${param("part")}
          /></label>
        </div>
        <div class="row">
          <span class="sp"></span><button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary">Show</button>
        </div>
      </form>`,
    { label: "Nodes and maximum" },
  );
}

/** "7 runs that differ in outstanding IO only, found by itself; fio 3.36". */
function foundWords({ curve, ids, members }) {
  const tools = [...new Set(members.map(toolWords))];
  return `${plural(ids.length, "run")} that differ in ${parameterName(curve.parameter)} only, found by itself; ${tools.join(", ")}`;
}

/**
 * `curves` are all as `namedCurves` gives them, `chosen` is the one that is shown, null = none; `limit` in milliseconds
 * is that of the address or a proposed one.
 */
export function runFilters({ objects, tested, ofImport, curves, chosen, limit, nodes, theoretical }) {
  const series = [...new Set(curves.map((c) => c.label))];
  const varies = curves.filter((c) => c.label === chosen?.label);
  return html`<div class="run-filters">
    ${select(
      "Tested",
      tested,
      [...(ofImport ? [["", "one import"]] : []), ...objects.map((o) => [o.id, o.name]), [ALL, "everything"]],
      (id) => amend({ tested: id || null, import: null, series: null, varies: null, a: null, b: null, row: null }),
    )}
    ${chosen
      ? html`${select(
            "Series",
            chosen.label,
            series.map((name) => [name, name]),
            (name) => amend({ series: name, varies: null }),
          )}
          ${select(
            "Varies",
            chosen.curve.parameter,
            varies.map((c) => [c.curve.parameter, parameterName(c.curve.parameter)]),
            (id) => amend({ series: chosen.label, varies: id }),
          )}
          <label
            class="run-filter"
            title=${param("limit") ? nothing : "About the middle of what was measured; choose your own"}
            ><span class="m">Limit</span
            ><input
              class="field low limit-field"
              type="number"
              min="0.000001"
              max="1000000"
              step="any"
              aria-label="Limit of the latency in milliseconds"
              .value=${limit === null ? "" : String(limit)}
              @change=${(e) => amend({ limit: Number(e.target.value) > 0 ? e.target.value : null }, { replace: true })}
            /><span class="m">ms</span></label
          >
          <button class="ctl low" aria-haspopup="dialog" @click=${() => showParts(nodes)}>
            ${nodes ? plural(nodes, "node") : "Nodes"}${theoretical
              ? `, ${count(theoretical.count)} ${theoretical.part}`
              : " and maximum"}
          </button>`
      : nothing}
    <span class="sp"></span>
    <span class="m s12">${chosen ? foundWords(chosen) : nothing}</span>
  </div>`;
}
