// What a report shows: a dashboard or a view, the values of its variables, one part for each value of one of them, or a
// load profile that is computed each time; and the range of time.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { href } from "../../core/url.js";
import { failure } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { Suggest } from "../../parts/suggest.js";
import { whenField } from "../../parts/when.js";
import { choicesOf, MOST } from "../dashboards/choices.js";
import { Variables, variableTitle } from "../dashboards/variables.js";
import { canBeListed, matching, meant, readSources, variablesOf, WHATS } from "./sources.js";
import { lengthOk, partsWords, questionWords, timeWords } from "./words.js";

const SHOWN = 60;
/** So many parts a report has at most, where the server is not told otherwise. */
const PARTS = 50;

/** As text, as a report has them; several objects with commas between. */
const textsOf = (values) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : String(value)]),
  );

export class Showing {
  sources = new Load((signal) => readSources(signal));
  #definition = new Load((what, id, signal) => get(`/${what}s/${id}`, {}, signal));
  #values = new Load((variable, others, signal) => choicesOf(variable, "", others, signal));
  #ancestor = new Load((id, signal) => get(`/objects/${id}`, {}, signal));
  #pick;

  constructor(draft) {
    this.draft = draft;
    this.#pick = new Suggest(async (typed, signal) =>
      matching(this.sources.data ?? (await readSources(signal)), typed)
        .slice(0, SHOWN)
        .map((s) => ({
          value: `${s.what} ${s.id}`,
          label: s.name,
          hint: [s.what, s.folder].filter(Boolean).join(", "),
        })),
    );
    this.variables = new Variables(() => this.#chosen(), {
      read: (list) => this.#read(list),
      write: (values) => draft.set("variables", textsOf({ ...draft.value("variables"), ...values })),
    });
  }

  /** Which of both it shows; null while nothing is chosen. */
  get what() {
    return WHATS.find((what) => this.draft.value(what)) ?? null;
  }

  /** The question for a load profile, where it shows one. */
  get question() {
    return this.draft.value("loadProfile");
  }

  /** The question in words. */
  get questionWords() {
    return questionWords(this.question, this.#ancestor.data?.name);
  }

  /** What is chosen, as the list has it; undefined while it is not read, or gone. */
  get source() {
    const { what } = this;
    return what && this.sources.data?.find((s) => s.what === what && s.id === this.draft.value(what));
  }

  get #whole() {
    return this.what ? (this.#definition.data?.definition ?? null) : null;
  }

  /** The definition with those variables that have a control here. */
  #chosen() {
    const values = this.draft.value("variables") ?? {};
    const each = this.draft.value("each");
    const all = variablesOf(this.what, this.#whole);
    return { variables: all.filter((v) => v.name !== each && (v.type !== "slice" || values[v.name])), panels: {} };
  }

  #read(list) {
    const values = this.draft.value("variables") ?? {};
    return Object.fromEntries(
      list
        .filter((v) => values[v.name])
        .map((v) => [v.name, v.type === "objects" ? values[v.name].split(",").filter(Boolean) : values[v.name]]),
    );
  }

  want() {
    const { what, draft } = this;
    this.sources.want();
    if (this.question?.ancestor) this.#ancestor.want(this.question.ancestor);
    if (!what) return;
    const id = draft.value(what);
    if (this.#definition.of !== id) {
      this.#definition.reset();
      this.#definition.of = id;
    }
    this.#definition.want(what, id);
    if (!this.#whole) return;
    this.variables.want();
    const each = this.#each();
    if (each) this.#values.want(each, this.variables.values());
  }

  #each() {
    const name = this.draft.value("each");
    return name ? variablesOf(this.what, this.#whole).find((v) => v.name === name) : undefined;
  }

  /** The name of what is shown, for lists of changes. */
  nameOf(what, id) {
    return this.sources.data?.find((s) => s.what === what && s.id === id)?.name ?? "one that is gone";
  }

  #choose(value) {
    const { draft } = this;
    const all = this.sources.data ?? [];
    const to = all.find((s) => `${s.what} ${s.id}` === value) ?? meant(all, value);
    if (!to || draft.value(to.what) === to.id) return;
    if (!draft.value("name")) draft.set("name", to.name);
    for (const what of WHATS) draft.set(what, what === to.what ? to.id : null);
    draft.set("variables", {});
    draft.set("each", null);
  }

  #sourceField() {
    const { draft, what, source } = this;
    const gone = what && this.sources.data && !source;
    return html`<div class="lab">
      <span>Dashboard or view</span>
      <div class="row">
        ${this.#pick.view({
          value: what ? `${what} ${draft.value(what)}` : "",
          shown: source?.name ?? "",
          choose: (value) => this.#choose(value),
          label: "Dashboard or view",
          placeholder: "Type to search",
          off: !draft.allowed,
          cls: "source-field",
          invalid: Boolean(draft.wrong("dashboard") ?? draft.wrong("view")),
        })}${source?.what === "dashboard"
          ? html`<a
              class="acc s12"
              href=${href(`/dashboards/${source.id}`, {
                ...Object.fromEntries(
                  Object.entries(draft.value("variables") ?? {}).map(([name, v]) => [`v.${name}`, v]),
                ),
                range: draft.value("time")?.last ?? null,
              })}
              >open</a
            >`
          : nothing}<span class="m s12 cut">${source?.folder ?? ""}</span>
      </div>
      ${gone
        ? html`<span class="warn s12">What it showed is gone, or private to somebody else: choose another.</span>`
        : nothing}${draft.said("dashboard")}${draft.said("view")}
    </div>`;
  }

  /** How many parts there are now, or that there is none. */
  #partsLine() {
    const each = this.#each();
    const load = this.#values;
    if (!each) return nothing;
    if (load.error && !load.loading) return html`<span class="warn s12">${load.error.message}</span>`;
    if (!load.data) return html`<span class="m s12">Counting</span>`;
    const names = load.data.map((o) => o.label);
    if (!names.length) return html`<span class="warn s12">None now, so there is nothing to send.</span>`;
    return html`<span class="s12 i2">${partsWords(names, MOST)}</span>${names.length > PARTS
        ? html`<span class="warn s12">A report has ${PARTS} parts, unless the server is told to make more.</span>`
        : nothing}`;
  }

  #eachField() {
    const { draft } = this;
    const each = draft.value("each");
    const all = variablesOf(this.what, this.#whole).filter(canBeListed);
    if (this.what !== "dashboard" || (!all.length && !each)) return nothing;
    return html`<div class="lab">
      <label for="each">How many</label>
      <div class="row wrap">
        <select
          id="each"
          class="field inline"
          ?disabled=${!draft.allowed}
          @change=${(e) => draft.set("each", e.target.value || null)}
        >
          <option value="" ?selected=${!each}>One report</option>
          ${all.map(
            (v) => html`<option value=${v.name} ?selected=${v.name === each}>One for each ${inWords(v)}</option>`,
          )}${each && !all.some((v) => v.name === each)
            ? html`<option value=${each} selected>One for each ${each}, which is gone</option>`
            : nothing}</select
        >${this.#partsLine()}
      </div>
      ${draft.said("each")}
    </div>`;
  }

  #variableBar() {
    const { variables, draft } = this;
    const { list } = variables;
    if (!list.length) return nothing;
    const values = variables.values();
    const open = list.filter((v) => v.type !== "slice" && values[v.name] === undefined && !variables.waits(v.name));
    return html`<div class="lab" ?inert=${!draft.allowed}>
      <span>With</span>
      ${variables.view({ timed: false })}${open.length
        ? html`<span class="m s12"
            >Panels that read ${open.map((v) => inWords(v)).join(" or ")} stay empty until it is chosen.</span
          >`
        : nothing}${draft.said("variables")}
    </div>`;
  }

  #timeField() {
    const { draft } = this;
    const time = draft.value("time");
    const set = (next) => draft.set("time", next);
    const kind = !time ? "own" : time.last !== undefined ? "last" : "fixed";
    const own = this.question
      ? "The last 365 days"
      : this.what === "view"
        ? "The last 24 hours"
        : "As the dashboard has it";
    const choose = (to) => {
      if (to === kind) return;
      const ms = 86_400_000;
      if (to === "own") set(null);
      else if (to === "last") set({ last: "7d" });
      else set({ from: new Date(Date.now() - ms).toISOString(), to: new Date().toISOString() });
    };
    return html`<div class="lab" ?inert=${!draft.allowed}>
      <span>Of what time</span>
      <div class="row wrap">
        ${segments(
          kind,
          [
            ["own", own],
            ["last", "The last"],
            ["fixed", "From, to"],
          ],
          choose,
          "Of what time",
        )}
        ${kind === "last"
          ? html`<input
                class="field tiny"
                name="last"
                aria-label="How long"
                placeholder="7d"
                .value=${time.last}
                ?disabled=${!draft.allowed}
                aria-invalid=${lengthOk(time.last) ? "false" : "true"}
                @input=${(e) => set({ last: e.target.value.trim() })}
              /><span class="m s12">before it is due, such as 24h, 7d or 4w</span>`
          : kind === "fixed"
            ? html`<span class="row"
                  >${whenField({
                    value: time.from,
                    label: "From",
                    disabled: !draft.allowed,
                    change: (at) => set({ ...time, from: new Date(at).toISOString() }),
                  })}
                  to
                  ${whenField({
                    value: time.to,
                    label: "To",
                    disabled: !draft.allowed,
                    change: (at) => set({ ...time, to: new Date(at).toISOString() }),
                  })}</span
                ><span class="m s12">each run shows the same time</span>`
            : html`<span class="m s12"
                >${this.what === "dashboard" && this.#whole ? timeWords(this.#whole.time, "the last 24 h") : ""}</span
              >`}
      </div>
      ${draft.said("time")}
    </div>`;
  }

  #questionView() {
    return html`<section class="pane" aria-label="What it shows">
      <div class="ph">
        <h2>What it shows</h2>
        <span class="m cut">a load profile, computed each time</span>
      </div>
      <div class="form">
        <p>Load profile of <b>${this.questionWords}</b>${this.draft.said("loadProfile")}</p>
        ${this.#timeField()}
      </div>
    </section>`;
  }

  view() {
    const { draft, source } = this;
    if (this.question) return this.#questionView();
    return html`<section class="pane" aria-label="What it shows">
      <div class="ph">
        <h2>What it shows</h2>
        <span class="m cut"
          >${source ? `the ${source.what} ${source.name}, ${timeWords(draft.value("time"), "its own time")}` : ""}</span
        >
      </div>
      <div class="form">
        ${this.sources.error && !this.sources.data
          ? failure(this.sources.error, () => this.sources.again())
          : this.#sourceField()}
        ${this.#definition.error && !this.#definition.loading && source
          ? html`<p class="warn s12">${this.#definition.error.message}</p>`
          : nothing}
        ${this.#whole ? html`${this.#eachField()}${this.#variableBar()}` : nothing}${this.what
          ? this.#timeField()
          : nothing}
      </div>
    </section>`;
  }
}

/** A variable in the middle of a sentence. */
const inWords = (v) => {
  const title = variableTitle(v);
  return /^[A-Z][a-z]/.test(title) ? title.toLowerCase() : title;
};
