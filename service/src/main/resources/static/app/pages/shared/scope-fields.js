// A scope as fields: conditions that must all hold, and others that take objects out again; how many match is counted
// as one types.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { href } from "../../core/url.js";
import { showPalette } from "../../frame/palette.js";
import { icon } from "../../parts/shapes.js";

const SOON = 250;
const NAMED = 60;
const HINTS = { tags: "env=production, tier", properties: "runtime|powerState=poweredOn", name: "shop-*" };
const LABELS = {
  objectKinds: "of kind",
  groups: "in group",
  tags: "with tag",
  properties: "with property",
  name: "named",
  ancestors: "below",
  objects: "only",
};
const filled = (v) => v !== undefined && v !== null && v.length !== 0;

export const isEverything = (scope) => !Object.values(scope ?? {}).some(filled);

const cleanCondition = (c) => Object.fromEntries(Object.entries(c).filter(([, v]) => filled(v)));

/** Without conditions that say nothing yet. */
export function cleanScope(scope) {
  const { exclude = [], ...own } = scope ?? {};
  const out = exclude.map(cleanCondition).filter((c) => Object.keys(c).length);
  return { ...cleanCondition(own), ...(out.length ? { exclude: out } : {}) };
}

/** Custom groups, to choose from and to name. */
export const groups = new Load((_version, signal) => get("/groups", { limit: 1000 }, signal));
const groupName = (id) => groups.data?.items.find((g) => g.id === id)?.name ?? "a group that is gone";

// Names of objects that scopes name by their id.
const names = new Map();
const naming = new Load(async (ids, signal) => {
  const { items } = await post("/objects/query", { ids, limit: ids.length }, signal);
  for (const o of items) names.set(o.id, o.name);
  for (const id of ids) if (!names.has(id)) names.set(id, "an object that is gone");
  return items.length;
});

/** Sees to the names of what scopes mention. */
export function wantNames(scopes) {
  const all = scopes.flatMap((s) => [s ?? {}, ...(s?.exclude ?? [])]);
  if (all.some((c) => c.groups?.length)) groups.want(0);
  const ids = [...new Set(all.flatMap((c) => [...(c.ancestors ?? []), ...(c.objects ?? [])]))]
    .filter((id) => !names.has(id))
    .slice(0, 500);
  if (ids.length) naming.want(ids);
}

const objectName = (id) => names.get(id) ?? "\u2026";
const either = (list) =>
  list.length > 3 ? `${list.slice(0, 2).join(", ")} or ${list.length - 2} others` : list.join(" or ");

function conditionWords(c) {
  return [
    filled(c.objectKinds) ? either(c.objectKinds.map((k) => kindWord(k.objectKind, 2))) : "",
    filled(c.groups) ? `in ${either(c.groups.map(groupName))}` : "",
    filled(c.tags) ? `with ${c.tags.join(" and ")}` : "",
    filled(c.properties) ? `with ${c.properties.join(" and ")}` : "",
    filled(c.name) ? `named ${c.name}` : "",
    filled(c.ancestors) ? `below ${either(c.ancestors.map(objectName))}` : "",
    filled(c.objects) ? `only ${either(c.objects.map(objectName))}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** A scope in words: "with env=prod, below Cluster B, but not named test-*"; "all of them" for an empty one. */
export function scopeWords(scope, all = "all of them") {
  const own = conditionWords(scope ?? {});
  const out = (scope?.exclude ?? []).map(conditionWords).filter(Boolean);
  return `${own || all}${out.length ? `, but not ${out.join(" nor ")}` : ""}`;
}

export class ScopeFields {
  #match = new Load((kind, scope, signal) =>
    post("/scopes/match", { ...(kind ? { objectKind: kind } : {}), scope, limit: NAMED }, signal),
  );
  #soon = settled((kind, scope) => (this.#match.want(kind, scope), redraw()), SOON);
  #asked = "";

  /**
   * `kinds` are object kinds to choose from where the scope says of which kind; null where that is settled. With `open`
   * the matches are shown.
   */
  constructor({ label, kinds = null, open = false }) {
    this.label = label;
    this.kinds = kinds;
    this.open = open;
  }

  /** `kind` limits the match to an object kind. */
  view({ scope = /** @type {any} */ ({}), set, kind = null, off = false, count: counted = true }) {
    wantNames([scope]);
    const clean = cleanScope(scope);
    const asked = JSON.stringify([kind, clean]);
    if (counted && asked !== this.#asked) {
      this.#asked = asked;
      this.#soon(kind, clean);
    }
    const out = scope.exclude ?? [];
    const setOut = (list) => set({ ...scope, exclude: list.length ? list : undefined });
    return html`<div class="scope" role="group" aria-label=${this.label}>
      ${this.#condition(
        scope,
        (c) => set({ ...c, exclude: scope.exclude }),
        off,
        isEverything({ ...scope, exclude: undefined }) ? "every object" : "",
      )}
      ${out.map(
        (c, i) =>
          html`<div class="but">
            <span class="m">but not</span>
            ${this.#condition(c, (next) => setOut(out.with(i, next)), off, "")}${off
              ? nothing
              : html`<button
                  class="icon"
                  type="button"
                  aria-label="Drop this exception"
                  @click=${() => setOut(out.toSpliced(i, 1))}
                >
                  ${icon("close", 11)}
                </button>`}
          </div>`,
      )}
      <div class="row wrap">
        ${counted ? this.#found() : nothing}
        <span class="sp"></span>
        ${off
          ? nothing
          : html`<button class="link s12" type="button" @click=${() => setOut([...out, { name: "" }])}>
              but not…
            </button>`}
      </div>
    </div>`;
  }

  /** How many objects match, null while that is not known. */
  get total() {
    return this.#match.data?.total ?? null;
  }

  /** Some of the objects that match. */
  get found() {
    return this.#match.data?.items ?? [];
  }

  #found() {
    const { data, error, loading } = this.#match;
    if (error && !loading)
      return html`<span class="crit s12" role="alert">${error.errors?.[0]?.reason ?? error.message}</span>`;
    if (!data) return html`<span class="m s12">counting…</span>`;
    return html`<details ?open=${this.open} class="matched ${loading ? "dimmed" : ""}">
      <summary class="s12">
        <span role="status">${plural(data.total, "object")} ${data.total === 1 ? "matches" : "match"}</span>
      </summary>
      <div class="chips">
        ${repeat(
          data.items,
          (o) => o.id,
          (o) => html`<a class="chip" href=${href(`/objects/${o.id}`)}>${o.name}</a>`,
        )}${data.total > data.items.length
          ? html`<span class="m s12">and ${count(data.total - data.items.length)} more</span>`
          : nothing}
      </div>
    </details>`;
  }

  #condition(c, set, off, none) {
    const members = Object.keys(LABELS).filter((m) => m !== "objectKinds" || this.kinds);
    const has = members.filter((m) => c[m] !== undefined && c[m] !== null);
    const left = members.filter((m) => !has.includes(m));
    const drop = (m) => set(Object.fromEntries(Object.entries(c).filter(([key]) => key !== m)));
    const add = (m) => {
      if (m === "ancestors" || m === "objects") return this.#pick(c, m, set);
      if (m === "groups") groups.want(0);
      return set({ ...c, [m]: m === "name" ? "" : [] });
    };
    return html`<div class="conditions">
      ${none && !has.length ? html`<span class="i2">${none}</span>` : nothing}
      ${has.map(
        (m) =>
          html`<span class="condition"
            ><span class="m">${LABELS[m]}</span>${this.#member(c, m, set, off)}${off
              ? nothing
              : html`<button class="icon" type="button" aria-label=${`Drop ${LABELS[m]}`} @click=${() => drop(m)}>
                  ${icon("close", 11)}
                </button>`}</span
          >`,
      )}
      ${left.length && !off
        ? html`<select
            class="field low faint"
            aria-label=${`${this.label}: add a condition`}
            @change=${(e) => {
              const { value } = e.target;
              e.target.value = "";
              if (value) add(value);
            }}
          >
            <option value="">${has.length ? "and\u2026" : "only\u2026"}</option>
            ${left.map((m) => html`<option value=${m}>${LABELS[m]}</option>`)}
          </select>`
        : nothing}
    </div>`;
  }

  #pick(c, m, set) {
    showPalette({
      label: m === "objects" ? "An object" : "Objects below",
      choose: (o) => {
        names.set(o.id, o.name);
        set({ ...c, [m]: [...new Set([...(c[m] ?? []), o.id])] });
      },
    });
  }

  #member(c, m, set, off) {
    const list = (text) =>
      text
        .split(",")
        .map((t) => t.trim())
        .filter(Boolean);
    const chipOf = (id, words) =>
      html`<span class="chip"
        >${words}${off
          ? nothing
          : html`<button
              class="icon"
              type="button"
              aria-label=${`Remove ${words}`}
              @click=${() => set({ ...c, [m]: c[m].filter((x) => x !== id) })}
            >
              ${icon("close", 10)}
            </button>`}</span
      >`;
    if (m === "name")
      return html`<input
        class="field low"
        aria-label=${LABELS[m]}
        placeholder=${HINTS.name}
        .value=${c.name ?? ""}
        ?disabled=${off}
        @input=${(e) => set({ ...c, name: e.target.value.trim() })}
      />`;
    if (m === "tags" || m === "properties")
      return html`<input
        class="field low"
        aria-label=${LABELS[m]}
        placeholder=${HINTS[m]}
        .value=${(c[m] ?? []).join(", ")}
        ?disabled=${off}
        @change=${(e) => set({ ...c, [m]: list(e.target.value) })}
      />`;
    if (m === "ancestors" || m === "objects")
      return html`${(c[m] ?? []).map((id) => chipOf(id, objectName(id)))}${off
        ? nothing
        : html`<button class="link s12" type="button" @click=${() => this.#pick(c, m, set)}>add…</button>`}`;
    if (m === "groups") {
      const known = groups.data?.items ?? [];
      const rest = known.filter((g) => !(c.groups ?? []).includes(g.id));
      return html`${(c.groups ?? []).map((id) => chipOf(id, groupName(id)))}${off || !rest.length
        ? known.length
          ? nothing
          : html`<span class="m s12">no group is made yet</span>`
        : html`<select
            class="field low"
            aria-label="Group"
            @change=${(e) => {
              const { value } = e.target;
              e.target.value = "";
              if (value) set({ ...c, groups: [...(c.groups ?? []), value] });
            }}
          >
            <option value="">choose…</option>
            ${rest.map((g) => html`<option value=${g.id}>${g.name} (${count(g.memberCount)})</option>`)}
          </select>`}`;
    }
    const chosen = c.objectKinds ?? [];
    const known = this.kinds().filter(
      (k) => !chosen.some((x) => x.objectKind === k.objectKind && x.adapterKind === k.adapterKind),
    );
    return html`${chosen.map((k) => chipOf(k, kindWord(k.objectKind, 2)))}${off
      ? nothing
      : html`<select
          class="field low"
          aria-label="Object kind"
          @change=${(e) => {
            const k = known[Number(e.target.value)];
            e.target.value = "";
            if (k) set({ ...c, objectKinds: [...chosen, { adapterKind: k.adapterKind, objectKind: k.objectKind }] });
          }}
        >
          <option value="">choose…</option>
          ${known.map((k, i) => html`<option value=${i}>${k.objectKind} (${count(k.objects)})</option>`)}
        </select>`}`;
  }
}
