// Something stored that is edited field by field: what was typed is kept in the browser until it is saved or thrown
// away, a save that comes second shows both versions, and deleting can be taken back for a while.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { exchange, get, Problem } from "../core/api.js";
import { Load } from "../core/load.js";
import { may } from "../core/session.js";
import { keep, kept } from "../core/store.js";
import { lastTick, moment } from "../core/time.js";
import { go } from "../core/url.js";
import { closeLayer, showLayer } from "./layer.js";
import { notice, soon } from "./notice.js";

// No text is the same as an empty one, nothing in a list the same as no list.
const plain = (v) =>
  v === "" ||
  v === undefined ||
  (Array.isArray(v) && !v.length) ||
  (v && typeof v === "object" && !Array.isArray(v) && !Object.keys(v).length)
    ? null
    : v;
const same = (a, b) => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

export class Draft {
  error = null;
  busy = false;
  #theirs = null;
  #fields;

  /**
   * `api` is where it is stored, `place` where its pages are, `address` its id or "new"; without one, `api` is the
   * thing itself. `blank` has a value for each field, `labels` its words, `show(name, value)` what the comparison
   * shows, `toBody` what is sent; `list()` leads to the list of them, `changed(name)` is called when a value is
   * another, without a name when all may be; `role` may change it, `saved(data)` is said when that was done; with
   * `remember` false nothing typed is kept in the browser, for it may be secret; `titled(data)` is what it is called;
   * `made(data)` leads on from something new, else to its own page.
   *
   * What is not one request is given by `read(signal)` and `store(etag)`, which yield `{ data, etag }`, and
   * `create(body)`, which yields the data; `stored` is its `Load` where others have it, too.
   */
  constructor({
    api,
    place = api,
    list = () => {},
    address = undefined,
    blank,
    labels,
    show,
    toBody = (body) => body,
    changed = (/** @type {string} */ _name = undefined) => {},
    role = "operator",
    saved = (_data) => "Saved; the next tick uses it",
    remember = true,
    titled = (data) => data.name,
    made = (data) => go(`${place}/${data.id}`),
    read = (signal) => exchange("GET", this.path, { signal }),
    store = (etag) => exchange("PUT", this.path, { body: this.body(), etag }),
    create = (body) => exchange("POST", api, { body }).then(({ data }) => data),
    stored = new Load((...asked) => read(asked.at(-1))),
  }) {
    this.api = api;
    this.place = place;
    this.list = list;
    this.id = address === "new" ? null : address;
    this.blank = blank;
    this.labels = labels;
    this.show = show;
    this.toBody = toBody;
    this.changed = changed;
    this.role = role;
    this.saved = saved;
    this.remember = remember;
    this.titled = titled;
    this.made = made;
    this.read = read;
    this.store = store;
    this.create = create;
    this.stored = stored;
    this.path = address === undefined ? api : `${api}/${address}`;
    this.memory = `${api.slice(1)}.${address ?? "typed"}`;
    this.history = new Load((_version, signal) => get(`${this.path}/history`, { limit: 50 }, signal));
    this.#fields = this.remember ? kept(this.memory, null) : null;
  }

  get isNew() {
    return this.id === null;
  }

  get there() {
    return this.isNew || this.stored.data !== null;
  }

  get allowed() {
    return may(this.role);
  }

  get edited() {
    return this.#fields !== null;
  }

  get before() {
    return this.isNew ? this.blank : (this.stored.data?.data ?? this.blank);
  }

  want() {
    if (!this.isNew) this.stored.want(lastTick());
  }

  wantHistory() {
    if (!this.isNew && this.stored.data) this.history.want(this.stored.data.data.version);
  }

  value(name) {
    const typed = this.#fields?.values;
    return typed && name in typed ? typed[name] : (this.before[name] ?? null);
  }

  /** All fields as they would be stored. */
  body() {
    return this.toBody(
      Object.fromEntries(
        Object.keys(this.blank)
          .map((name) => [name, this.value(name)])
          .filter(([, v]) => v !== undefined),
      ),
    );
  }

  set(name, next) {
    const values = { ...this.#fields?.values, [name]: next };
    if (same(next, this.before[name])) delete values[name];
    this.#fields = Object.keys(values).length
      ? { etag: this.#fields?.etag ?? this.stored.data?.etag ?? null, values }
      : null;
    this.#keep();
    this.error = null;
    this.changed(name);
    redraw();
  }

  /** Names of the fields that hold another value than what is stored. */
  get fields() {
    return Object.keys(this.#fields?.values ?? {});
  }

  /** A part of what is to be saved is: what is stored now is the base of the rest. */
  took(saved) {
    this.stored.data = saved;
    this.#fields.etag = saved.etag;
    this.#keep();
    return saved;
  }

  /** Begins with these values, such as a copy of something. */
  begin(values) {
    this.#fields = { etag: null, values };
    this.#keep();
  }

  #keep() {
    if (this.remember) keep(this.memory, this.#fields);
  }

  #forget() {
    this.#fields = null;
    this.#theirs = null;
    this.error = null;
    this.#keep();
  }

  discard() {
    const gone = this.#fields;
    this.#forget();
    this.changed();
    redraw();
    if (!gone) return;
    notice("Your changes are gone", {
      seconds: 10,
      undo: () => {
        this.#fields = gone;
        this.#keep();
        this.changed();
      },
    });
  }

  async save(more = {}) {
    if (!this.allowed || this.busy || (!this.edited && !this.isNew)) return;
    this.busy = true;
    this.error = null;
    redraw();
    try {
      if (this.isNew) {
        const data = await this.create({ ...this.body(), ...more });
        this.#forget();
        notice(`${this.titled(data)} is stored`);
        this.made(data);
      } else await this.#put(this.#fields.etag ?? this.stored.data.etag);
    } catch (failed) {
      if (failed instanceof Problem && [412, 428].includes(failed.status) && !this.isNew) {
        this.#theirs = await this.read().catch(() => null);
        if (this.#theirs) {
          this.stored.data = this.#theirs;
          showLayer("dialog", () => this.#conflict(), { label: "Both versions" });
        } else this.error = failed;
      } else this.error = failed;
    }
    this.busy = false;
    redraw();
  }

  async #put(etag) {
    this.stored.data = await this.store(etag);
    this.#forget();
    closeLayer();
    notice(this.saved(this.stored.data.data));
    this.changed();
  }

  #conflict() {
    if (!this.#theirs || !this.#fields) return nothing;
    const { data, etag } = this.#theirs;
    const differing = this.fields.filter((name) => !same(data[name], this.value(name)));
    const take = () => {
      this.#forget();
      closeLayer();
      this.changed();
      redraw();
    };
    const mine = () => this.#put(etag).catch((failed) => ((this.error = failed), closeLayer(), redraw()));
    return html`<h2 class="title">Somebody else saved this since you read it</h2>
      <p class="i2">
        ${data.updatedBy ? `${data.updatedBy} saved at ${moment(Date.parse(data.updatedAt))}. ` : nothing}Nothing of
        yours is lost; what you did not touch is as they saved it.
      </p>
      <div class="both">
        <table class="versions">
          <colgroup>
            <col class="w-kind" />
            <col />
            <col />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              <th>Theirs, in force</th>
              <th>Yours</th>
            </tr>
          </thead>
          <tbody>
            ${differing.map(
              (name) =>
                html`<tr>
                  <td>${this.labels[name] ?? name}</td>
                  <td class="whole-text">${this.show(name, data[name])}</td>
                  <td class="whole-text yours">${this.show(name, this.value(name))}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <div class="row">
        <button class="ctl" @click=${take}>Take theirs</button>
        <button class="ctl primary" ?disabled=${this.busy} @click=${mine}>Save mine over it</button>
        <span class="sp"></span>
        <button class="ctl" @click=${closeLayer}>Back to the editor</button>
      </div>`;
  }

  /** Deletes it in 10 s, unless that is undone. */
  remove(words) {
    const { etag, data } = this.stored.data;
    soon(
      `${this.titled(data)} is deleted in 10 s. ${words}`,
      async () => {
        try {
          await exchange("DELETE", this.path, { etag });
          keep(this.memory, null);
        } catch (failed) {
          notice(`Not deleted: ${failed.message}`, { seconds: 8 });
        }
      },
      () => redraw(),
    );
    this.list();
  }

  async restore(version) {
    try {
      await exchange("POST", `${this.path}/history/${version}/restore`, { etag: this.stored.data.etag });
      this.stored.data = await this.read();
      this.#forget();
      notice(`Version ${version} is in force again`);
      this.changed();
    } catch (failed) {
      notice(`Not restored: ${failed.message}`, { seconds: 8 });
    }
    redraw();
  }

  /** What is wrong with a field, in the words of the last answer. */
  wrong(name) {
    return (
      this.error?.errors?.find(
        (e) => e.field === name || e.field.startsWith(`${name}.`) || e.field.startsWith(`${name}[`),
      )?.reason ?? null
    );
  }

  said(name) {
    const wrong = this.wrong(name);
    return wrong ? html`<span class="crit s12" role="alert">${wrong}</span>` : nothing;
  }

  /** The buttons that every editor has. */
  saveButtons(/** @type {{more?: () => unknown}} */ { more } = {}) {
    const needs = this.allowed ? nothing : `Needs the role ${this.role}`;
    const unnamed = !String(this.value("name") ?? "").trim();
    return html`${this.edited
        ? html`<button class="ctl ghost" @click=${() => this.discard()}>Discard</button>`
        : nothing}
      ${unnamed && this.allowed && this.there ? html`<span class="m s12 nw">needs a name</span>` : nothing}
      <button
        class="ctl primary"
        ?disabled=${!this.allowed || this.busy || (!this.edited && !this.isNew) || unnamed}
        title=${unnamed && this.allowed ? "It needs a name" : needs}
        @click=${() => this.save(more?.())}
      >
        Save <kbd>Ctrl S</kbd>
      </button>`;
  }

  /** Whether somebody saved it while this was typed. */
  meanwhile() {
    return this.#fields?.etag && this.stored.data && this.#fields.etag !== this.stored.data.etag
      ? html`<span class="warn nw">saved by ${this.before.updatedBy ?? "somebody"} meanwhile</span>`
      : nothing;
  }
}
