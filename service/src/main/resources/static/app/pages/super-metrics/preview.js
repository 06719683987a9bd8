// What a formula yields for some objects: as stored (dashed) and as edited (solid), and where the two differ.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { NONE, plural, scale } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { moment, range, spanName } from "../../core/time.js";
import { amend, href, param } from "../../core/url.js";
import { cursor, follow } from "../../chart/cursor.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { failure } from "../../parts/pane.js";
import { differences } from "./explain.js";
import { unitWord } from "./words.js";
import "../../chart/series-chart.js";

const USUAL = 6;
const MOST = 20;
const CHARTS = 3;
const TINY = 1e-9;

/** Percentiles over the range, and what they mean. */
const shares = [
  ["p50", "Median of the range"],
  ["p95", "What 95 % of the values in the range do not exceed"],
  ["p99", "What 99 % of the values in the range do not exceed"],
];

const differs = (a, b) =>
  (a === null) !== (b === null) || (a !== null && Math.abs(a - b) > TINY * Math.max(1, Math.abs(a), Math.abs(b)));

export class Preview {
  #specs = new Map();
  #order = [];

  /**
   * `value(name)` gives a field as it is typed, `stored()` the stored formula and `storedValid()` whether it has no
   * errors,
   * `valid()` whether the typed one has none, and `known()` whether that is known yet.
   */
  constructor({ id, value, stored, storedValid, valid, known, kinds }) {
    this.id = id;
    this.value = value;
    this.stored = stored;
    this.storedValid = storedValid;
    this.valid = valid;
    this.known = known;
    this.kinds = kinds;
    this.objects = new Load((assigned, ids, signal) =>
      post(
        "/objects/query",
        ids.length
          ? { ids, limit: MOST }
          : {
              adapterKind: [...new Set(assigned.map((k) => k.adapterKind))],
              objectKind: [...new Set(assigned.map((k) => k.objectKind))],
              sort: "name",
              limit: USUAL,
            },
        signal,
      ),
    );
    this.saved = new Load((objects, from, to, _version, signal) =>
      post("/super-metrics/preview", { id, objects, from: String(from), to: String(to), step: "auto" }, signal),
    );
    this.edited = new Load((formula, objects, from, to, signal) =>
      post("/super-metrics/preview", { formula, objects, from: String(from), to: String(to), step: "auto" }, signal),
    );
    this.whySaved = new Load((objects, at, _version, signal) =>
      post("/super-metrics/preview", { id, objects, at: String(at) }, signal),
    );
    this.whyEdited = new Load((formula, objects, at, signal) =>
      post("/super-metrics/preview", { formula, objects, at: String(at) }, signal),
    );
    this.#unfollow = follow(() => redraw());
  }

  #unfollow;
  #version = 0;

  leave() {
    this.#unfollow();
  }

  again() {
    this.#version++;
    this.want();
  }

  /** How many objects the assigned kinds have; null while that is not known. */
  get total() {
    const assigned = this.value("kinds");
    const all = (this.kinds.data?.items ?? []).flatMap((a) => a.objectKinds);
    return this.kinds.data
      ? assigned.reduce(
          (n, k) =>
            n + (all.find((o) => o.adapterKind === k.adapterKind && o.objectKind === k.objectKind)?.objects ?? 0),
          0,
        )
      : null;
  }

  get chosen() {
    return param("o").split(",").filter(Boolean).slice(0, MOST);
  }

  /** Whether the text at hand is another than the stored one. */
  get isEdited() {
    return !this.id || this.value("formula") !== this.stored();
  }

  want() {
    const assigned = this.value("kinds");
    const chosen = this.chosen;
    if (!assigned.length && !chosen.length) return this.objects.reset();
    this.objects.want(assigned, chosen);
    const ids = this.list.map((o) => o.id);
    if (!ids.length) return;
    const { from, to } = range();
    const window = [Math.floor(from / 60_000) * 60_000, Math.floor(to / 60_000) * 60_000];
    if (this.id && this.storedValid()) this.saved.want(ids, ...window, this.#version);
    if (this.isEdited && this.value("formula").trim() && this.valid())
      this.edited.want(this.value("formula"), ids, ...window);
    this.#wantReasons();
  }

  get list() {
    return this.objects.data?.items ?? [];
  }

  /** Whether the text at hand is known to have errors. */
  invalid() {
    return this.known() && !this.valid();
  }

  /** The object that comes first as it is drawn; null while there is none. */
  get first() {
    return this.#ordered()[0] ?? null;
  }

  /** What is drawn solid: the edited formula, or the saved one while nothing valid was typed yet. */
  get now() {
    return this.isEdited && (this.edited.data !== null || this.valid() || !this.id) ? this.edited : this.saved;
  }

  #line(load, object) {
    const at = load.data?.series.find((s) => s.object.id === object.id);
    return at ?? null;
  }

  /** The index of the moment that the table shows: the pinned one, else the newest with any value. */
  #index(data) {
    if (!data?.times.length) return -1;
    if (cursor.pinned)
      return data.times.reduce(
        (best, t, i) => (Math.abs(t - cursor.at) < Math.abs(data.times[best] - cursor.at) ? i : best),
        0,
      );
    for (let i = data.times.length - 1; i >= 0; i--) if (data.series.some((s) => s.values[i] !== null)) return i;
    return data.times.length - 1;
  }

  /** The moment of the table in epoch milliseconds, null without any. */
  get moment() {
    const { data } = this.now;
    const i = this.#index(data);
    return i < 0 ? null : data.times[i];
  }

  #value(load, object) {
    const { data } = load;
    const i = this.#index(data);
    return i < 0 ? null : (this.#line(load, object)?.values[i] ?? null);
  }

  #changed() {
    if (!this.id || !this.isEdited || !this.saved.data || !this.edited.data) return [];
    return this.list.filter((o) => differs(this.#value(this.saved, o), this.#value(this.edited, o)));
  }

  /** Both explanations of the objects that differ, to say what the edit changes. */
  #wantReasons() {
    const ids = this.#changed().map((o) => o.id);
    if (!ids.length || this.edited.loading || this.moment === null || !this.valid()) return;
    this.whySaved.want(ids, this.moment, this.#version);
    this.whyEdited.want(this.value("formula"), ids, this.moment);
  }

  #reason(object) {
    const of = (load) => load.data?.explanations.find((e) => e.object.id === object.id);
    const [was, is] = [of(this.whySaved), of(this.whyEdited)];
    if (!was || !is || this.whyEdited.loading) return "";
    return differences(was, is, this.stored(), this.value("formula"));
  }

  /** Objects in the order of the drawing: those that differ most first; it stays while the pointer is there. */
  #ordered() {
    const list = this.list;
    const far = (o) => {
      const [a, b] = [this.#value(this.saved, o), this.#value(this.now, o)];
      return a === null || b === null ? (a === b ? 0 : Infinity) : Math.abs(a - b);
    };
    const hovered = document.querySelector(".preview:hover");
    if (!hovered || this.#order.length !== list.length)
      this.#order = (this.isEdited && this.id ? list.toSorted((a, b) => far(b) - far(a)) : list).map((o) => o.id);
    const byId = new Map(list.map((o) => [o.id, o]));
    return this.#order.map((o) => byId.get(o)).filter(Boolean);
  }

  /** One scale for all charts, so that they compare. */
  #atLeast() {
    let high = 0;
    for (const load of [this.saved, ...(this.isEdited ? [this.edited] : [])])
      for (const s of load.data?.series ?? []) for (const v of s.values) if (v !== null && v > high) high = v;
    return high;
  }

  #spec(object, atLeast) {
    const { from, to } = range();
    const inputs = [this.saved.data, this.isEdited ? this.edited.data : null, this.value("unitId"), from, to, atLeast];
    const known = this.#specs.get(object.id);
    if (known?.inputs.every((input, i) => input === inputs[i])) return known.spec;
    const { data } = this.now;
    const own = this.#line(this.now, object);
    const before =
      this.isEdited && this.id && this.saved.data?.times.length === data?.times.length
        ? this.#line(this.saved, object)
        : null;
    const apart = before && own && before.values.some((v, i) => differs(v, own.values[i]));
    const some = own?.values.some((v) => v !== null) || apart;
    const spec = {
      title: object.name,
      hint: `${object.name}, ${kindWord(object.objectKind)}`,
      unit: unitWord(this.value("unitId")),
      from,
      to,
      atLeast,
      times: data?.times ?? [],
      stepMillis: data && data.times.length > 1 ? data.times[1] - data.times[0] : 0,
      series: [
        ...(apart ? [{ name: "saved", values: before.values, style: "median" }] : []),
        ...(own ? [{ name: object.name, values: own.values, style: "main" }] : []),
      ],
      medianWord: "saved",
      empty: data && !some ? (own?.noData[0]?.text ?? "no value in this range") : undefined,
    };
    this.#specs.set(object.id, { inputs, spec });
    return spec;
  }

  #pick() {
    const assigned = this.value("kinds");
    const search = {
      text: "",
      load: new Load((text, signal) =>
        post(
          "/objects/query",
          {
            adapterKind: [...new Set(assigned.map((k) => k.adapterKind))],
            objectKind: [...new Set(assigned.map((k) => k.objectKind))],
            name: text || undefined,
            sort: "name",
            limit: 60,
          },
          signal,
        ),
      ),
    };
    search.load.want("");
    const ask = settled((text) => (search.load.want(text), redraw()), 150);
    const toggle = (o) => {
      const now = this.list.map((x) => x.id);
      const next = now.includes(o.id) ? now.filter((x) => x !== o.id) : [...now, o.id].slice(-MOST);
      amend({ o: next.join(",") || null }, { replace: true });
    };
    showLayer(
      "dialog",
      () => {
        const now = new Set(this.list.map((o) => o.id));
        const items = search.load.data?.items ?? [];
        return html`<div class="picker">
          <h2 class="title">Objects of the preview</h2>
          <input
            class="field"
            autofocus
            type="search"
            placeholder="Name"
            aria-label="Find an object"
            @input=${(e) => ask(e.target.value.trim())}
          />
          <ul class="menu">
            ${repeat(
              items,
              (o) => o.id,
              (o) =>
                html`<li>
                  <button role="checkbox" aria-checked=${now.has(o.id)} @click=${() => toggle(o)}>
                    <input type="checkbox" tabindex="-1" .checked=${now.has(o.id)} aria-hidden="true" /><span
                      class="cut"
                      >${o.name}</span
                    ><span class="m">${kindWord(o.objectKind)}</span>
                  </button>
                </li>`,
            )}
            ${items.length || search.load.loading
              ? nothing
              : html`<li class="pad m">No object of its kinds is called so.</li>`}
          </ul>
          <div class="row">
            <span class="m s12"
              >${now.size} of at most ${MOST}. The first ${CHARTS} are drawn, all are in the table.</span
            >
            <span class="sp"></span>
            <button class="ctl" @click=${() => amend({ o: null }, { replace: true })}>The usual ones</button>
            <button class="ctl primary" @click=${closeLayer}>Done</button>
          </div>
        </div>`;
      },
      { label: "Objects of the preview" },
    );
  }

  view({ subject, choose }) {
    const { live, relative } = range();
    const unit = unitWord(this.value("unitId"));
    const list = this.#ordered();
    const edited = this.isEdited && this.id;
    const words =
      this.invalid() && this.now.data
        ? "as it was before the formula had errors"
        : edited
          ? "saved formula dashed, edited formula solid"
          : this.id
            ? "as it is stored"
            : "as it is written";
    const kind = this.value("kinds")[0]?.objectKind ?? "";
    return html`<div class="ph">
        <h2>Preview</h2>
        <span class="m cut"
          >${words}; ${live ? spanName(relative).toLowerCase() : "the range above"}${unit ? `, ${unit}` : ""}</span
        >
        <span class="sp"></span>
        ${this.now.loading && this.now.waited > 400 ? html`<span class="m">computing…</span>` : nothing}
        <button class="ctl low" ?disabled=${!this.value("kinds").length} @click=${() => this.#pick()}>
          ${list.length
            ? `${list.length} ${kindWord(kind, list.length).toLowerCase().replace(/^vm/, "VM")}${this.total > list.length ? ` of ${this.total}` : ""}`
            : "Objects"}
        </button>
      </div>
      ${this.#body(list, subject, choose, edited)}`;
  }

  #body(list, subject, choose, edited) {
    if (!this.value("kinds").length)
      return html`<div class="empty">
        Assign it to an object kind to see what it yields.
        <button class="link" @click=${() => amend({ side: "details" }, { replace: true })}>Open details</button>
      </div>`;
    if (this.objects.error) return failure(this.objects.error, () => this.objects.again());
    if (this.objects.data && !list.length)
      return html`<div class="empty">
        No object of ${plural(this.value("kinds").length, "assigned kind")} is here yet.
        <a class="link" href=${href("/explorer")}>Open Explorer</a>
      </div>`;
    const { now } = this;
    if (!this.value("formula").trim()) return html`<div class="empty">The preview comes with the formula.</div>`;
    if (now.error && !now.loading) return failure(now.error, () => now.again());
    // While a formula is half typed, the last result stays, dimmed.
    const broken = this.invalid();
    if (broken && !now.data && !this.saved.data)
      return html`<div class="empty">Fix the error to see the preview.</div>`;
    const atLeast = this.#atLeast();
    const dim = broken || (now.loading && now.waited > 400);
    const drawn = list.slice(0, CHARTS);
    return html`<div class="preview ${dim ? "dimmed" : ""}" aria-busy=${now.loading}>
      <div class="multiples" .style=${`--n:${Math.max(1, drawn.length)}`}>
        ${drawn.length
          ? repeat(
              drawn,
              (o) => o.id,
              (o) =>
                html`<div class=${o.id === subject?.id ? "on" : ""} @click=${() => choose(o)}>
                  <series-chart .spec=${this.#spec(o, atLeast)}></series-chart>
                </div>`,
            )
          : html`<div></div>`}
      </div>
      ${this.#table(list, subject, choose, edited)}
    </div>`;
  }

  #table(list, subject, choose, edited) {
    const at = this.moment;
    const values = list
      .flatMap((o) => [
        this.#value(this.now, o),
        this.#value(this.saved, o),
        ...(edited ? [] : Object.values(this.#line(this.now, o)?.percentiles ?? {})),
      ])
      .filter((v) => v !== null);
    const s = scale(unitWord(this.value("unitId")), Math.max(0, ...values.map(Math.abs)));
    // The same decimals down the column, as many as the largest value has room for.
    const most = Math.max(0, ...values.map((v) => Math.abs(v * s.factor)));
    const whole = values.every((v) => Number.isInteger(v * s.factor));
    const places = whole ? 0 : most >= 100 ? 1 : most >= 1 ? 2 : 4;
    const figure = (v) => (most >= 1000 || whole ? s.text(v) : (v * s.factor).toFixed(places));
    const text = (v) => (v === null ? NONE : `${figure(v)}${s.unit ? ` ${s.unit}` : ""}`);
    const of = (o) => this.#line(this.now, o)?.percentiles;
    const row = (o) => {
      const is = this.#value(this.now, o);
      const was = this.#value(this.saved, o);
      const apart = edited && this.edited.data && this.saved.data && differs(was, is);
      const gap = is !== null && was !== null ? is - was : null;
      const why = is === null ? (this.#line(this.now, o)?.noData[0]?.text ?? "") : "";
      return html`<tr
        class="${o.id === subject?.id ? "sel" : ""} ${edited && !apart ? "quiet" : ""}"
        @click=${(e) => e.target.closest("a") || choose(o)}
      >
        <td class=${apart ? "strong" : ""}><a href=${href(`/objects/${o.id}`)}>${o.name}</a></td>
        <td class="r">${text(is)}</td>
        ${edited
          ? html`<td class="r">${text(was)}</td>
              <td class="r">
                ${apart
                  ? html`<b>${gap === null ? "" : `${gap > 0 ? "+" : ""}${figure(gap)}`}</b>`
                  : html`<span class="m">0</span>`}
              </td>
              <td title=${apart ? this.#reason(o) : ""}>
                ${apart ? this.#reason(o) || why : html`<span class="m">${why || "none"}</span>`}
              </td>`
          : html`${shares.map(([key]) => html`<td class="r wide-only">${text(of(o)?.[key] ?? null)}</td>`)}
              <td class="m">${why}</td>`}
      </tr>`;
    };
    const missing = list.some((o) => this.now.data && this.#value(this.now, o) === null);
    const when = at === null ? "Now" : cursor.pinned ? `At ${moment(at)}` : "Now";
    return html`<table class="values">
      <colgroup>
        <col class="w-wide" />
        <col class="w-num" />
        ${edited
          ? html`<col class="w-num" />
              <col class="w-num" />`
          : shares.map(() => html`<col class="w-num wide-only" />`)}
        <col />
      </colgroup>
      <thead>
        <tr>
          <th>Object</th>
          <th class="r" title=${at === null ? nothing : moment(at, true)}>${when}</th>
          ${edited
            ? html`<th class="r">Saved</th>
                <th class="r">Difference</th>
                <th>What the edit changes</th>`
            : html`${shares.map(([key, words]) => html`<th class="r wide-only" title=${words}>${key}</th>`)}
              ${missing ? html`<th>Why there is no value</th>` : html`<td></td>`}`}
        </tr>
      </thead>
      <tbody>
        ${repeat(list, (o) => o.id, row)}
      </tbody>
    </table>`;
  }
}
