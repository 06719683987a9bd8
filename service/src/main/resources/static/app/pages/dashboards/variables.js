// The bar above the panels: a control for each variable, what is compared with, and as of when.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { Load } from "../../core/load.js";
import { metricName } from "../../core/metrics.js";
import { moment } from "../../core/time.js";
import { amend, param, place } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { icon } from "../../parts/shapes.js";
import { whenField } from "../../parts/when.js";
import { menuAt } from "../../panels/frame.js";
import { kindsWords, ruleWords } from "../../panels/words.js";
import { setters, valueParams, valuesOf } from "./address.js";
import { choicesOf, defaultOf, isId, namesOf } from "./choices.js";

const isObject = (v) => v.type === "object" || v.type === "objects";

export const COMPARED = [
  ["", "nothing"],
  ["before", "the window before"],
  ["1d", "a day earlier"],
  ["7d", "a week earlier"],
];

/** The words of a variable's control. */
export const variableTitle = (v) =>
  v.title ?? (v.type === "object" && v.kind ? kindsWords(v.kind, 1) : v.name.replace(/^./, (c) => c.toUpperCase()));

/** Places a popover below a control. */
function below(control) {
  const { left, bottom } = control.getBoundingClientRect();
  const style = document.documentElement.style;
  style.setProperty("--pick-left", `${Math.max(8, Math.min(left, innerWidth - 308))}px`);
  style.setProperty("--pick-top", `${Math.min(bottom + 2, Math.max(60, innerHeight - 380))}px`);
}

/** Values that stand in the address, as those of a dashboard that is read. */
const IN_ADDRESS = {
  read: (list) => valuesOf(place.query, list),
  write: (values) => amend(valueParams(values)),
};

export class Variables {
  #defaults = new Map();
  #names = new Load((ids, signal) => namesOf(ids, signal));
  #typed = "";
  #choices = new Load((variable, typed, others, _at, signal) => choicesOf(variable, typed, others, signal));
  #search = settled((...args) => (this.#choices.want(...args), redraw()), 120);
  #opened = 0;
  /** Names that were read on the way to a choice. */
  #seen = new Map();

  /**
   * `dashboard()` gives the definition of now, null while it is not there. `chosen` is where the values are that
   * somebody chose: `read(list)` gives them by name, `write(values)` changes them, null takes one away.
   */
  constructor(dashboard, chosen = IN_ADDRESS) {
    this.dashboard = dashboard;
    this.chosen = chosen;
  }

  get list() {
    return this.dashboard()?.variables ?? [];
  }

  /** Values by name: those that were chosen, else what a variable is by itself. */
  values() {
    const values = this.chosen.read(this.list);
    for (const { name } of this.list) {
      const usual = this.#defaults.get(name)?.data?.found;
      if (values[name] === undefined && usual) values[name] = usual.value;
    }
    return values;
  }

  /** Whether it is not known yet what a variable is by itself. */
  waits(name) {
    const variable = this.list.find((v) => v.name === name);
    if (!variable || variable.default === undefined || this.chosen.read([variable])[name] !== undefined) return false;
    const load = this.#defaults.get(name);
    return !load || (load.data === null && !load.error);
  }

  want() {
    const others = this.values();
    for (const variable of this.list) {
      if (variable.default === undefined) continue;
      if (!this.#defaults.has(variable.name))
        this.#defaults.set(
          variable.name,
          new Load(async (v, more, signal) => ({ found: await defaultOf(v, more, signal) })),
        );
      const { [variable.name]: _own, ...rest } = others;
      // Only what its objects are chosen by can make it another.
      const reads = JSON.stringify(variable.scope ?? {});
      const read = Object.fromEntries(Object.entries(rest).filter(([name]) => reads.includes(`$${name}`)));
      this.#defaults.get(variable.name).want(variable, read);
    }
    const ids = [...new Set(this.list.filter(isObject).flatMap((v) => others[v.name] ?? []))].filter(isId);
    if (ids.length) this.#names.want(ids.sort());
  }

  /** What the value of a variable is called. */
  words(variable) {
    const value = this.values()[variable.name];
    if (value === undefined) return variable.type === "slice" ? "all" : "choose";
    const called = (one) => {
      if (isObject(variable)) {
        const usual = this.#defaults.get(variable.name)?.data?.found;
        return this.#names.data?.get(one) ?? this.#seen.get(one) ?? (usual?.value === one ? usual.name : "\u2026");
      }
      if (variable.type === "metric") return metricName(String(one));
      if (variable.type === "time") return moment(Date.parse(String(one)));
      return String(one);
    };
    if (!Array.isArray(value)) return called(value);
    return value.length > 2 ? `${value.length} chosen` : value.map(called).join(", ");
  }

  set(values) {
    this.chosen.write(values);
  }

  /** Opens the control of a variable by its name. */
  open(name) {
    document.getElementById(`variable-${name}`)?.click();
  }

  #pick(variable, control) {
    below(control);
    this.#typed = "";
    this.#opened++;
    const { [variable.name]: _own, ...others } = this.values();
    const ask = () => this.#choices.want(variable, this.#typed.trim(), others, this.#opened);
    this.#choices.reset();
    const wordy = variable.type === "text" || variable.type === "number" || variable.type === "time";
    if (!wordy || variable.choices) ask();
    const take = (value) => {
      closeLayer();
      this.set({ [variable.name]: value });
    };
    const several = variable.type === "objects";
    const chosen = () => [this.values()[variable.name] ?? []].flat();
    const toggle = (value) => {
      const now = chosen();
      const next = now.includes(value) ? now.filter((v) => v !== value) : [...now, value];
      this.set({ [variable.name]: next.length ? next : null });
    };
    const option = (o) => {
      this.#seen.set(o.value, o.label);
      const on = chosen().map(String).includes(o.value);
      return html`<li>
        <button aria-pressed=${on} @click=${() => (several ? toggle(o.value) : take(o.value))}>
          ${several
            ? html`<span class="tick" aria-hidden="true">${on ? icon("check", 12) : nothing}</span>`
            : nothing}<span class="cut" title=${o.label}>${o.label}</span><span class="sp"></span
          ><span class="m s12 cut" title=${o.hint}>${o.hint}</span>
        </button>
      </li>`;
    };
    const field = () =>
      variable.type === "time"
        ? whenField({
            value: chosen()[0] ?? null,
            label: variableTitle(variable),
            change: (at) => take(new Date(at).toISOString().replace(".000Z", "Z")),
          })
        : html`<input
            class="field"
            autofocus
            type=${variable.type === "number" && !variable.choices ? "number" : "text"}
            step="any"
            autocomplete="off"
            aria-label=${variableTitle(variable)}
            placeholder=${wordy ? "A value" : "Type to search"}
            .value=${wordy && !variable.choices ? String(chosen()[0] ?? "") : this.#typed}
            @input=${(e) => {
              if (wordy && !variable.choices) return;
              this.#typed = e.target.value;
              this.#search(variable, this.#typed.trim(), others, this.#opened);
            }}
            @keydown=${(e) => {
              if (e.key !== "Enter") return;
              e.preventDefault();
              const only = wordy && !variable.choices ? e.target.value.trim() : this.#choices.data?.[0]?.value;
              if (only !== undefined) take(only);
            }}
          />`;
    const state = () => {
      const load = this.#choices;
      if (wordy && !variable.choices) return nothing;
      if (load.error && !load.loading) return html`<p class="pad m" role="alert">${load.error.message}</p>`;
      if (!load.data) return html`<p class="pad m">Reading</p>`;
      if (!load.data.length)
        return html`<p class="pad m">
          ${this.#typed
            ? "Nothing matches."
            : `None: ${ruleWords({ ...variable, select: { scope: variable.scope } })}.`}
        </p>`;
      return html`<ul class="menu">
        ${load.data.map(option)}
      </ul>`;
    };
    showLayer(
      "popover at-pick",
      () =>
        html`<div class="pad">${field()}</div>
          ${state()}
          <div class="row pad end">
            ${this.chosen.read([variable])[variable.name] !== undefined
              ? html`<button class="link" @click=${() => take(null)}>
                  ${variable.default === undefined ? "Choose none" : "Back to its default"}
                </button>`
              : nothing}<span class="sp"></span>${several
              ? html`<button class="ctl low" @click=${closeLayer}>Done</button>`
              : nothing}
          </div>`,
      { label: variableTitle(variable) },
    );
  }

  #control(variable, edit) {
    const { name, type } = variable;
    const drives = setters(this.dashboard(), name).length > 0;
    const value = this.values()[name];
    const words = this.words(variable);
    if (type === "slice")
      return html`<span class="ctl variable ${drives ? "driven" : ""}" id=${`variable-${name}`}
        ><span class="k">${edit ? `$${name}` : variableTitle(variable)}</span
        ><b class="cut" title=${words}>${words}</b>${value === undefined
          ? nothing
          : html`<button
              class="icon"
              aria-label=${`Drop ${variableTitle(variable)}`}
              @click=${() => this.set({ [name]: null })}
            >
              ${icon("close", 11)}
            </button>`}</span
      >`;
    return html`<button
      class="ctl variable ${drives ? "driven" : ""}"
      id=${`variable-${name}`}
      aria-haspopup="dialog"
      title=${drives ? "A panel sets it, too" : nothing}
      @click=${(e) => this.#pick(variable, e.currentTarget)}
    >
      <span class="k">${edit ? `$${name}` : variableTitle(variable)}</span
      ><b class="cut ${value === undefined ? "m" : ""}" title=${words}>${words}</b>${icon("caret", 12)}
    </button>`;
  }

  #asOf(control) {
    below(control);
    showLayer(
      "popover at-pick",
      () =>
        html`<div class="pad">
            <label class="lab"
              >Everything as it was
              at${whenField({
                value: param("asOf") || null,
                past: true,
                change: (at) => {
                  closeLayer();
                  amend({ asOf: new Date(at).toISOString().replace(".000Z", "Z") });
                },
              })}</label
            >
          </div>
          <ul class="menu">
            <li>
              <button aria-pressed=${!param("asOf")} @click=${() => (closeLayer(), amend({ asOf: null }))}>now</button>
            </li>
          </ul>`,
      { label: "As of" },
    );
  }

  /** Without `timed` nothing is compared, and all is of now. */
  view({
    edit = false,
    timed = !edit,
    end = /** @type {unknown} */ (nothing),
    more = /** @type {unknown} */ (nothing),
  } = {}) {
    const compared = COMPARED.find(([value]) => value === param("vs")) ?? COMPARED[0];
    const asOf = param("asOf");
    return html`<div class="variables" role="group" aria-label="Variables">
      ${this.list.map((v) => this.#control(v, edit))}${more}
      <span class="sp"></span>
      ${!timed
        ? nothing
        : html`<button
              class="ctl"
              aria-haspopup="menu"
              @click=${(e) =>
                menuAt(
                  e.currentTarget,
                  "Compare with",
                  COMPARED.map(([value, words]) => [words, () => amend({ vs: value })]),
                )}
            >
              <span class="k">Compare with</span><b>${compared[1]}</b>${icon("caret", 12)}</button
            ><button
              class="ctl ${asOf ? "on" : ""}"
              aria-haspopup="dialog"
              @click=${(e) => this.#asOf(e.currentTarget)}
            >
              <span class="k">As of</span><b>${asOf ? moment(Date.parse(asOf)) : "now"}</b>${icon("caret", 12)}
            </button>`}${end}
    </div>`;
  }
}
