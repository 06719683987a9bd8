// What figures and texts there are of the objects of a rule: found by typing, each with how many of the objects have it
// and a line of one of them.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { metricName, propertyName } from "../../core/metrics.js";
import { spark } from "../../parts/small.js";
import { askPanel } from "../../panels/answers.js";

const MOST = 8;
const SEARCHED = 100;
/** What a list of hits needs below the field. */
const ROOM = 260;
const RECENT = { last: "6h" };

const wordOf = (hit) => hit.name ?? (hit.source === "property" ? propertyName(hit.key) : metricName(hit.key));

/** Whether all words are in the key of a hit or in the name that people read. */
export const hasWords = (hit, words) => {
  const text = `${hit.key} ${wordOf(hit)}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** How a column reads what was found. */
export const sourceOf = (hit) =>
  hit.source === "property"
    ? { property: hit.key }
    : { metric: { any: [hit.source === "metric" ? hit.key : `Super metric:${hit.name}`] } };

/** Brings a field to where its hits can be seen below it. */
function makeRoom(field) {
  const pane = field.closest(".ed-scroll");
  if (!pane || pane.getBoundingClientRect().bottom - field.getBoundingClientRect().bottom > ROOM) return;
  field.closest(".metric-search").scrollIntoView({ block: "center" });
}

export class MetricSearch {
  #typed = "";
  #open = false;
  #at = 0;
  #hits = new Load(async (kind, typed, signal) => {
    const [adapter, object] = kind.split("/");
    const path = `/adapter-kinds/${encodeURIComponent(adapter)}/object-kinds/${encodeURIComponent(object)}/keys`;
    const words = typed
      .toLowerCase()
      .split(/[\s|]+/)
      .filter(Boolean);
    // The service looks for what is typed in keys: of several words for one, and the others are looked for here.
    const [q = ""] = words.toSorted((a, b) => b.length - a.length);
    const { items } = await get(path, { q, limit: words.length > 1 ? SEARCHED : MOST }, signal);
    return { typed, items: items.filter((hit) => hasWords(hit, words)) };
  });
  #counts = new Map();
  #ask = settled((kind, typed) => (this.#hits.want(kind, typed), redraw()), 120);

  /** How many of the objects have a hit, and the line of one of them. */
  #counted(hit, rule, question) {
    if (hit.source === "property") return null;
    const key = JSON.stringify([hit.key, rule]);
    if (!this.#counts.has(key)) {
      if (this.#counts.size > 200) this.#counts.clear();
      const load = new Load((signal) => {
        const panel = {
          type: "sparklines",
          ...rule,
          columns: [{ name: "hit", ...sourceOf(hit), sparkline: true }],
          limit: 1,
        };
        return askPanel({ ...question(panel), time: RECENT, points: 60 }, signal);
      });
      load.want();
      this.#counts.set(key, load);
    }
    return this.#counts.get(key).data;
  }

  #line(hit, i, rule, question, take) {
    const counted = this.#counted(hit, rule, question);
    const { matched, reporting } = counted?.objects ?? {};
    const known = reporting !== undefined && reporting !== null;
    const line = counted?.rows?.[0]?.sparklines?.[0]?.values;
    return html`<li role="option" aria-selected=${i === this.#at} class=${known && !reporting ? "none" : ""}>
      <button type="button" tabindex="-1" @mousedown=${(e) => (e.preventDefault(), this.#take(hit, take))}>
        <span class="hit"><span class="cut">${wordOf(hit)}</span><code class="cut">${hit.key}</code></span
        >${line ? spark(line, { width: 72, height: 20 }) : nothing}<span class="m s12 nw r"
          >${known
            ? reporting
              ? `${count(reporting)} of ${count(matched)}`
              : "none reports it"
            : plural(hit.objects, "object")}</span
        >
      </button>
    </li>`;
  }

  #take(hit, take) {
    this.#open = false;
    this.#typed = "";
    take(hit);
    redraw();
  }

  /** Those that objects have first. */
  #ordered(rule, question) {
    const items = (this.#hits.data?.items ?? []).slice(0, MOST);
    const has = (hit) => {
      const objects = this.#counted(hit, rule, question)?.objects;
      return objects?.reporting === 0 || hit.objects === 0 ? 1 : 0;
    };
    return items.toSorted((a, b) => has(a) - has(b));
  }

  /**
   * `kind` is what is searched, null = not known yet; `rule` the members of a panel that choose its objects;
   * `question(panel)` what is asked for one; `take(hit)` is called with what was chosen.
   */
  view({
    label,
    kind,
    rule,
    question,
    take,
    id = /** @type {string | symbol} */ (nothing),
    placeholder = "Type to search metrics and properties",
  }) {
    const hits = this.#open ? this.#ordered(rule, question) : [];
    const keys = (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by && hits.length) {
        event.preventDefault();
        this.#at = (this.#at + by + hits.length) % hits.length;
        redraw();
        const list = event.currentTarget.closest(".metric-search");
        requestAnimationFrame(() =>
          list.querySelector("[role=option][aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
        );
      } else if (event.key === "Enter" && hits[this.#at]) {
        event.preventDefault();
        this.#take(hits[this.#at], take);
      } else if (event.key === "Escape" && this.#open) {
        event.preventDefault();
        event.stopPropagation();
        this.#open = false;
        redraw();
      }
    };
    const begin = (typed) => {
      this.#open = true;
      this.#at = 0;
      this.#typed = typed;
      if (kind) this.#ask(kind, typed.trim());
      redraw();
    };
    return html`<div
      class="lab metric-search"
      @focusout=${(e) => {
        if (e.currentTarget.contains(e.relatedTarget)) return;
        this.#open = false;
        redraw();
      }}
    >
      <input
        class="field"
        id=${id}
        type="search"
        role="combobox"
        aria-expanded=${hits.length > 0}
        aria-label=${label}
        autocomplete="off"
        spellcheck="false"
        ?disabled=${!kind}
        placeholder=${kind ? placeholder : "Choose a kind of object first"}
        .value=${this.#typed}
        @focus=${(e) => (makeRoom(e.currentTarget), begin(this.#typed))}
        @input=${(e) => begin(e.target.value)}
        @keydown=${keys}
      />
      ${hits.length
        ? html`<ul class="menu hits" role="listbox" aria-label=${`${label}: what there is`}>
            ${hits.map((hit, i) => this.#line(hit, i, rule, question, take))}
          </ul>`
        : this.#open && this.#hits.data && !this.#hits.loading && kind
          ? html`<p class="m s12">Nothing here reports ${this.#typed}.</p>`
          : nothing}
    </div>`;
  }
}
