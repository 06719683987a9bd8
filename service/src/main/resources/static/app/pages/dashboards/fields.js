// Fields of the editor's pane, each with its label.
import { html, nothing } from "../../core/html.js";

const labelled = (label, field, hint = /** @type {unknown} */ (nothing)) =>
  html`<label class="lab"
    >${label}${hint === nothing ? nothing : html` <span class="m">${hint}</span>`}${field}</label
  >`;

/**
 * @typedef {object} Hints
 * @property {unknown} [hint] beside the label
 * @property {string} [placeholder]
 * @property {string | symbol} [id]
 * @property {number | symbol} [min]
 * @property {number | symbol} [max]
 * @property {number | string} [step]
 */

/** A line of text; empty is nothing. */
export const textField = (
  label,
  value,
  set,
  /** @type {Hints} */ { hint = nothing, placeholder = "", id = nothing } = {},
) =>
  labelled(
    label,
    html`<input
      class="field"
      aria-label=${label}
      id=${id}
      autocomplete="off"
      spellcheck="false"
      placeholder=${placeholder}
      .value=${value ?? ""}
      @input=${(e) => set(e.target.value === "" ? undefined : e.target.value)}
    />`,
    hint,
  );

export const numberField = (
  label,
  value,
  set,
  /** @type {Hints} */ { hint = nothing, min = nothing, max = nothing, step = "any" } = {},
) =>
  labelled(
    label,
    html`<input
      class="field"
      aria-label=${label}
      type="number"
      min=${min}
      max=${max}
      step=${step}
      .value=${value ?? ""}
      @input=${(e) => {
        if (e.target.value === "") set(undefined);
        else if (e.target.validity.valid) set(Number(e.target.value));
      }}
    />`,
    hint,
  );

/** One of `options`, `[value, words]` each; the value "" is nothing. */
export const selectField = (label, value, options, set, /** @type {Hints} */ { hint = nothing } = {}) =>
  labelled(
    label,
    html`<select
      class="field"
      aria-label=${label}
      @change=${(e) => set(e.target.value === "" ? undefined : e.target.value)}
    >
      ${options.map(
        ([key, words]) => html`<option value=${key} ?selected=${String(key) === String(value ?? "")}>${words}</option>`,
      )}
    </select>`,
    hint,
  );

export const checkField = (label, value, set) =>
  html`<label class="check"
    ><input
      type="checkbox"
      .checked=${Boolean(value)}
      @change=${(e) => set(e.target.checked || undefined)}
    />${label}</label
  >`;

/** Texts with commas between. */
export const listField = (label, value, set, /** @type {Hints} */ options = {}) =>
  textField(
    label,
    (value ?? []).join(", "),
    (text) => {
      const items = (text ?? "")
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean);
      set(items.length ? items : undefined);
    },
    options,
  );

/** A length such as 24h, kept once it is one. */
export const lengthField = (label, value, set, /** @type {Hints} */ options = {}) =>
  labelled(
    label,
    html`<input
      class="field"
      aria-label=${label}
      autocomplete="off"
      spellcheck="false"
      pattern="[1-9][0-9]{0,5}[smhdw]"
      title="A number and s, m, h, d or w, such as 24h"
      placeholder=${options.placeholder ?? "24h"}
      .value=${value ?? ""}
      @input=${(e) => {
        if (e.target.value === "") set(undefined);
        else if (e.target.validity.valid) set(e.target.value);
      }}
    />`,
    options.hint ?? nothing,
  );

/** Puts a value in, or takes the member away when it is nothing. */
export function assign(of, member, value) {
  if (value === undefined || (Array.isArray(value) && !value.length)) delete of[member];
  else of[member] = value;
}
