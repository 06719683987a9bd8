// A dashboard that is edited: a draft kept in the browser with its steps back, and a save that is put together with
// what others saved meanwhile.
import { html } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, Problem } from "../../core/api.js";
import { may, session } from "../../core/session.js";
import { keep, kept } from "../../core/store.js";
import { moment } from "../../core/time.js";
import { go } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { merge, taking } from "./merge.js";
import { changes, Steps } from "./undo.js";

export const BLANK = { name: "New dashboard", panels: {}, layout: [{ items: [] }] };

/** Whether the caller may change a dashboard itself; else a change makes a copy. */
export const mayChange = (stored) =>
  !stored.pack &&
  (stored.visibility === "shared" ? may("operator") : stored.owner === session.info?.name || may("admin"));

export class Editing {
  #mine = null;
  #base = null;
  #steps = new Steps();
  #at = null;
  busy = false;
  error = null;

  /** `stored` is the load of the dashboard, `{ data: { data, etag } }`; `id` null for a new one. */
  constructor(id, stored) {
    this.id = id;
    this.stored = stored;
    this.memory = `dashboard.${id ?? "new"}`;
    const draft = kept(this.memory, null);
    if (!draft?.mine?.panels) return;
    this.#mine = draft.mine;
    this.#base = draft.base;
    this.#steps = new Steps(draft.steps);
    this.#at = draft.at;
  }

  get definition() {
    return this.#mine ?? this.#stored?.definition ?? BLANK;
  }

  get #stored() {
    return this.id ? this.stored.data?.data : null;
  }

  get edited() {
    return this.#mine !== null;
  }

  get keptAt() {
    return this.#at;
  }

  /** How many parts are another than what is stored. */
  get changed() {
    return this.#mine && this.#base ? changes(this.#base.definition, this.#mine).length : 0;
  }

  get canUndo() {
    return this.#steps.back.length > 0;
  }

  /** Whether saving makes a copy. */
  get copies() {
    return this.id !== null && this.#stored !== null && !mayChange(this.#stored);
  }

  /** Whether somebody saved it while this was edited. */
  get meanwhile() {
    return Boolean(this.#base?.etag && this.stored.data && this.#base.etag !== this.stored.data.etag);
  }

  /** Changes the draft: `make(copy)` changes the copy it is given; steps of one `of` in a row are one. */
  change(make, of = null) {
    const before = this.definition;
    const next = structuredClone(before);
    make(next);
    if (JSON.stringify(before) === JSON.stringify(next)) return;
    this.#base ??= { definition: before, etag: this.stored.data?.etag ?? null };
    this.#steps.note(before, next, of);
    this.#put(next);
  }

  #put(next) {
    this.#mine = next;
    this.error = null;
    this.#at = Date.now();
    this.#keep();
    redraw();
  }

  #keep() {
    const draft = this.#mine && { mine: this.#mine, base: this.#base, steps: this.#steps, at: this.#at };
    try {
      keep(this.memory, draft);
    } catch {
      // The browser is full: the draft itself matters more than the way back.
      keep(this.memory, { ...draft, steps: null });
    }
  }

  undo() {
    const before = this.#steps.undo(this.definition);
    if (before) this.#put(before);
    return before !== null;
  }

  redo() {
    const next = this.#steps.redo(this.definition);
    if (next) this.#put(next);
    return next !== null;
  }

  #forget() {
    this.#mine = null;
    this.#base = null;
    this.#steps = new Steps();
    keep(this.memory, null);
  }

  discard() {
    const gone = [this.#mine, this.#base, this.#steps];
    this.#forget();
    notice("Your changes are gone", {
      seconds: 10,
      undo: () => {
        [this.#mine, this.#base, this.#steps] = gone;
        this.#keep();
        redraw();
      },
    });
    redraw();
  }

  /** Saves the draft; gives whether that was done. `copied(data)` and `made(data)` lead on. */
  async save(made) {
    if (this.busy || (!this.edited && this.id)) return;
    this.busy = true;
    this.error = null;
    redraw();
    try {
      if (!this.id || this.copies) made(await this.#create());
      else await this.#store(this.#mine, this.#base.etag);
    } catch (failed) {
      if (failed instanceof Problem && failed.status === 412) await this.#together().catch((e) => (this.error = e));
      else this.error = failed;
    }
    this.busy = false;
    redraw();
  }

  async #create() {
    const of = this.#stored;
    const { data } = await exchange("POST", "/dashboards", {
      body: {
        visibility: "private",
        ...(of ? { origin: { id: of.id, version: of.version } } : {}),
        definition: this.definition,
      },
    });
    this.#forget();
    notice(of ? `Your copy ${data.name} is stored; only you see it until it is shared` : `${data.name} is stored`);
    return data;
  }

  async #store(definition, etag) {
    const { visibility } = this.#stored;
    this.stored.data = await exchange("PUT", `/dashboards/${this.id}`, { body: { visibility, definition }, etag });
    this.#forget();
    notice("Saved");
  }

  /** Somebody saved it meanwhile: panel by panel, and what both changed is asked. */
  async #together() {
    const theirs = await exchange("GET", `/dashboards/${this.id}`);
    const { merged, both } = merge(this.#base.definition, this.#mine, theirs.data.definition);
    this.stored.data = theirs;
    if (!both.length) {
      await this.#store(merged, theirs.etag);
      notice(`Saved together with what ${theirs.data.updatedBy} saved`);
      return;
    }
    const chosen = new Map(both.map((one) => [one, "mine"]));
    const save = async () => {
      closeLayer();
      try {
        await this.#store(
          taking(merged, both, (one) => chosen.get(one) === "theirs"),
          theirs.etag,
        );
      } catch (failed) {
        this.error = failed;
      }
      redraw();
    };
    showLayer("dialog", () => this.#ask(theirs.data, both, chosen, save), { label: "Both versions" });
  }

  #ask(theirs, both, chosen, save) {
    const words = (one) =>
      one.kind === "panel"
        ? `Panel ${one.mine?.title ?? one.theirs?.title ?? one.name}`
        : one.kind === "variable"
          ? `Variable $${one.name}`
          : one.name;
    const shown = (value) =>
      value === null || value === undefined
        ? "not there"
        : typeof value === "string"
          ? value
          : JSON.stringify(value, null, 1);
    // Of two panels only what differs; of one that was removed, that.
    const differing = (one, which) =>
      one.mine === undefined || one.theirs === undefined
        ? shown(one[which] === undefined ? undefined : (one[which].title ?? one[which]))
        : changes(one.mine, one.theirs)
            .map(([path, mine, theirs]) => `${path.join(".") || one.name}: ${shown(which === "mine" ? mine : theirs)}`)
            .join("\n");
    const side = (one, which, name) =>
      html`<label class="version-choice"
        ><span class="row"
          ><input
            type="radio"
            name=${`both-${one.kind}-${one.name}`}
            .checked=${chosen.get(one) === which}
            @change=${() => (chosen.set(one, which), redraw())}
          /><b>${name}</b></span
        >
        <pre tabindex="0">${differing(one, which)}</pre>
      </label>`;
    return html`<h2 class="title">Somebody else saved this since you read it</h2>
      <p class="i2">
        ${theirs.updatedBy} saved at ${moment(Date.parse(theirs.updatedAt))}. What only one of you changed is put
        together already; these you both changed.
      </p>
      ${both.map(
        (one) =>
          html`<section class="both-changed" aria-label=${words(one)}>
            <h3>${words(one)}</h3>
            <div class="two-sides">${side(one, "mine", "Yours")}${side(one, "theirs", "Theirs")}</div>
          </section>`,
      )}
      <div class="row">
        <button class="ctl primary" @click=${save}>Save</button>
        <span class="sp"></span>
        <button class="ctl" @click=${closeLayer}>Back to the editor</button>
      </div>`;
  }
}

/** Goes on with what was just stored. */
export const leadTo = (data, edit) => go(`/dashboards/${data.id}`, edit ? { edit: "yes" } : {});
