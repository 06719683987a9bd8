// A form over a configuration object with an ETag. When somebody else saved first, both versions stand side by side.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { exchange, Problem } from "../core/api.js";
import { Load } from "../core/load.js";
import { may } from "../core/session.js";
import { notice } from "../parts/notice.js";
import { failure, loaded, pane } from "../parts/pane.js";

const text = (value) => (value === null || value === undefined ? "" : String(value));

export class SettingsForm {
  #options;
  #load;
  #draft = null;
  #error = null;
  #busy = false;
  #theirs = null;

  constructor(options) {
    this.#options = options;
    this.#load = options.load ?? new Load((signal) => exchange("GET", options.path, { signal }));
  }

  load() {
    this.#load.want();
  }

  #value(name) {
    return this.#draft?.[name] ?? text(this.#load.data.data[name]);
  }

  #body() {
    return Object.fromEntries(this.#options.fields.map(({ name }) => [name, this.#options.read(this.#value(name).trim())]));
  }

  #type(name, value) {
    this.#draft = { ...this.#draft, [name]: value };
    this.#error = null;
    redraw();
  }

  async #save(event) {
    event?.preventDefault();
    const body = this.#body();
    this.#busy = true;
    this.#error = null;
    redraw();
    try {
      this.#load.data = await exchange("PUT", this.#options.path, { body, etag: this.#theirs?.etag ?? this.#load.data.etag });
      this.#draft = null;
      this.#theirs = null;
      notice(`${this.#options.title} saved`);
    } catch (error) {
      if (error instanceof Problem && error.status === 412) this.#theirs = await exchange("GET", this.#options.path);
      else this.#error = error;
    }
    this.#busy = false;
    redraw();
  }

  #takeTheirs() {
    this.#load.data = this.#theirs;
    this.#theirs = null;
    this.#draft = null;
    redraw();
  }

  view() {
    const { title, note } = this.#options;
    return pane({ title, note, body: loaded(this.#load, () => this.#form(), { rows: 4 }) });
  }

  #form() {
    const { fields, check, effect } = this.#options;
    const body = this.#body();
    const before = this.#load.data.data;
    const wrong = Object.fromEntries(fields.map(({ name }) => [name, check(body[name], name) ?? this.#error?.field?.(name) ?? null]));
    const dirty = fields.some(({ name }) => text(body[name]) !== text(before[name]));
    const allowed = may("admin");
    const warning = dirty ? effect(before, body) : null;
    return html`<form class="form" @submit=${(e) => this.#save(e)}>
      <div class=${{ 1: "", 3: "three" }[fields.length] ?? "two"}>${fields.map(({ name, label, hint }) => html`<label class="lab">${label}
        <input class="field" name=${name} .value=${this.#value(name)} placeholder=${hint} ?disabled=${!allowed} aria-invalid=${wrong[name] ? "true" : "false"} @input=${(e) => this.#type(name, e.target.value)} />
        ${wrong[name] ? html`<span class="crit s12" role="alert">${wrong[name]}</span>` : nothing}</label>`)}</div>
      ${this.#error && !this.#error.errors?.length ? failure(this.#error, () => this.#save()) : nothing}
      ${this.#theirs ? this.#sideBySide(body) : nothing}
      ${warning ? html`<p class="warn s12">${warning}</p>` : nothing}
      <div class="row"><button class="ctl primary" ?disabled=${!allowed || !dirty || this.#busy || Boolean(this.#theirs) || Object.values(wrong).some(Boolean)} title=${allowed ? "" : "Needs the role admin"}>Save</button>
        ${dirty ? html`<button type="button" class="ctl" @click=${() => ((this.#draft = null), (this.#theirs = null), (this.#error = null), redraw())}>Undo changes</button>` : nothing}
        ${allowed ? nothing : html`<span class="m s12">Needs the role admin.</span>`}</div>
    </form>`;
  }

  #sideBySide(mine) {
    const theirs = this.#theirs.data;
    const { empty = "nothing" } = this.#options;
    return html`<div role="alert"><p class="i2">Somebody else saved this since you read it. Nothing of yours is lost.</p>
      <table class="versions"><thead><tr><td></td><th>Theirs, in force</th><th>Yours</th></tr></thead><tbody>
        ${this.#options.fields.map(({ name, label }) => {
          const differs = text(theirs[name]) !== text(mine[name]) ? "differs" : "";
          return html`<tr><td>${label}</td><td>${text(theirs[name]) || empty}</td><td class=${differs}>${text(mine[name]) || empty}</td></tr>`;
        })}</tbody></table>
      <div class="row pad"><button type="button" class="ctl" @click=${() => this.#takeTheirs()}>Take theirs</button><button type="button" class="ctl primary" @click=${() => this.#save()}>Save mine over it</button></div></div>`;
  }
}
