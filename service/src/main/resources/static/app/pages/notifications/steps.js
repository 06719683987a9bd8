// The pane of steps: sentences in their order; the selected one opens its fields.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { ZONES } from "../../core/zone.js";
import { Suggest } from "../../parts/suggest.js";
import { fitting, pathItems } from "../../template/context-names.js";
import { kindOf, KINDS, newStep, optionsOf, parted, roughWords, stepOf } from "../../template/steps.js";
import { grip } from "./rules.js";
import { EVENTS, listOf } from "./words.js";

const tables = new Load((_opened, signal) => get("/lookups", {}, signal));

const valueText = (v) => (v === undefined || v === null ? "" : typeof v === "string" ? v : JSON.stringify(v));
const number = (text) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text.trim() || undefined);

/** What was typed for a value: a text, but what is a list, an object, or was no text before is read as JSON. */
export function valueOf(text, before) {
  if (text === "") return undefined;
  if (/^\s*[[{]/.test(text) || (before !== undefined && before !== null && typeof before !== "string")) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

const mapText = (map) =>
  Object.entries(map ?? {})
    .map(([k, v]) => `${k} = ${valueText(v)}`)
    .join("\n");
const mapOf = (text) =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => /^\s*(.+?)\s*=\s*(.*?)\s*$/.exec(line))
      .filter(Boolean)
      .map(([, k, v]) => [k, v]),
  );

export class StepsPane {
  #suggests = new Map();
  #dragged = null;
  #over = null;
  #adding = false;
  selected = null;

  /**
   * `steps()` gives the steps, `results()` what the service says of each (or null), `set(index, step)`, `add(index,
   * step)`, `remove(index)` and `move(from, to)` change them; `context()` is what a template sees, `off()` whether
   * nothing may be changed, `wrong(index)` what the last answer said against a step.
   */
  constructor({ steps, results, set, add, remove, move, context, off, wrong }) {
    this.steps = steps;
    this.results = results;
    this.set = set;
    this.add = add;
    this.remove = remove;
    this.move = move;
    this.context = context;
    this.off = off;
    this.wrong = wrong;
  }

  choose(index) {
    this.selected = index;
    redraw();
  }

  step(by) {
    const n = this.steps().length;
    if (n) this.choose(this.selected === null ? 0 : Math.max(0, Math.min(n - 1, this.selected + by)));
  }

  #move(from, to) {
    const n = this.steps().length;
    const at = Math.max(0, Math.min(n - 1, to));
    if (this.off() || at === from || from < 0) return;
    this.selected = at;
    this.move(from, at);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector(`.step[data-index="${at}"] .drag`)?.focus()),
    );
  }

  /** Opens or closes the list of kinds. */
  toggleAdd(open = !this.#adding) {
    if (this.off()) return;
    this.#adding = open;
    redraw();
    if (open)
      requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector(".step-kinds button")?.focus()));
  }

  #add(kind) {
    const at = this.selected === null ? this.steps().length : this.selected + 1;
    this.#adding = false;
    this.selected = at;
    if (kind === "lookup") tables.want(0);
    this.add(at, newStep(kind));
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector(`.step[data-index="${at}"] .step-fields input`)?.focus()),
    );
  }

  #suggest(key, read) {
    if (!this.#suggests.has(key)) this.#suggests.set(key, new Suggest(read));
    return this.#suggests.get(key);
  }

  #kinds() {
    const keys = (e) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (e.key === "Escape") {
        e.preventDefault();
        e.stopPropagation();
        this.toggleAdd(false);
      } else if (by) {
        e.preventDefault();
        e.stopPropagation();
        const all = [...e.currentTarget.querySelectorAll("button")];
        all[(all.indexOf(document.activeElement) + by + all.length) % all.length].focus();
      }
    };
    return html`<ul class="menu step-kinds" aria-label="Kinds of steps" @keydown=${keys}>
      ${Object.entries(KINDS).map(
        ([kind, k]) =>
          html`<li>
            <button @click=${() => this.#add(kind)}><b>${k.verb}</b><span class="m cut">${k.does}</span></button>
          </li>`,
      )}
    </ul>`;
  }

  #field(kind, body, [name, label, type, hint], put) {
    const off = this.off();
    const value = name ? body?.[name] : body;
    const set = (v) =>
      put(name ? { ...(typeof body === "object" && body && !Array.isArray(body) ? body : {}), [name]: v } : v);
    const aria = `${KINDS[kind].verb}: ${label}`;
    const input = (text, read, /** @type {{mono?: boolean, more?: unknown}} */ { mono = true, more = nothing } = {}) =>
      html`<input
        class="field low ${mono ? "mono" : ""}"
        aria-label=${aria}
        placeholder=${hint}
        autocomplete="off"
        spellcheck="false"
        list=${more}
        .value=${text}
        ?disabled=${off}
        @change=${(e) => set(read(e.target.value))}
      />`;
    const area = (text, read, rows) =>
      html`<textarea
        class="field low tall mono"
        rows=${rows}
        aria-label=${aria}
        placeholder=${hint}
        spellcheck="false"
        .value=${text}
        ?disabled=${off}
        @change=${(e) => set(read(e.target.value))}
      ></textarea>`;
    const field = () => {
      switch (type) {
        case "path":
          return this.#suggest(`${kind}.${name}`, async (typed) =>
            fitting(pathItems(this.context()), typed)
              .slice(0, 14)
              .map((i) => ({ value: i.insert, label: i.label, hint: i.end })),
          ).view({
            value: value ?? "",
            choose: (v) => set(v || undefined),
            label: aria,
            placeholder: hint,
            off,
            cls: "mono",
          });
        case "table":
          tables.want(0);
          return this.#suggest(`${kind}.${name}`, async (typed) =>
            (tables.data?.items ?? [])
              .filter((t) => t.name.includes(typed))
              .map((t) => ({ value: t.name, label: t.name, hint: t.columns.join(", ") })),
          ).view({
            value: value ?? "",
            choose: (v) => set(v || undefined),
            label: aria,
            placeholder: hint,
            off,
            cls: "mono",
          });
        case "paths":
          return input(Array.isArray(value) ? value.join(", ") : (value ?? ""), listOf);
        case "patterns":
          return area(
            (value ?? []).join("\n"),
            (t) => t.split("\n").filter((p) => p.trim()),
            Math.min(4, Math.max(1, (value ?? []).length)),
          );
        case "map":
          return area(mapText(value), mapOf, Math.min(6, Math.max(2, Object.keys(value ?? {}).length)));
        case "value":
          return area(
            valueText(value),
            (t) => valueOf(t, value),
            Math.min(5, valueText(value).split("\n").length + (valueText(value).length > 44 ? 1 : 0)),
          );
        case "number":
          return input(value ?? "", number);
        case "flag":
          return html`<input
            type="checkbox"
            aria-label=${aria}
            .checked=${value ?? hint}
            ?disabled=${off}
            @change=${(e) => set(e.target.checked === hint ? undefined : e.target.checked)}
          />`;
        case "zone":
          return html`${input(value ?? "", (t) => t.trim() || undefined, { more: "step-zones" })}<datalist
              id="step-zones"
            >
              ${ZONES.map((z) => html`<option value=${z}></option>`)}
            </datalist>`;
        case "cel":
          return area(value ?? "", (t) => t.trim() || undefined, 2);
        default:
          return input(value ?? "", (t) => (t === "" && name !== "with" && name ? undefined : t));
      }
    };
    return html`<label class="step-field"><span class="m">${label}</span>${field()}</label>`;
  }

  #fields(step, index) {
    const kind = kindOf(step);
    const options = optionsOf(step);
    const off = this.off();
    if (!KINDS[kind])
      return html`<p class="crit s12 pad">
        ${kind ? `There is no step ${kind}` : "This is no step"}. Mend it in YAML.
      </p>`;
    const put = (body, more = options) => this.set(index, stepOf(kind, body, more));
    const option = (name, v) => put(step[kind], { ...options, [name]: v });
    const on = [options.on ?? []].flat();
    const toggle = (event) =>
      option(
        "on",
        on.includes(event)
          ? on.filter((e) => e !== event)
          : EVENTS.map(([e]) => e).filter((e) => e === event || on.includes(e)),
      );
    const hasDefault = KINDS[kind].fields.some(([name]) => name === "default");
    return html`<div class="step-fields">
      ${KINDS[kind].fields.map((f) => this.#field(kind, step[kind], f, put))}
      <label class="step-field"
        ><span class="m">When</span
        ><input
          class="field low mono"
          aria-label="Only when"
          placeholder='always, or object.tags.tier == "1"'
          autocomplete="off"
          spellcheck="false"
          .value=${options.when ?? ""}
          ?disabled=${off}
          @change=${(e) => option("when", e.target.value.trim() || undefined)}
      /></label>
      <div class="step-field">
        <span class="m">On</span>
        <span class="row" role="group" aria-label="On these events"
          >${EVENTS.map(
            ([e, word]) =>
              html`<label class="check s12"
                ><input
                  type="checkbox"
                  .checked=${!on.length || on.includes(e)}
                  ?disabled=${off}
                  @change=${() =>
                    on.length
                      ? toggle(e)
                      : option(
                          "on",
                          EVENTS.map(([x]) => x).filter((x) => x !== e),
                        )}
                />${word}</label
              >`,
          )}</span
        >
      </div>
      <div class="step-field">
        <span class="m">If it fails</span>
        <select
          class="field low"
          aria-label="If it fails"
          ?disabled=${off}
          @change=${(e) => option("onError", e.target.value || undefined)}
        >
          ${[
            ["", "as usual"],
            ["skip", "go on without it"],
            ["default", "take the default"],
            ["fail", "send nothing"],
          ]
            .filter(([v]) => v !== "default" || hasDefault)
            .map(([v, word]) => html`<option value=${v} ?selected=${(options.onError ?? "") === v}>${word}</option>`)}
        </select>
      </div>
      ${off
        ? nothing
        : html`<div class="row">
            <label class="check s12"
              ><input
                type="checkbox"
                .checked=${options.enabled !== false}
                @change=${(e) => option("enabled", e.target.checked ? undefined : false)}
              />On</label
            >
            <span class="sp"></span>
            <button
              class="link s12"
              @click=${() => {
                this.selected = index + 1;
                this.add(index + 1, structuredClone(step));
              }}
            >
              Duplicate
            </button>
            <button
              class="link s12"
              @click=${() => {
                this.selected = null;
                this.remove(index);
              }}
            >
              Remove
            </button>
          </div>`}
    </div>`;
  }

  #step(step, index) {
    const result = this.results()?.[index] ?? null;
    const said = result ? parted(result.words) : roughWords(step);
    const chosen = this.selected === index;
    const options = optionsOf(step);
    const wrong = this.wrong(index);
    const idle = result && (result.seen === false || (result.effect !== "changed" && result.effect !== "failed"));
    const effect = !result
      ? nothing
      : result.effect === "failed"
        ? html`<div class="crit s12">failed: ${result.error}</div>`
        : result.effect === "skipped"
          ? html`<div class="m s12">skipped: ${result.error}</div>`
          : result.effect === "none"
            ? html`<div class="m s12">no effect here</div>`
            : result.seen === false
              ? html`<div class="warn s12">
                  not shown by this message: nothing in the output reads ${result.changes[0]?.path}
                </div>`
              : result.error
                ? html`<div class="warn s12">${result.error}</div>`
                : nothing;
    const keys = (e) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
      if (by && e.altKey) {
        e.preventDefault();
        e.stopPropagation();
        this.#move(index, index + by);
      } else if (e.key === "Delete" && !this.off() && e.target.matches(".drag, .step-say")) {
        e.preventDefault();
        this.selected = null;
        this.remove(index);
      }
    };
    return html`<li
      class="step ${chosen ? "on" : ""} ${idle ? "idle" : ""} ${this.#over === index ? "drop-before" : ""}"
      data-index=${index}
      @keydown=${keys}
      @dragover=${(e) => {
        if (this.#dragged === null) return;
        e.preventDefault();
        if (this.#over !== index) {
          this.#over = index;
          redraw();
        }
      }}
      @drop=${(e) => {
        e.preventDefault();
        const from = this.#dragged;
        this.#dragged = this.#over = null;
        if (from !== null) this.#move(from, index);
      }}
    >
      <button
        class="drag"
        draggable=${this.off() ? "false" : "true"}
        ?disabled=${this.off()}
        aria-label=${`Step ${index + 1}; Alt with arrow keys moves it`}
        title="Drag, or Alt with arrow keys"
        @dragstart=${(e) => {
          this.#dragged = index;
          e.dataTransfer.effectAllowed = "move";
          e.dataTransfer.setData("text/plain", String(index));
        }}
        @dragend=${() => {
          this.#dragged = this.#over = null;
          redraw();
        }}
      >
        ${grip()}
      </button>
      <span class="num m">${index + 1}</span>
      <div class="step-body">
        <button class="step-say" aria-expanded=${chosen} @click=${() => this.choose(chosen ? null : index)}>
          <b>${said[0]}</b> <span>${said[1]}</span>
        </button>
        ${options.when ? html`<div class="mono m when">when ${options.when}</div>` : nothing}${options.on?.length
          ? html`<div class="m s12">
              on
              ${[options.on]
                .flat()
                .map((e) => EVENTS.find(([x]) => x === e)?.[1] ?? e)
                .join(", ")}
            </div>`
          : nothing}${effect}${wrong ? html`<div class="crit s12" role="alert">${wrong}</div>` : nothing}
      </div>
      <span class="m s12">${options.enabled === false ? "Off" : chosen ? "On" : ""}</span>
      ${chosen ? this.#fields(step, index) : nothing}
    </li>`;
  }

  view() {
    const steps = this.steps();
    return html`<section class="pane steps-pane" aria-label="Modify">
      <div class="ph">
        <h2>Modify</h2>
        <span class="m cut">${steps.length ? "in this order" : ""}</span>
        <span class="sp"></span>
        ${this.off()
          ? nothing
          : html`<button class="link" aria-expanded=${this.#adding} @click=${() => this.toggleAdd()}>
              Add step <kbd>+</kbd>
            </button>`}
      </div>
      <div class="scrolls">
        ${this.#adding ? this.#kinds() : nothing}
        ${steps.length
          ? html`<ol class="step-list">
              ${repeat(
                steps,
                (_s, i) => i,
                (s, i) => this.#step(s, i),
              )}
            </ol>`
          : html`<div class="empty">
              No step changes the alert: it is rendered as it
              is.${this.off()
                ? nothing
                : html` <button class="link" @click=${() => this.toggleAdd(true)}>Add one</button>`}
            </div>`}
      </div>
    </section>`;
  }
}
