// Pictures of one figure against another: the curve of load and latency of a benchmark, and values over the time since
// a run began. Each is drawn as SVG in the size of its box, so that its colours are those of the theme.
import { html, nothing, render, svg } from "../core/html.js";
import { number } from "../core/format.js";
import { narrow } from "../core/screen.js";
import { niceTicks } from "./scale.js";

/** How wide a letter of the axes is, in pixels: they are larger on small windows. */
const letter = () => (narrow() ? 7.6 : 6.9);
const MARGIN = { top: 14, right: 16, bottom: 38, left: 46 };
/** From so much between the lowest and the highest value on, an axis is logarithmic. */
const MANY = 50;
const BARELY = 3;

export class XyChart extends HTMLElement {
  #spec = null;
  #size = new ResizeObserver(() => this.#draw());

  set spec(spec) {
    if (spec === this.#spec) return;
    this.#spec = spec;
    if (this.isConnected) this.#draw();
  }

  get spec() {
    return this.#spec;
  }

  connectedCallback() {
    this.#size.observe(this);
    this.#draw();
  }

  disconnectedCallback() {
    this.#size.disconnect();
  }

  /**
   * @abstract
   * @returns {unknown}
   */
  picture(/** @type {any} */ _spec, /** @type {number} */ _width, /** @type {number} */ _height) {
    return nothing;
  }

  /**
   * @abstract
   * @returns {string}
   */
  words(/** @type {any} */ _spec) {
    return "";
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this;
    if (!this.#spec || !width || !height) return;
    render(
      html`<svg
        width=${width}
        height=${height}
        viewBox="0 0 ${width} ${height}"
        role="group"
        aria-label=${this.words(this.#spec)}
      >
        ${this.picture(this.#spec, width, height)}
      </svg>`,
      this,
    );
  }
}

/**
 * An axis: `at(v)` is where a value lies, `ticks` are what it is labelled with. `from` and `to` are pixels; `low` above 0
 * and `log` make it logarithmic. It ends at a tick, unless `round` is off.
 */
export function axis({ low, high, from, to, parts, log = false, round = true }) {
  if (log) {
    const [a, b] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
    const ticks = Array.from({ length: b - a + 1 }, (_, i) => Number((10 ** (a + i)).toPrecision(1)));
    const at = (v) => from + ((Math.log10(Math.max(v, ticks[0])) - a) / (b - a || 1)) * (to - from);
    return { at, ticks, log };
  }
  const nice = niceTicks(low, high, parts);
  const end = round ? nice.at(-1) : high;
  const at = (v) => from + ((v - nice[0]) / (end - nice[0])) * (to - from);
  return { at, ticks: nice.filter((t) => t <= end), log };
}

const text = (x, y, words, { anchor = "start", cls = "axis" } = {}) =>
  svg`<text class=${cls} x=${x} y=${y} text-anchor=${anchor}>${words}</text>`;

/** The frame of a picture: rules across with their values, and values below. */
export function frame({ left, right, bottom, x, y, xText = number, yText = number }) {
  let last = -Infinity;
  return svg`${y.ticks.map(
    (t) =>
      svg`<line class="grid" x1=${left} x2=${right} y1=${y.at(t)} y2=${y.at(t)} />
        ${text(left - 6, y.at(t) + 4, yText(t), { anchor: "end" })}`,
  )}${x.ticks.map((t) => {
    const words = xText(t);
    const half = (words.length * letter()) / 2;
    const at = Math.min(Math.max(x.at(t), left - 16 + half), right + 12 - half);
    if (at - half < last + 8) return nothing;
    last = at + half;
    return text(at, bottom + 16, words, { anchor: "middle" });
  })}`;
}

/** Slopes at the points of a function that rises or falls from each to the next, so that it does so between them. */
function slopes(x, y) {
  const n = x.length;
  const secant = (i) => (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  if (n === 2) return [secant(0), secant(0)];
  const end = (h0, h1, near, far) => {
    const slope = ((2 * h0 + h1) * near - h0 * far) / (h0 + h1);
    if (slope * near <= 0) return 0;
    return near * far <= 0 && Math.abs(slope) > 3 * Math.abs(near) ? 3 * near : slope;
  };
  return x.map((_, i) => {
    if (i === 0) return end(x[1] - x[0], x[2] - x[1], secant(0), secant(1));
    if (i === n - 1) return end(x[i] - x[i - 1], x[i - 1] - x[i - 2], secant(i - 1), secant(i - 2));
    const [before, after] = [secant(i - 1), secant(i)];
    if (before * after <= 0) return 0;
    const [h0, h1] = [x[i] - x[i - 1], x[i + 1] - x[i]];
    const [w0, w1] = [2 * h1 + h0, h1 + 2 * h0];
    return (w0 + w1) / (w0 / before + w1 / after);
  });
}

const STEPS = 10;

/**
 * Points on the way through the measured ones, `[load, latency]`: where the latency rises, the load is a monotone
 * function of it, as the service reads it; elsewhere the way is straight.
 */
export function way(points) {
  const out = [];
  for (let i = 0; i < points.length; ) {
    let end = i;
    while (end + 1 < points.length && points[end + 1].latencyMillis > points[end].latencyMillis) end++;
    const run = points.slice(i, end + 1);
    if (run.length === 1) out.push([run[0].load, run[0].latencyMillis]);
    else {
      const [x, y] = [run.map((p) => p.latencyMillis), run.map((p) => p.load)];
      const d = slopes(x, y);
      for (let k = 0; k < run.length - 1; k++) {
        const width = x[k + 1] - x[k];
        const [a, b, rise] = [d[k] * width, d[k + 1] * width, y[k + 1] - y[k]];
        for (let s = k ? 1 : 0; s <= STEPS; s++) {
          const t = s / STEPS;
          out.push([y[k] + t * (a + t * (3 * rise - 2 * a - b + t * (a + b - 2 * rise))), x[k] + t * width]);
        }
      }
    }
    i = end + 1;
  }
  return out;
}

/** A line through points, `[x, y]`. */
export const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/**
 * @typedef {object} LoadCurveSpec
 * @property {string} words what the picture says
 * @property {any[]} points of the curve, as the API gives them, in the order of the parameter
 * @property {{name: string, points: any[]}[]} others curves beside it
 * @property {number|null} limit in milliseconds
 * @property {number|null} maximum theoretical, in the unit of the load
 * @property {string} maximumWords
 * @property {{load: number, latencyMillis: number, head: string, note: string}|null} reading the place that was read
 * @property {string} latency such as "p95"
 * @property {string} foot what the axis and the numbers are
 * @property {(v: number) => string} loadText
 * @property {(value: string) => string} valueText of the parameter
 * @property {(point: any) => void} open goes to the run of a point
 * @property {(point: any) => string} pointWords
 */
class LoadCurve extends XyChart {
  words(spec) {
    return spec.words;
  }

  picture(spec, width, height) {
    const slim = width < 480;
    const [left, right] = [MARGIN.left, width - MARGIN.right];
    const [top, bottom] = [MARGIN.top, height - MARGIN.bottom];
    const { points, limit } = spec;
    const latencies = points.map((p) => p.latencyMillis);
    const highest = Math.max(...points.map((p) => p.latencyHighMillis));
    const lowest = Math.min(...latencies.filter((v) => v > 0), highest);
    // A limit out of reach would press the curve flat.
    const reach = limit !== null && limit <= highest * BARELY ? Math.max(highest, limit) : highest;
    const log = reach / lowest > MANY;
    const y = axis({
      low: log ? Math.min(lowest, limit ?? lowest) : 0,
      high: reach,
      from: bottom,
      to: top,
      parts: Math.max(2, Math.min(5, (bottom - top) / 52)),
      log,
    });
    const most = Math.max(...points.map((p) => p.loadHigh), spec.maximum ?? 0);
    const x = axis({ low: 0, high: most * 1.06, from: left, to: right, parts: Math.max(2, width / 150), round: false });
    /** @returns {[number, number]} */
    const place = ([load, latency]) => [x.at(load), y.at(latency)];
    const limited = limit !== null && limit <= reach * 1.001 && (!log || limit >= y.ticks[0]);
    const taken = [];
    const within = { left, right, top, bottom, slim };
    return svg`${frame({ left, right, bottom, x, y, xText: spec.loadText })}
      ${limited && spec.reading ? this.#carried(left, bottom, x.at(spec.reading.load), y.at(limit)) : nothing}
      ${limited ? this.#limit(limit, left, right, y.at(limit), taken, slim || y.at(limit) < top + 14) : nothing}
      ${spec.maximum ? this.#maximum(spec, x.at(spec.maximum), top, bottom, left, taken) : nothing}
      ${spec.others.map(
        (other) =>
          svg`<path class="other" d=${path(
            way(other.points)
              .filter(([load, latency]) => latency <= y.ticks.at(-1) && load <= most * 1.06)
              .map(place),
          )}><title>${other.name}</title></path>`,
      )}
      <path class="curve" d=${path(way(points).map(place))} />
      ${limited && spec.reading ? this.#reading(spec.reading, x, y, within, taken) : nothing}
      ${points.map((p) => this.#point(spec, p, place([p.load, p.latencyMillis]), x, y, { right, bottom }, taken))}
      ${text(left, height - 6, `${spec.latency}, ms${log ? ", logarithmic" : ""}`, { cls: "foot" })}
      ${slim ? nothing : text(right, height - 6, spec.foot, { anchor: "end", cls: "foot" })}`;
  }

  #carried(left, bottom, load, limit) {
    const [wide, high] = [Math.max(0, load - left), Math.max(0, bottom - limit)];
    return svg`<rect class="carried" x=${left} y=${limit} width=${wide} height=${high} />`;
  }

  #limit(limit, left, right, at, taken, below) {
    const words = `limit ${number(limit)} ms`;
    const base = at + (below ? 14 : -6);
    taken.push([left, base - 14, left + words.length * letter() + 10, base + 4]);
    return svg`<line class="limit" x1=${left} x2=${right} y1=${at} y2=${at} />
      ${text(left + 6, base, words, { cls: "limit-words" })}`;
  }

  #maximum(spec, at, top, bottom, left, taken) {
    const long = spec.maximumWords.length * letter();
    taken.push([at - 6 - long, top - 4, at, top + 12]);
    const fits = at - 6 - long > left;
    return svg`<line class="maximum" x1=${at} x2=${at} y1=${top - 4} y2=${bottom} />
      ${fits ? text(at - 6, top + 6, spec.maximumWords, { anchor: "end", cls: "note" }) : nothing}`;
  }

  /** Where the curve was read: a hollow diamond with its words, on the side that has room. */
  #reading(reading, x, y, { left, right, top, bottom, slim }, taken) {
    const [at, level] = [x.at(reading.load), y.at(reading.latencyMillis)];
    const long = Math.max(reading.head.length * 7.4, reading.note.length * letter());
    const before = at - 12 - long > left || at - left > right - at;
    const [edge, anchor] = before ? [at - 12, "end"] : [at + 12, "start"];
    const up = level - 42 > top;
    const base = up ? level - 12 : level + 32;
    taken.push([before ? edge - long : edge, base - 30, before ? edge : edge + long, base + 4]);
    return svg`<line class="read" x1=${at} x2=${at} y1=${level} y2=${bottom} />
      <path class="read" d=${`M${at} ${level - 6}l6 6-6 6-6-6z`} />
      ${text(edge, base - (slim || !reading.note ? 0 : 15), reading.head, { anchor, cls: "say" })}
      ${slim || !reading.note ? nothing : text(edge, base, reading.note, { anchor, cls: "note" })}`;
  }

  #point(spec, p, [px, py], x, y, { right, bottom }, taken) {
    const across = `M${x.at(p.loadLow)} ${py}H${x.at(p.loadHigh)}`;
    const upright = `M${px} ${y.at(p.latencyLowMillis)}V${y.at(p.latencyHighMillis)}`;
    const bars = p.repeats > 1 ? svg`<path class="bars" d=${across + upright} />` : nothing;
    const words = spec.valueText(p.value);
    const long = words.length * letter();
    // Below it, or beside it where the curve is steep or something stands there.
    const spots = [
      [px, py + 19, "middle", [px - long / 2, py + 8, px + long / 2, py + 22]],
      [px + 10, py + 4, "start", [px + 10, py - 8, px + 10 + long, py + 6]],
      [px - 10, py - 8, "end", [px - 10 - long, py - 20, px - 10, py - 6]],
    ];
    const spot = spots.find(
      ([, , , [a, b, c, d]]) =>
        c < right + 12 && d < bottom + 2 && taken.every(([e, f, g, h]) => c < e || a > g || d < f || b > h),
    );
    if (spot) taken.push(spot[3]);
    const enter = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      spec.open(p);
    };
    const said = spec.pointWords(p);
    return svg`${bars}
      <g role="link" tabindex="0" aria-label=${said} @click=${() => spec.open(p)} @keydown=${enter}>
        <circle class="reach" cx=${px} cy=${py} r="12" />
        <circle class="dot ${p.steady === "steady" ? "" : "hollow"}" cx=${px} cy=${py} r="4.2" />
        <title>${said}</title>
      </g>
      ${spot ? text(spot[0], spot[1], words, { anchor: spot[2], cls: "value" }) : nothing}`;
  }
}

customElements.define("load-curve", LoadCurve);

const POINTS = 600;

/** At most so many points of a long line: the lowest and the highest of each of its parts. */
function thinned(points) {
  if (points.length <= POINTS) return points;
  const size = Math.ceil(points.length / (POINTS / 2));
  const out = [];
  for (let i = 0; i < points.length; i += size) {
    const part = points.slice(i, i + size);
    const low = part.reduce((a, b) => (b[1] < a[1] ? b : a));
    const high = part.reduce((a, b) => (b[1] > a[1] ? b : a));
    out.push(...(low[0] < high[0] ? [low, high] : [high, low]));
  }
  return out;
}

/** Seconds as a label of an axis that ends at `most`. */
function timeTicks(most) {
  const [unit, name] = most < 180 ? [1, "s"] : most < 10_800 ? [60, "min"] : [3600, "h"];
  return { unit, text: (v, last) => `${number(v)}${last ? ` ${name}` : ""}` };
}

/**
 * @typedef {object} ElapsedSpec
 * @property {string} words
 * @property {{name: string, cls: string, seconds: number[], values: (number|null)[]}[]} lines the last one above
 * @property {number|null} steadyFrom seconds
 * @property {string} steadyWords
 * @property {boolean} zero whether the axis begins at 0
 * @property {(v: number) => string} text
 */
class ElapsedChart extends XyChart {
  words(spec) {
    return spec.words;
  }

  picture(spec, width, height) {
    const lines = spec.lines.map((line) => ({
      ...line,
      points: line.seconds.map((s, i) => [s, line.values[i]]).filter(([, v]) => v !== null),
    }));
    const all = lines.flatMap((line) => line.points.map(([, v]) => v));
    if (!all.length) return nothing;
    const most = Math.max(...lines.map((line) => line.points.at(-1)?.[0] ?? 0));
    const low = spec.zero ? 0 : all.reduce((a, b) => Math.min(a, b));
    const high = all.reduce((a, b) => Math.max(a, b));
    const [top, bottom] = [10, height - 22];
    const y = axis({ low, high, from: bottom, to: top, parts: Math.max(2, Math.min(4, (bottom - top) / 44)) });
    const labels = Math.max(0, ...lines.map((line) => line.name.length * (letter() + 0.6) + 8));
    const left = 10 + Math.max(...y.ticks.map((t) => spec.text(t).length)) * letter();
    const right = width - Math.max(12, labels);
    const time = timeTicks(most);
    const ticks = niceTicks(0, most / time.unit, Math.max(2, (right - left) / 90)).filter(
      (t) => t * time.unit <= most * 1.001,
    );
    const at = (s) => left + (s / most) * (right - left);
    const x = { at: (t) => at(t * time.unit), ticks };
    const places = lines
      .filter((line) => line.name && line.points.length)
      .map((line) => ({ line, y: y.at(line.points.at(-1)[1]) }))
      .toSorted((a, b) => a.y - b.y);
    places.forEach((p, i) => i && (p.y = Math.max(p.y, places[i - 1].y + 14)));
    const from = spec.steadyFrom === null ? null : at(Math.min(spec.steadyFrom, most));
    const tall = bottom - top + 6;
    const told = from !== null && from + spec.steadyWords.length * letter() < right;
    const course = (line) => path(thinned(line.points).map(([s, v]) => [at(s), y.at(v)]));
    return svg`${
      from !== null && from > left
        ? svg`<rect class="before" x=${left} y=${top - 6} width=${from - left} height=${tall} />`
        : nothing
    }
      ${frame({ left, right, bottom, x, y, xText: (t) => time.text(t, t === ticks.at(-1)), yText: spec.text })}
      ${lines.map((line) => svg`<path class=${line.cls} d=${course(line)} />`)}
      ${from === null ? nothing : svg`<line class="from" x1=${from} x2=${from} y1=${top - 6} y2=${bottom} />`}
      ${told ? text(from + 5, bottom - 5, spec.steadyWords, { cls: "note" }) : nothing}
      ${places.map(({ line, y: level }) => text(right + 5, level + 4, line.name, { cls: `${line.cls} end` }))}`;
  }
}

customElements.define("elapsed-chart", ElapsedChart);
