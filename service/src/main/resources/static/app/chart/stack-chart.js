// <stack-chart>: layers over time, one upon the other, named at the right with their last value. Set `spec`; see
// `StackSpec`.
import { html, render } from "../core/html.js";
import { NONE, number, short } from "../core/format.js";
import { moment } from "../core/time.js";
import { phone } from "../core/screen.js";
import { cursor } from "./cursor.js";
import { axes } from "./axes.js";
import { ink } from "./canvas.js";
import { layout } from "./layout.js";
import { paintTime } from "./paint-cursor.js";
import { newestSteps, TimeChart } from "./time-chart.js";

const LABEL = 14;
const LABELS = 172;
const THIN = 4;

/**
 * @typedef {object} Layer
 * @property {string} key
 * @property {string} name
 * @property {(number|null)[]} values of each step, in the unit of the chart
 * @property {string} colour name of a token
 * @property {boolean} [hot] whether somebody has to look
 *
 * @typedef {object} StackSpec
 * @property {string} title
 * @property {{unit: string, factor: number}} units how values are shown
 * @property {number} from
 * @property {number} to
 * @property {number[]} times start of each step
 * @property {number} stepMillis
 * @property {Layer[]} layers the lowest first
 * @property {string|null} marked key of the layer that is chosen
 * @property {(key: string) => void} choose
 */
class StackChart extends TimeChart {
  #labels = document.createElement("div");

  above() {
    this.#labels.className = "stack-labels";
    return [this.#labels];
  }

  layout(spec, width, height) {
    const steps = spec.times.length;
    // A step holds until the next one begins, so the last one goes on to the end.
    const times = steps
      ? [...spec.times, Math.max(spec.times.at(-1) + 1, Math.min(spec.to, spec.times.at(-1) + spec.stepMillis))]
      : [];
    const tops = [];
    let base = new Array(times.length).fill(0);
    for (const layer of spec.layers) {
      base = base.map((b, i) => b + Math.max(0, layer.values[Math.min(i, steps - 1)] ?? 0));
      tops.push(base);
    }
    const known = times.map((_, i) => spec.layers.some((l) => (l.values[Math.min(i, steps - 1)] ?? null) !== null));
    const at = layout(
      { ...spec, times, labels: false, series: [{ values: tops.at(-1) ?? [] }], units: spec.units, unit: null },
      width - (phone() ? 22 : LABELS) + 10,
      height,
    );
    return Object.assign(at, { width, times, tops, known });
  }

  paint(context) {
    const { spec, at } = this;
    const floor = at.times.map(() => 0);
    context.save();
    context.beginPath();
    context.rect(at.left, 0, at.right - at.left, at.bottom + 1);
    context.clip();
    context.lineJoin = "round";
    // Gaps are gaps: each stretch of known steps is an area of its own.
    const stretches = [];
    at.known.forEach((is, i) => (is ? (i && at.known[i - 1] ? stretches.at(-1).push(i) : stretches.push([i])) : null));
    spec.layers.forEach((layer, n) => {
      const [low, high] = [n ? at.tops[n - 1] : floor, at.tops[n]];
      context.fillStyle = ink(layer.colour);
      for (const run of stretches) {
        context.beginPath();
        for (const i of run) context.lineTo(at.xs[i], at.y(high[i]));
        for (const i of run.toReversed()) context.lineTo(at.xs[i], at.y(low[i]));
        context.closePath();
        context.fill();
      }
    });
    // A rule between layers, where it would not cover those that are thin.
    context.strokeStyle = ink("--surface");
    context.lineWidth = 1;
    spec.layers.forEach((_, n) => {
      const [low, high] = [n ? at.tops[n - 1] : floor, at.tops[n]];
      const thickness = high.reduce((sum, v, i) => sum + at.y(low[i]) - at.y(v), 0) / Math.max(1, high.length);
      if (thickness < THIN) return;
      for (const run of stretches) {
        context.beginPath();
        for (const i of run) context.lineTo(at.xs[i], at.y(high[i]));
        context.stroke();
      }
    });
    const marked = spec.layers.findIndex((l) => l.key === spec.marked);
    if (marked >= 0) {
      context.strokeStyle = ink("--ink");
      context.lineWidth = 1.5;
      for (const run of stretches) {
        context.beginPath();
        for (const i of run) context.lineTo(at.xs[i], at.y(at.tops[marked][i]));
        context.stroke();
      }
    }
    context.restore();
    axes(context, spec, at);
  }

  paintCursor(context, time, pinned) {
    paintTime(context, this.spec, this.at, time, pinned);
  }

  drawn() {
    this.#drawLabels();
  }

  /** The step that the cursor is in, else the newest that is known. */
  #step() {
    const { spec, at } = this;
    if (cursor.at !== null && cursor.at >= spec.from && cursor.at <= spec.to)
      return spec.times.findLastIndex((t) => t <= cursor.at);
    return at ? Math.min(spec.times.length - 1, at.known.findLastIndex(Boolean)) : -1;
  }

  /** A click in a layer that has a name chooses it. */
  clicked(event) {
    const { spec, at } = this;
    if (!at?.times.length) return false;
    const box = this.plot.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (x < at.left || x > at.right || y > at.bottom) return false;
    const i = Math.max(
      0,
      at.xs.findLastIndex((s) => s <= x),
    );
    const n = at.tops.findIndex((top) => at.y(top[i]) <= y);
    const layer = spec.layers[n];
    if (!layer || layer.rest) return false;
    spec.choose(layer.key);
    return true;
  }

  #drawLabels() {
    const { spec, at } = this;
    if (!at) return;
    const step = this.#step();
    const last = at.times.length - 1;
    const places = spec.layers.map((layer, n) => {
      const [low, high] = last < 0 ? [0, 0] : [n ? at.tops[n - 1][last] : 0, at.tops[n][last]];
      return { layer, value: step < 0 ? null : (layer.values[step] ?? null), y: at.y((low + high) / 2) };
    });
    // From the lowest upwards, each pushed clear of the one below; then down again from the top.
    places.forEach((p, i) => (p.y = Math.min(p.y, i ? places[i - 1].y - LABEL : at.bottom - 4)));
    for (let i = places.length - 1; i >= 0; i--)
      places[i].y = Math.max(places[i].y, i === places.length - 1 ? at.top + 2 : places[i + 1].y + LABEL);
    const { factor } = spec.units;
    render(
      html`${places
        .toReversed()
        .map(
          ({ layer, value, y }) =>
            html`<button
              class="${layer.hot ? "hot" : ""} ${layer.key === spec.marked ? "on" : ""}"
              .style=${`top:${Math.round(y - LABEL / 2)}px`}
              ?disabled=${Boolean(layer.rest)}
              title=${layer.rest ? layer.name : `Only ${layer.name}`}
              @click=${() => spec.choose(layer.key)}
            >
              <i .style=${`background:var(${layer.colour})`}></i><span class="cut">${layer.name}</span
              ><span class="sp"></span><span>${value === null ? NONE : short(value * factor)}</span>
            </button>`,
        )}`,
      this.#labels,
    );
  }

  rowsView() {
    const { spec } = this;
    const steps = newestSteps(spec.times, (i) => spec.layers.some((l) => l.values[i] !== null));
    const lines = spec.layers.toReversed();
    return html`<table>
      <thead>
        <tr>
          <th>Time</th>
          ${lines.map((l) => html`<th class="r">${l.name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${steps.map(
          (i) =>
            html`<tr>
              <td>${moment(spec.times[i], true)}</td>
              ${lines.map(
                (l) => html`<td class="r">${l.values[i] === null ? NONE : short(l.values[i] * spec.units.factor)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  words() {
    const { spec } = this;
    const { factor, unit } = spec.units;
    const parts = spec.layers
      .toReversed()
      .slice(0, 8)
      .map((l) => {
        const present = l.values.filter((v) => v !== null);
        return present.length
          ? `${l.name}: last ${number(present.at(-1) * factor)}, at most ${number(present.reduce((a, b) => Math.max(a, b)) * factor)}`
          : `${l.name}: nothing known`;
      });
    return `${spec.title}, ${unit}, ${moment(spec.from)} to ${moment(spec.to)}. ${parts.join("; ")}.`;
  }
}

customElements.define("stack-chart", StackChart);
