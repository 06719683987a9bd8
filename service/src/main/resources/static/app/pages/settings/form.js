// A form over a configuration object.
import { html, nothing } from "../../core/html.js";
import { Draft } from "../../parts/draft.js";
import { failure, loaded, pane } from "../../parts/pane.js";

const text = (value) => (value === null || value === undefined ? "" : String(value));

export class SettingsForm {
  #options;
  #draft;

  /**
   * `fields` are a list of `{ name, label, hint }`; `read(text)` gives the value of one, `check(value, name)` says what
   * is wrong with it, `effect(before, after)` warns; `empty` is said of what has no value.
   */
  constructor(options) {
    const { path, title, fields, load, empty = "nothing" } = options;
    this.#options = options;
    this.#draft = new Draft({
      api: path,
      blank: Object.fromEntries(fields.map(({ name }) => [name, null])),
      labels: Object.fromEntries(fields.map(({ name, label }) => [name, label])),
      show: (_name, value) => text(value) || empty,
      role: "admin",
      saved: () => `${title} saved`,
      remember: false,
      ...(load ? { stored: load } : {}),
    });
  }

  load() {
    this.#draft.stored.want();
  }

  #save(event) {
    event?.preventDefault();
    this.#draft.save();
  }

  view() {
    const { title, note } = this.#options;
    return pane({ title, note, body: loaded(this.#draft.stored, () => this.#form(), { rows: 4 }) });
  }

  #form() {
    const draft = this.#draft;
    const { fields, read, check, effect } = this.#options;
    const { allowed, edited, error } = draft;
    const wrong = Object.fromEntries(
      fields.map(({ name }) => [name, check(draft.value(name), name) ?? draft.wrong(name)]),
    );
    const warning = edited ? effect(draft.before, draft.body()) : null;
    return html`<form class="form" @submit=${(e) => this.#save(e)}>
      <div class=${{ 1: "", 3: "three" }[fields.length] ?? "two"}>
        ${fields.map(
          ({ name, label, hint }) =>
            html`<label class="lab"
              >${label}
              <input
                class="field"
                name=${name}
                .value=${text(draft.value(name))}
                placeholder=${hint}
                ?disabled=${!allowed}
                aria-invalid=${wrong[name] ? "true" : "false"}
                @input=${(e) => draft.set(name, read(e.target.value.trim()))}
              />
              ${wrong[name] ? html`<span class="crit s12" role="alert">${wrong[name]}</span>` : nothing}</label
            >`,
        )}
      </div>
      ${error && !error.errors?.length ? failure(error, () => this.#save()) : nothing}
      ${warning ? html`<p class="warn s12">${warning}</p>` : nothing}
      <div class="row">
        <button
          class="ctl primary"
          ?disabled=${!allowed || !edited || draft.busy || Object.values(wrong).some(Boolean)}
          title=${allowed ? "" : "Needs the role admin"}
        >
          Save
        </button>
        ${edited
          ? html`<button type="button" class="ctl" @click=${() => draft.discard()}>Undo changes</button>`
          : nothing}
        ${allowed ? nothing : html`<span class="m s12">Needs the role admin.</span>`}
      </div>
    </form>`;
  }
}
