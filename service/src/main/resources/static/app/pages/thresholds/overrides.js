// Overrides of a threshold: other limits for some of its objects, or that these are not judged.
import { html, nothing } from "../../core/html.js";
import { icon } from "../../parts/shapes.js";
import { ScopeFields } from "../shared/scope-fields.js";
import { numberOf } from "./rule.js";
import { byRank, levelText, SENSITIVITIES } from "./words.js";

export class Overrides {
  #scopes = [];

  constructor(draft) {
    this.draft = draft;
  }

  get #all() {
    return this.draft.value("overrides") ?? [];
  }

  #set(all) {
    this.draft.set("overrides", all);
  }

  #put(i, override) {
    this.#set(this.#all.with(i, override));
  }

  /** `unit` is that of the metric, as a text. */
  view(unit) {
    const all = this.#all;
    return html`<section class="pane" aria-label="Overrides">
      <div class="ph">
        <h2>Overrides</h2>
        <span class="m cut">other limits for some objects; the last that matches decides</span>
        <span class="sp"></span>
        ${this.draft.allowed ? html`<button class="link" @click=${() => this.#add()}>Add</button>` : nothing}
      </div>
      ${all.length
        ? html`<ol class="rules">
            ${all.map((override, i) => this.#one(override, i, unit))}
          </ol>`
        : html`<div class="empty s12">The same limits hold for every object in scope.</div>`}${this.draft.said(
        "overrides",
      )}
    </section>`;
  }

  #add() {
    const name = `Override ${this.#all.length + 1}`;
    this.#set([...this.#all, { name, scope: { tags: [] }, levels: this.draft.value("condition").levels }]);
  }

  #one(o, i, unit) {
    const off = !this.draft.allowed;
    this.#scopes[i] ??= new ScopeFields({ label: `Override ${i + 1}` });
    return html`<li class="override">
      ${this.#head(o, i, off)}
      <div class="row wrap inset">
        ${this.#scopes[i].view({
          scope: o.scope ?? {},
          set: (scope) => this.#put(i, { ...o, scope }),
          kind: this.draft.value("objectKind"),
          off,
        })}
      </div>
      ${o.enabled === false ? nothing : this.#levels(o, i, off, unit)}
    </li>`;
  }

  #head(o, i, off) {
    const levels = this.draft.value("condition").levels;
    const choose = ({ target }) =>
      this.#put(i, { name: o.name, scope: o.scope, ...(target.value === "off" ? { enabled: false } : { levels }) });
    return html`<div class="row">
      <span class="m">${i + 1}</span>
      <input
        class="field low"
        aria-label=${`Name of override ${i + 1}`}
        placeholder="Name"
        .value=${o.name ?? ""}
        ?disabled=${off}
        @input=${(e) => this.#put(i, { ...o, name: e.target.value })}
      />
      <select class="field low slim" aria-label=${`What override ${i + 1} does`} ?disabled=${off} @change=${choose}>
        <option value="on" ?selected=${o.enabled !== false}>other limits</option>
        <option value="off" ?selected=${o.enabled === false}>not judged</option>
      </select>
      <span class="sp"></span>
      ${off ? nothing : this.#buttons(o, i)}
    </div>`;
  }

  #buttons(o, i) {
    const others = this.#all.toSpliced(i, 1);
    const button = (picture, words, off, all) =>
      html`<button
        class="icon"
        aria-label=${words.replace("#", `override ${i + 1}`)}
        ?disabled=${off}
        @click=${() => this.#set(all())}
      >
        ${icon(picture, 12)}
      </button>`;
    return html`${button("up", "Move # up", i === 0, () => others.toSpliced(i - 1, 0, o))}
    ${button("down", "Move # down", i === others.length, () => others.toSpliced(i + 1, 0, o))}
    ${button("close", "Remove #", false, () => others)}`;
  }

  #levels(o, i, off, unit) {
    const condition = this.draft.value("condition");
    const levels = o.levels ?? condition.levels;
    const change = (severity, bound) =>
      this.#put(i, {
        ...o,
        levels: levels.map((l) => (l.severity === severity ? { ...l, bound, clear: undefined } : l)),
      });
    const type = (level) => (condition.type === "metric" ? level.bound?.type : null);
    return html`<div class="row wrap inset">
      ${byRank(levels).map((l) => {
        const set = (bound) => change(l.severity, bound);
        if (type(l) === "learned") return learnedLevel(l, { i, off, unit, set });
        if (type(l) === "number") return numberLevel(l, { off, unit, set });
        return html`<span class="s12 m">${l.severity} ${levelText(l, condition)}</span>`;
      })}
    </div>`;
  }
}

const numberLevel = ({ severity, bound }, { off, unit, set }) =>
  html`<label class="row s12"
    >${severity}<input
      class="field low num"
      inputmode="decimal"
      .value=${bound.value ?? ""}
      ?disabled=${off}
      @change=${(e) => set({ type: "number", value: numberOf(e.target.value) })}
    /><span class="m">${unit}</span></label
  >`;

function learnedLevel({ severity, bound }, { i, off, unit, set }) {
  const least = (e) => set({ ...bound, minimumDeviation: Math.max(0, numberOf(e.target.value) ?? 0) });
  const of = `${severity} of override ${i + 1}`;
  return html`<label class="row s12"
      >${severity}<span class="m">by</span
      ><input
        class="field low num"
        inputmode="decimal"
        aria-label=${`${of}: least deviation`}
        .value=${String(bound.minimumDeviation ?? 0)}
        ?disabled=${off}
        @change=${least}
      /><span class="m">${unit}</span></label
    ><select
      class="field low slim"
      aria-label=${`${of}: sensitivity`}
      ?disabled=${off}
      @change=${(e) => set({ ...bound, sensitivity: e.target.value })}
    >
      ${SENSITIVITIES.map(
        (s) => html`<option value=${s} ?selected=${s === (bound.sensitivity ?? "medium")}>${s}</option>`,
      )}
    </select>`;
}
