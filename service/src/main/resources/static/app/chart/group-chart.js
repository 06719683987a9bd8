// <group-chart>: the members of a group over time against what is accepted. Set `spec` (see `GroupSpec`); `pointed` marks the member
// that a list points at.
import { html, nothing, render } from "../core/html.js";
import { NONE, short } from "../core/format.js";
import { moment } from "../core/time.js";
import { Crowd } from "./crowd.js";
import { cursor, follow } from "./cursor.js";
import { layoutGroup } from "./group-layout.js";
import { paintGroupCursor } from "./group-cursor.js";
import { paintGroup } from "./group-paint.js";
import { fit, ink, paintSelection, theme } from "./paint.js";
import { TimePointer } from "./pointer.js";

/**
 * @typedef {object} GroupMember
 * @property {string} id
 * @property {string} name
 * @property {(number|null)[]} values
 * @property {(number|null)[]} scores
 * @property {string|null} token colour of a member that differs, null for a peer
 *
 * @typedef {object} GroupSpec
 * @property {string|null} unit of the values
 * @property {boolean} [network] show byte rates as bit/s
 * @property {boolean} log whether the axis is logarithmic
 * @property {number} from
 * @property {number} to
 * @property {number[]} times
 * @property {number} stepMillis
 * @property {(number|null)[]} centre
 * @property {(number|null)[]} lower
 * @property {(number|null)[]} upper
 * @property {number[]} judged
 * @property {GroupMember[]} members
 * @property {{from: number, to: number|null, token?: string}[]} events
 * @property {{at: number, text: string, note?: boolean}[]} flags changes, and notes of people
 * @property {number} opensAt
 * @property {number} closesBelow
 * @property {string} [opensWords]
 * @property {string} [closesWords]
 * @property {{name: string, spans: {from: number, to: number|null, token?: string, words?: string, dashed?: boolean}[], note?: string}[]} [lanes]
 * @property {boolean} [lane] false: without the scores below
 * @property {boolean} [margin] false: without the members at the right edge
 * @property {boolean} [wall] large, for a screen on a wall
 * @property {boolean} [tight] the axis need not begin at 0
 * @property {string} words what it shows, for those who do not see it
 */
class GroupChart extends HTMLElement {
  #spec = null;
  #at = null;
  #pointed = null;
  #pointer = null;
  #asked = false;
  #table = false;
  #base = document.createElement("canvas");
  #over = document.createElement("canvas");
  #crowds = { values: new Crowd(), scores: new Crowd() };
  #size = new ResizeObserver(() => (this.plot.clientWidth !== this.#at?.width || this.plot.clientHeight !== this.#at?.height) && this.#draw());
  #unfollow = () => {};
  #themed = () => this.#draw();
  /** How often the lines were drawn; the cursor has a canvas of its own. */
  draws = 0;

  set spec(spec) {
    if (spec === this.#spec) return;
    this.#spec = spec;
    if (this.isConnected) this.#draw();
  }

  get spec() {
    return this.#spec;
  }

  set pointed(id) {
    if (id === this.#pointed) return;
    this.#pointed = id;
    this.#drawCursorSoon();
  }

  set table(on) {
    if (Boolean(on) === this.#table) return;
    this.#table = Boolean(on);
    this.classList.toggle("as-table", this.#table);
    if (this.#table) this.#drawTable();
    else if (this.rows) render(nothing, this.rows);
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    this.#size.observe(this.plot);
    this.#unfollow = follow(() => this.#drawCursor());
    addEventListener("themechange", this.#themed);
    this.#draw();
  }

  disconnectedCallback() {
    this.#size.disconnect();
    this.#unfollow();
    removeEventListener("themechange", this.#themed);
  }

  #build() {
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.plot.setAttribute("role", "img");
    this.plot.append(this.#base, this.#over);
    this.rows = document.createElement("div");
    this.rows.className = "plot-table";
    this.append(this.plot, this.rows);
    this.#pointer = new TimePointer(this.plot, () => this.#at && { left: this.#at.left, right: this.#at.right, from: this.#spec.from, to: this.#spec.to }, () => this.#drawCursorSoon());
  }

  #draw() {
    const spec = this.#spec;
    if (!spec || !this.plot) return;
    const { clientWidth: width, clientHeight: height } = this.plot;
    if (width > 0 && height > 0) {
      theme(this);
      this.#at = layoutGroup(spec, width, height, ink("--font"));
      paintGroup(fit(this.#base, width, height), spec, this.#at, this.#crowds);
      this.draws++;
    }
    this.plot.setAttribute("aria-label", spec.words);
    this.#drawCursor();
    if (this.#table) this.#drawTable();
  }

  #drawCursorSoon() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#drawCursor();
    });
  }

  #drawCursor() {
    if (!this.#at || !this.#spec) return;
    theme(this);
    const context = fit(this.#over, this.#at.width, this.#at.height);
    const dragged = this.#pointer.selection;
    if (dragged) paintSelection(context, this.#at, dragged.from, dragged.to);
    else paintGroupCursor(context, { ...this.#spec, pointed: this.#pointed }, this.#at, cursor.at);
  }

  #drawTable() {
    const spec = this.#spec;
    if (!spec || !this.rows) return;
    const lines = spec.members.filter((m) => m.token);
    const text = (v) => (v === null ? NONE : short(v * (this.#at?.units.factor ?? 1)));
    const steps = [];
    for (let i = spec.times.length - 1; i >= 0 && steps.length < 500; i--) if (spec.centre[i] !== null) steps.push(i);
    render(
      html`<table><thead><tr><th>Time</th><th class="r">Judged</th><th class="r">Median</th><th class="r">Accepted</th>${lines.map((m) => html`<th class="r">${m.name}</th><th class="r">score</th>`)}</tr></thead>
        <tbody>${steps.map((i) => html`<tr><td>${moment(spec.times[i])}</td><td class="r">${spec.judged[i]}</td><td class="r">${text(spec.centre[i])}</td><td class="r">${text(spec.lower[i])} to ${text(spec.upper[i])}</td>${lines.map((m) => html`<td class="r">${text(m.values[i])}</td><td class="r">${short(m.scores[i])}</td>`)}</tr>`)}</tbody></table>`,
      this.rows,
    );
  }
}

customElements.define("group-chart", GroupChart);
