// What people say of a run: a note, what was tested, parameters of their own, whether it is a reference.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";
import { may, NEEDS } from "../../core/session.js";
import { showPalette } from "../../frame/palette.js";
import { notice } from "../../parts/notice.js";
import { pane } from "../../parts/pane.js";

const MOST = 50;

export class RunEdit {
  #id;
  #stored;
  #draft = null;
  #error = null;
  #busy = false;

  /** `stored(run)` is called with the run as it is after a change. */
  constructor(id, stored) {
    this.#id = id;
    this.#stored = stored;
  }

  static #of({ summary, ownParameters }) {
    return {
      note: summary.note ?? "",
      reference: summary.reference,
      object: summary.object ?? null,
      parameters: Object.entries(ownParameters),
    };
  }

  #set(data, change) {
    this.#draft = { ...(this.#draft ?? RunEdit.#of(data)), ...change };
    redraw();
  }

  async #save(data) {
    const draft = this.#draft;
    const before = RunEdit.#of(data);
    const named = draft.parameters.filter(([name, value]) => name.trim() && value.trim());
    this.#busy = true;
    this.#error = null;
    redraw();
    try {
      const { data: after } = await exchange("PATCH", `/benchmark-runs/${this.#id}`, {
        body: {
          note: draft.note.trim(),
          reference: draft.reference,
          parameters: Object.fromEntries(named.map(([name, value]) => [name.trim(), value.trim()])),
          ...(draft.object && draft.object.id !== before.object?.id ? { object: draft.object.id } : {}),
        },
      });
      this.#draft = null;
      this.#stored(after);
      notice("Saved");
    } catch (error) {
      this.#error = error;
    }
    this.#busy = false;
    redraw();
  }

  view(data) {
    const now = this.#draft ?? RunEdit.#of(data);
    const off = !may("operator") || this.#busy;
    // Of the draft as it is by then: two fields may be filled before the page is drawn again.
    const parameters = () => (this.#draft ?? RunEdit.#of(data)).parameters;
    const put = (i, at, text) =>
      this.#set(data, {
        parameters: parameters().map((p, n) => (n === i ? /** @type {any} */ (p.with(at, text)) : p)),
      });
    return pane({
      title: "What people say",
      note: may("operator") ? "" : NEEDS,
      body: html`<form
        class="run-edit"
        @submit=${(e) => {
          e.preventDefault();
          this.#save(data);
        }}
      >
        <label class="lab"
          >Note<textarea
            class="field"
            rows="2"
            maxlength="2000"
            ?disabled=${off}
            .value=${now.note}
            @input=${(e) => this.#set(data, { note: e.target.value })}
          ></textarea>
        </label>
        <div class="row wrap">
          <span class="m">Tested</span><b>${now.object?.name ?? "not said"}</b>
          <button
            type="button"
            class="link"
            ?disabled=${off}
            @click=${() =>
              showPalette({
                label: "What was tested",
                choose: (o) => this.#set(data, { object: o }),
              })}
          >
            Choose
          </button>
        </div>
        <label class="check"
          ><input
            type="checkbox"
            name="reference"
            ?disabled=${off}
            .checked=${now.reference}
            @change=${(e) => this.#set(data, { reference: e.target.checked })}
          />Later runs of the same parameters are compared with it</label
        >
        <div class="own-parameters">
          ${now.parameters.map(
            ([name, value], i) =>
              html`<input
                  class="field"
                  aria-label=${`Name of parameter ${i + 1}`}
                  placeholder="policy"
                  maxlength="100"
                  ?disabled=${off}
                  .value=${name}
                  @input=${(e) => put(i, 0, e.target.value)}
                /><input
                  class="field"
                  aria-label=${`Value of parameter ${i + 1}`}
                  placeholder="RAID-1"
                  maxlength="200"
                  ?disabled=${off}
                  .value=${value}
                  @input=${(e) => put(i, 1, e.target.value)}
                /><button
                  type="button"
                  class="link quiet"
                  ?disabled=${off}
                  aria-label=${`Remove parameter ${name || i + 1}`}
                  @click=${() => this.#set(data, { parameters: now.parameters.filter((_, n) => n !== i) })}
                >
                  Remove
                </button>`,
          )}
        </div>
        <div class="row wrap">
          <button
            type="button"
            class="link"
            ?disabled=${off || now.parameters.length >= MOST}
            @click=${() => this.#set(data, { parameters: [...now.parameters, ["", ""]] })}
          >
            Add a parameter
          </button>
          <span class="sp"></span>
          ${this.#draft
            ? html`<button
                  type="button"
                  class="ctl"
                  @click=${() => {
                    this.#draft = null;
                    this.#error = null;
                    redraw();
                  }}
                >
                  Discard
                </button>
                <button class="ctl primary" ?disabled=${off}>Save</button>`
            : nothing}
        </div>
        ${this.#error
          ? html`<p class="crit s12" role="alert">
              ${this.#error.message}${this.#error.errors.map((e) => html` <code>${e.field}</code> ${e.reason}.`)}
              ${this.#error.hint}
            </p>`
          : nothing}
      </form>`,
    });
  }
}
