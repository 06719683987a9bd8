// <series-chart>: metrics over time. Set `spec` (see `Spec`); the element redraws when it, its size or the theme
// changes.
import { html, nothing, render } from "../core/html.js";
import { NONE, scale, short } from "../core/format.js";
import { moment } from "../core/time.js";
import { severityShape, shape } from "../parts/shapes.js";
import { cursor } from "./cursor.js";
import { layout } from "./layout.js";
import { paintBase } from "./paint.js";
import { paintCursor, shown } from "./paint-cursor.js";
import { endOf } from "./paint-series.js";
import { newestSteps, TimeChart } from "./time-chart.js";

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {(number|null)[]} values
 * @property {(number|null)[]} [min] with `max`: the envelope of each step
 * @property {(number|null)[]} [max]
 * @property {"main"|"line"|"median"|"peer"} style
 * @property {string} [colour] name of a token
 *
 * @typedef {object} Spec
 * @property {string} title empty where it stands above already; `hint` says it then
 * @property {string} [hint] what the pointer says of the title
 * @property {string|null} unit of the values
 * @property {boolean} [network] show byte rates as bit/s
 * @property {number} from
 * @property {number} to
 * @property {number[]} times
 * @property {number} stepMillis
 * @property {Line[]} series
 * @property {{at: number, text: string}[]} [flags]
 * @property {{value: number, colour: string, word?: string, name?: string}[]} [limits] lines across, in the colour of
 *   a severity; `name` stands beside the plot, where names of lines do
 * @property {{from: number, to: number, colour?: string}[]} [washes] spans in which something was open
 * @property {string|null} [open] severity of what is open on it now
 * @property {"beside" | "within"} [labels] names at the line ends, to the right of the plot or in it
 * @property {number} [room] for names beside the plot, in pixels
 * @property {string} [medianWord] what the dashed line is, when not a median
 * @property {string} [note] beside the value, in place of the median
 * @property {number} [forecast] from when on a band is a forecast
 * @property {string} [empty] why there is nothing to draw
 * @property {unknown} [tools] controls at the end of the head
 */
class SeriesChart extends TimeChart {
  #head = document.createElement("header");

  above() {
    return [this.#head];
  }

  layout(spec, width, height) {
    return layout(spec, width, height);
  }

  paint(context) {
    paintBase(context, this.spec, this.at);
  }

  paintCursor(context, time, pinned) {
    paintCursor(context, this.spec, this.at, time, pinned);
  }

  drawn() {
    this.#drawHead();
  }

  #value(s, i) {
    // Without a cursor it is what is newest, not what is farthest ahead.
    const at = shown(this.spec, s, this.at.gaps[i], cursor.at ?? this.spec.forecast ?? null);
    return at < 0 ? NONE : short(s.values[at] * this.at.units.factor);
  }

  /** The value at the cursor, else the newest; of a line that has ended, when it did. */
  #reading(s, i) {
    const end = cursor.at === null && this.at ? endOf(this.spec, s, this.at.gaps[i]) : -1;
    return end < 0
      ? html`<b>${this.#value(s, i)}</b>`
      : html`<span class="row s12"
          >${shape("unknown", 11)}last ${moment(this.spec.times[end] + this.spec.stepMillis)}</span
        >`;
  }

  #drawHead() {
    const spec = this.spec;
    const main = spec.series.findIndex((s) => s.style === "main");
    const median = spec.series.findIndex((s) => s.style === "median");
    const note = median >= 0 ? `${spec.medianWord ?? "median"} ${this.#value(spec.series[median], median)}` : spec.note;
    render(
      html`${spec.open ? severityShape(spec.open, 11) : nothing}<b class="cut" title=${spec.hint ?? spec.title}
          >${spec.title}</b
        ><span class="m s12">${this.at?.units.unit ?? ""}</span><span class="sp"></span>
        ${spec.empty
          ? html`<span class="m s12 cut note" title=${spec.empty}>${spec.empty}</span>`
          : main >= 0
            ? this.#reading(spec.series[main], main)
            : nothing}
        ${note && !spec.empty ? html`<span class="m s12 cut note" title=${note}>${note}</span>` : nothing}
        <span class="tools">
          <button
            class="icon"
            title=${this.table ? "Show as chart" : "Show as table"}
            aria-pressed=${this.table}
            @click=${() => this.#toggle()}
          >
            <svg width="13" height="13" viewBox="0 0 13 13" fill="none" stroke="currentColor" stroke-width="1.2">
              <path d="M1.5 2h10v9h-10zM1.5 5h10M1.5 8h10M5 2v9" />
            </svg>
          </button>
          ${spec.tools ?? nothing}
        </span>`,
      this.#head,
    );
  }

  #toggle() {
    this.table = !this.table;
    this.#drawHead();
  }

  rowsView() {
    const { spec } = this;
    const lines = spec.series.filter((s) => s.style !== "peer");
    const steps = newestSteps(spec.times, (i) => lines.some((s) => s.values[i] !== null));
    const factor = this.at?.units.factor ?? 1;
    const text = (v) => (v === null ? NONE : short(v * factor));
    return html`<table>
      <thead>
        <tr>
          <th>Time</th>
          ${lines.map((s) => html`<th class="r">${s.style === "median" ? (spec.medianWord ?? "median") : s.name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${steps.map(
          (i) =>
            html`<tr>
              <td>${moment(spec.times[i], true)}</td>
              ${lines.map((s) => html`<td class="r">${text(s.values[i])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** What the chart shows, in words, for those who do not see it. */
  words() {
    const spec = this.spec;
    const title = spec.title || (spec.hint ?? "");
    if (spec.empty) return `${title}: ${spec.empty}`;
    const units = this.at?.units ?? scale(spec.unit, 0, spec.network);
    const parts = spec.series
      .filter((s) => s.style !== "peer")
      .slice(0, 8)
      .map((s) => {
        const present = s.values.filter((v) => v !== null);
        if (!present.length) return `${s.name}: no data`;
        const of = (v) => short(v * units.factor);
        return `${s.name}: last ${of(present.at(-1))}, from ${of(present.reduce((a, b) => Math.min(a, b)))} to ${of(present.reduce((a, b) => Math.max(a, b)))}`;
      });
    const limits = (spec.limits ?? []).filter((l) => l.word).map((l) => `${l.word} ${short(l.value * units.factor)}`);
    return `${title}${units.unit ? ` in ${units.unit}` : ""}, ${moment(spec.from)} to ${moment(spec.to)}. ${[...parts, ...limits].join("; ")}.`;
  }
}

customElements.define("series-chart", SeriesChart);
