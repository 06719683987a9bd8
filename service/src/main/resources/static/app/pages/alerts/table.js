// The table of alerts. Values change in their place; rows neither move nor vanish while the pointer is in it, keys are
// used or rows are selected: closed ones are struck through, new ones wait.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { NEEDS } from "../../core/session.js";
import { against, againstShort, found, rank, titleOf } from "../../core/severity.js";
import { phone } from "../../core/screen.js";
import { ticking } from "../../core/ticking.js";
import { duration, HOUR, moment } from "../../core/time.js";
import { amend, href, param } from "../../core/url.js";
import { inSight, rowHeight } from "../../parts/rows.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { chip } from "../../parts/small.js";
import { mayAct } from "./actions.js";
import { grouped } from "./cause.js";
import { withNewest } from "./values.js";
import { isClosed, numberOf, openFor, silencedWords, spanText, stateWords } from "./words.js";

const HEAD = 26;
const BEYOND = 12;
const BEHIND = 3;
const TOUCH = 8000;
const FRESH = 2000;
const BAR = 6 * HOUR;
const COLUMNS = 7;

const byName = (a, b) => titleOf(a).localeCompare(titleOf(b)) || a.object.name.localeCompare(b.object.name);
const ORDERS = {
  severity: (a, b) => rank(b.severity) - rank(a.severity) || byName(a, b),
  alert: byName,
  object: (a, b) => a.object.name.localeCompare(b.object.name) || byName(a, b),
  value: (a, b) => (a.value ?? Infinity) - (b.value ?? Infinity),
  open: (a, b) => openFor(a) - openFor(b),
  closed: (a, b) => Date.parse(a.canceledAt ?? a.updatedAt) - Date.parse(b.canceledAt ?? b.updatedAt),
  owner: (a, b) => (a.owner ?? "\uffff").localeCompare(b.owner ?? "\uffff"),
};

function order(sort) {
  const [, minus, key] = /^(-?)(\w+)$/.exec(sort) ?? [];
  const compare = ORDERS[key];
  return compare ? (minus ? (a, b) => compare(b, a) : compare) : null;
}

export class AlertTable {
  #byId = new Map();
  #entries = [];
  #asked = "";
  /** Whether rows wait to take their places. */
  #behind = false;
  #present = new Set();
  #shown = new Set();
  #unfolded = new Set();
  #told = new Map();
  #top = 0;
  #height = 700;
  #touched = -TOUCH;
  #last = null;
  #box = null;
  get #row() {
    return rowHeight();
  }

  selected = new Set();

  constructor({ current, choose, open, take }) {
    this.current = current;
    this.choose = choose;
    this.open = open;
    this.take = take;
  }

  /** What there is now, and the incidents that group it, null when nothing is grouped by them; `asked` tells one question from another. */
  feed({ alerts, closed, all, incidents, by, sort, asked }) {
    this.#box = document.querySelector("main.alerts .results");
    if (this.#box) {
      const { top, height } = inSight(this.#box);
      this.#height = height || this.#height;
      if (phone()) this.#top = top;
    }
    const other = asked !== this.#asked;
    this.#asked = asked;
    const same =
      !other && this.input?.alerts === alerts && this.input.closed === closed && this.input.incidents === incidents;
    if (same && !this.#behind) return;
    if (!same) {
      for (const a of all) this.#byId.set(a.id, a);
      this.#present = new Set([...alerts, ...closed].map((a) => a.id));
      this.input = { alerts, closed, incidents, by, sort };
    }
    this.#behind = !other && this.#held();
    if (!this.#behind) this.#arrange();
  }

  #held() {
    return (
      this.selected.size > 0 ||
      performance.now() - this.#touched < TOUCH ||
      Boolean(document.querySelector("main.alerts .list-pane:hover"))
    );
  }

  /** Keys were used: what they point at stays where it is for a while. */
  touched() {
    this.#touched = performance.now();
    setTimeout(redraw, TOUCH);
  }

  /** Lets the rows take their places. */
  release() {
    this.#touched = -TOUCH;
    this.#behind = false;
    this.#arrange();
    redraw();
  }

  #arrange() {
    const { alerts, closed, by, sort } = this.input;
    const entries = [];
    for (const group of grouped(alerts, by, order(sort))) {
      if (group.title !== null) entries.push({ group });
      const behind = group.alerts.slice(group.own);
      const shown = this.#unfolded.has(group.key) ? behind : behind.slice(0, BEHIND);
      for (const a of group.alerts.slice(0, group.own)) entries.push({ id: a.id });
      shown.forEach((a, i) =>
        entries.push({
          id: a.id,
          muted: true,
          more: i === shown.length - 1 && behind.length > shown.length ? behind.length - shown.length : 0,
          key: group.key,
        }),
      );
    }
    if (closed.length) {
      entries.push({
        group: {
          key: "recent",
          title: "Closed in the last hour",
          note: `${closed.length} ${closed.length === 1 ? "alert" : "alerts"}`,
        },
      });
      for (const a of closed.toSorted((x, y) => Date.parse(y.canceledAt) - Date.parse(x.canceledAt)))
        entries.push({ id: a.id });
    }
    this.#entries = entries;
    this.#shown = new Set([...alerts, ...closed].map((a) => a.id));
    for (const id of this.#byId.keys()) if (!this.#shown.has(id)) this.#byId.delete(id);
    for (const id of [...this.selected]) if (!this.#shown.has(id)) this.selected.delete(id);
  }

  get size() {
    return this.#entries.length;
  }

  get(id) {
    return id && this.#shown.has(id) ? (this.#byId.get(id) ?? null) : null;
  }

  first() {
    const entry = this.#entries.find((e) => e.id);
    return entry ? this.get(entry.id) : null;
  }

  chosen() {
    return [...this.selected].map((id) => this.#byId.get(id)).filter(Boolean);
  }

  clear() {
    this.selected = new Set();
    redraw();
  }

  /** How many wait to be shown. */
  waiting() {
    let n = 0;
    for (const id of this.#present) if (!this.#shown.has(id) && !isClosed(this.#byId.get(id))) n++;
    return n;
  }

  step(by) {
    const ids = this.#entries.filter((e) => e.id).map((e) => e.id);
    if (!ids.length) return;
    const now = ids.indexOf(this.current());
    const id = ids[Math.max(0, Math.min(ids.length - 1, now < 0 ? 0 : now + by))];
    this.choose(this.get(id), { keys: true });
    const at = this.#entries.findIndex((e) => e.id === id);
    if (!this.#box) return;
    // Of a group's first row the head is seen too.
    const from = (at - (this.#entries[at - 1]?.group ? 1 : 0)) * this.#row;
    if (from < this.#box.scrollTop) this.#box.scrollTop = from;
    if ((at + 1) * this.#row + HEAD > this.#box.scrollTop + this.#box.clientHeight)
      this.#box.scrollTop = (at + 1) * this.#row + HEAD - this.#box.clientHeight;
  }

  select(alert, through = false) {
    if (!alert || isClosed(alert)) return;
    const next = new Set(this.selected);
    if (through && this.#last) {
      const ids = this.#entries.filter((e) => e.id).map((e) => e.id);
      const [from, to] = [ids.indexOf(this.#last), ids.indexOf(alert.id)].sort((a, b) => a - b);
      for (const id of ids.slice(Math.max(0, from), to + 1)) if (!isClosed(this.#byId.get(id))) next.add(id);
    } else if (!next.delete(alert.id)) next.add(alert.id);
    this.#last = alert.id;
    this.selected = next;
    this.touched();
    redraw();
  }

  /** Whether a figure has just changed, so that it is marked for a moment. */
  #fresh(id, text) {
    const before = this.#told.get(id);
    if (before?.text === text) return performance.now() - before.at < FRESH;
    this.#told.set(id, { text, at: before ? performance.now() : -FRESH });
    if (before) setTimeout(redraw, FRESH);
    return Boolean(before);
  }

  #unfold(key) {
    if (!this.#unfolded.delete(key)) this.#unfolded.add(key);
    this.#arrange();
    redraw();
  }

  #group({ key, title, note, incident }) {
    const name = incident
      ? html`<a href=${href(`/incidents/${incident.number}`)}><b>${title}</b></a
          >${chip(`I-${incident.number}`, "Number of the incident")} `
      : html`<b>${title}</b>`;
    const who = incident ? `${note ? ", " : ""}${incident.owner ? `with ${incident.owner}` : "unassigned"}` : "";
    return html`<tr class="group">
      <td colspan=${COLUMNS} title=${note ?? nothing}>
        ${name}<span class="m">${note}${who}</span>${this.#unfolded.has(key)
          ? html`<button class="link" @click=${() => this.#unfold(key)}>fold</button>`
          : nothing}
      </td>
    </tr>`;
  }

  #line({ id, muted, more, key }) {
    const a = this.#byId.get(id);
    const closed = isClosed(a);
    const gone = !closed && !this.#present.has(id);
    const quiet = muted || closed;
    const on = this.selected.has(id);
    const now = found(withNewest(a), a.unit, a.key);
    const state = stateWords(a);
    const ages = closed
      ? html`<td class="m s12 l-long" colspan="2" title=${state}>${spanText(a)}</td>`
      : html`<td class="l-long" title=${`since ${moment(Date.parse(a.since))}`}>
            ${more
              ? html`<button class="link s12" @click=${() => this.#unfold(key)}>${more} more</button>`
              : age(a, quiet)}
          </td>
          <td title=${state}>${a.owner ? html`<span class="cut">${a.owner}</span>` : this.#free(a)}</td>`;
    return html`<tr
      class="${id === this.current() || on ? "sel" : ""} ${quiet ? "quiet" : ""} ${closed
        ? "closed"
        : gone
          ? "gone"
          : ""}"
      aria-selected=${on}
      @click=${(e) => {
        if (e.target.closest("a, input, button")) return;
        if (e.shiftKey) this.select(a, true);
        else if (id === param("row")) this.open(a);
        else this.choose(a);
      }}
    >
      <td class="pick l-shape">
        <label title=${closed ? nothing : "Select"}
          ><input
            type="checkbox"
            .checked=${on}
            ?disabled=${closed}
            aria-label=${`Select ${titleOf(a)} on ${a.object.name}`}
            @click=${(e) => (e.preventDefault(), this.select(a, e.shiftKey))}
          />${quiet ? severityShape(null) : severityShape(a.severity)}</label
        >
      </td>
      <td
        class="l-name ${muted ? "behind" : ""}"
        title=${`${numberOf(a)} ${titleOf(a)}, ${a.severity}${state ? `, ${state}` : ""}`}
      >
        <span class="row alert-name"
          ><a class="cut" href=${href(`/alerts/${id}`)}>${titleOf(a)}</a>${a.flaps
            ? html` ${chip(`${a.flaps} ${a.flaps === 1 ? "flap" : "flaps"}`, "It closed and opened again so often")}`
            : nothing}${a.controlState === "acknowledged" && !quiet
            ? html` <span class="m s12">ack</span>`
            : nothing}${a.controlState === "suppressed"
            ? html` <span class="m s12">maintenance</span>`
            : nothing}${a.silence && !closed
            ? html` <span class="m s12 nw" title=${silencedWords(a)}
                >${param("tab") === "silenced" ? `until ${moment(Date.parse(a.silence.until))}` : "silenced"}</span
              >`
            : nothing}</span
        >
      </td>
      <td class="l-what ${quiet ? "" : "strong"}" title=${a.object.name}>
        <a href=${href(`/objects/${a.object.id}`)}>${a.object.name}</a>
      </td>
      <td class="r l-value">
        <span class=${this.#fresh(id, now) ? "fresh-value" : ""}
          >${a.unknown ? html`<span class="m">${now}</span>` : now}</span
        >
      </td>
      <td class="m against" title=${against(a, a.operator, a.unit, a.key)}>
        ${againstShort(a, a.operator, a.unit, a.key)}
      </td>
      ${ages}
    </tr>`;
  }

  #free(a) {
    return html`<span class="m nobody">nobody</span
      ><button
        class="link take"
        ?disabled=${!mayAct()}
        title=${mayAct() ? nothing : NEEDS}
        aria-label=${`Take ${titleOf(a)} on ${a.object.name}`}
        @click=${() => this.take(a)}
      >
        Take
      </button>`;
  }

  #head(id, name, cls = "") {
    const now = param("sort");
    const sorted = now === id ? "ascending" : now === `-${id}` ? "descending" : nothing;
    const next = now === id ? `-${id}` : now === `-${id}` ? null : id;
    return html`<th class=${cls} aria-sort=${sorted}>
      <button @click=${() => amend({ sort: next }, { replace: true })}>
        ${name}${sorted === nothing
          ? nothing
          : html` <span aria-hidden="true">${sorted === "ascending" ? "\u2191" : "\u2193"}</span>`}
      </button>
    </th>`;
  }

  view() {
    const all = this.#entries;
    const first = Math.max(0, Math.floor(this.#top / this.#row) - BEYOND);
    const until = Math.min(all.length, first + Math.ceil(this.#height / this.#row) + 2 * BEYOND);
    // Rows beyond the edges are there already: it is drawn again when half of them have come into sight.
    const scrolled = (event) => {
      if (Math.abs(event.target.scrollTop - this.#top) < (BEYOND / 2) * this.#row) return;
      this.#top = event.target.scrollTop;
      redraw();
    };
    return html`<div class="results" tabindex="-1" @scroll=${scrolled}>
      <table>
        <colgroup>
          <col class="w-pick" />
          <col />
          <col class="w-object" />
          <col class="w-dur" />
          <col class="w-against against" />
          <col class="w-age" />
          <col class="w-owner prio-3" />
        </colgroup>
        <thead>
          <tr>
            <td></td>
            ${this.#head("alert", "Alert")}${this.#head("object", "Object")}${this.#head("value", "Value", "r")}
            <th class="against">Against</th>
            ${this.#head("open", "Open for")}${this.#head("owner", "Owner", "prio-3")}
          </tr>
        </thead>
        <tbody>
          <tr class="gap" .style=${`height:${first * this.#row}px`}></tr>
          ${repeat(
            all.slice(first, until),
            (e) => e.group?.key ?? e.id,
            (e) => (e.group ? this.#group(e.group) : this.#line(e)),
          )}
          <tr class="gap" .style=${`height:${(all.length - until) * this.#row}px`}></tr>
        </tbody>
      </table>
    </div>`;
  }
}

/** How long it has been open: a bar on six hours, and words. */
function age(alert, quiet) {
  const ms = openFor(alert);
  const width = Math.max(2, Math.min(1, ms / BAR) * 24);
  return html`<span class="age"
    >${quiet
      ? nothing
      : html`<span class="age-track" aria-hidden="true"><i .style=${`width:${width}px`}></i></span>`}<span class="s12"
      >${alert.unknown ? html`${shape("unknown", 10)} ` : nothing}${ticking(() => duration(openFor(alert)))}</span
    ></span
  >`;
}
