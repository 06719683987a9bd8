// Lines filled pixel by pixel: the many behind others, and any that is a dense zigzag.
//
// A canvas strokes a zigzag segment by segment, in time that grows with its length: fifty noisy series take several
// frames. Here each line is first reduced to its vertical extent in every column of pixels; then each column is filled
// once for all lines of a colour. That takes time for the samples and for the pixels, whatever the lines look like. No
// sample is left out: every extreme lies within the extent of its column.
import { broken } from "./decimate.js";

/**
 * The vertical extent of a series in each of `columns`: it lies from `low[c]` to `high[c]`; where it is not, low is
 * above high. `xs` are the places of `times` in columns, `y` gives the row of a value; lines are broken where `broken`
 * says for `gap` milliseconds.
 */
export function extentOf(times, xs, values, y, gap, columns) {
  const low = new Float32Array(columns).fill(Infinity);
  const high = new Float32Array(columns).fill(-Infinity);
  let at = NaN;
  let lo = 0;
  let hi = 0;
  let lastTime = NaN;
  let before = NaN;
  let lastX = 0;
  let lastY = 0;
  const keep = () => {
    if (!(at >= 0 && at < columns)) return;
    if (lo < low[at]) low[at] = lo;
    if (hi > high[at]) high[at] = hi;
  };
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (v === null) continue;
    const row = y(v);
    const x = xs[i];
    const column = Math.floor(x);
    if (!(times[i] - lastTime <= gap) && (Number.isNaN(lastTime) || broken(times, values, i, lastTime, before, gap))) {
      keep();
      at = column;
      lo = hi = row;
    } else if (column === at) {
      if (row < lo) lo = row;
      else if (row > hi) hi = row;
    } else {
      // The border between two columns belongs to both, so that steep lines have no holes.
      const slope = (row - lastY) / (x - lastX);
      const end = lastY + slope * (at + 1 - lastX);
      if (end < lo) lo = end;
      else if (end > hi) hi = end;
      keep();
      for (let c = Math.max(at + 1, 0), until = Math.min(column, columns); c < until; c++) {
        const here = lastY + slope * (c - lastX);
        const next = here + slope;
        low[c] = here < next ? here : next;
        high[c] = here < next ? next : here;
      }
      const begin = lastY + slope * (column - lastX);
      at = column;
      lo = begin < row ? begin : row;
      hi = begin < row ? row : begin;
    }
    before = lastTime;
    lastTime = times[i];
    lastX = x;
    lastY = row;
  }
  keep();
  return { low, high };
}

/** Makes a line `width` columns wide. */
function widen({ low, high }, width) {
  for (let c = low.length - 1; c > 0; c--) {
    for (let d = Math.max(0, c - width + 1); d < c; d++) {
      if (low[d] < low[c]) low[c] = low[d];
      if (high[d] > high[c]) high[c] = high[d];
    }
  }
}

// Whole numbers are fast: a pixel has so many parts, and what covers it is counted in them, summed over lines.
const PARTS = 16;

/**
 * Writes into every fourth byte of `pixels` (the alpha of an image of `columns` by `rows`) how opaque each pixel is
 * when each line has the opacity `alpha`: lines that cross darken as strokes over each other do. Lines are `thick` rows
 * high where they are level. Gives the rows between which there is something, `[first, past]`.
 */
export function cover(pixels, extents, columns, rows, thick, alpha) {
  const shades = Uint8Array.from({ length: extents.length * PARTS + 1 }, (_, n) =>
    Math.round(255 * (n < PARTS ? (alpha * n) / PARTS : 1 - (1 - alpha) ** (n / PARTS))),
  );
  // The whole pixels of a span are a step up at its start and a step down behind its end; its broken ends are added to
  // these pixels.
  const steps = new Int32Array(rows + 2);
  const ends = new Int32Array(rows + 2);
  const most = rows * PARTS;
  let top = rows;
  let bottom = 0;
  for (let c = 0; c < columns; c++) {
    let first = rows;
    let past = 0;
    for (let i = 0; i < extents.length; i++) {
      const { low, high } = extents[i];
      if (low[c] > high[c]) continue;
      // A level line is as high as it is thick; a steep one is as high as it climbs, so that it looks no thicker.
      const climb = high[c] - low[c];
      const half = (Math.sqrt(thick * thick + climb * climb) - climb) / 2;
      const a = Math.max(0, Math.round((low[c] - half) * PARTS));
      const b = Math.min(most, Math.round((high[c] + half) * PARTS));
      if (a >= b) continue;
      const from = (a / PARTS) | 0;
      const to = (b / PARTS) | 0;
      if (from === to) ends[from] += b - a;
      else {
        ends[from] += (from + 1) * PARTS - a;
        steps[from + 1] += PARTS;
        steps[to] -= PARTS;
        ends[to] += b - to * PARTS;
      }
      if (from < first) first = from;
      if (to >= past) past = to + 1;
    }
    let whole = 0;
    for (let r = first, at = (first * columns + c) * 4 + 3; r < past; r++, at += columns * 4) {
      whole += steps[r];
      if (r < rows) pixels[at] = shades[whole + ends[r]];
      steps[r] = 0;
      ends[r] = 0;
    }
    if (first < top) top = first;
    if (past > bottom) bottom = past;
  }
  return [top, Math.min(bottom, rows)];
}

// One image for all charts of a size; each is filled and copied before the next begins.
let scratch = null;

function scratchOf(columns, rows) {
  if (scratch?.image.width !== columns || scratch.image.height !== rows) {
    const canvas = document.createElement("canvas");
    canvas.width = columns;
    canvas.height = rows;
    const image = new ImageData(columns, rows);
    scratch = { context: canvas.getContext("2d"), image, words: new Uint32Array(image.data.buffer) };
  }
  return scratch;
}

const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const known = new Map();

/** Red, green, blue and alpha of a colour of CSS, 0 to 255 each. */
function channels(colour) {
  if (!known.has(colour)) {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    known.set(colour, probe.getImageData(0, 0, 1, 1).data);
  }
  return known.get(colour);
}

/**
 * The extents of some series of `spec`, `[series, gap]` each, between `at.left` and `at.right` on a screen of `ratio`
 * pixels per px.
 */
export function extentsOf(spec, lines, at, ratio, width) {
  const columns = Math.max(1, Math.ceil((at.right - at.left) * ratio) + 1);
  const xs = Float64Array.from(at.xs, (x) => (x - at.left) * ratio);
  const y = (v) => at.y(v) * ratio;
  const wide = Math.max(1, Math.round(width * ratio));
  return lines.map(([s, gap]) => {
    const extent = extentOf(spec.times, xs, s.values, y, gap, columns);
    if (wide > 1) widen(extent, wide);
    return extent;
  });
}

/**
 * Whether a line goes up and down so much that a canvas would be slow to stroke it, and nobody could see its single
 * segments.
 */
export function isZigzag({ low, high }) {
  let length = 0;
  for (let c = 0; c < low.length; c++) if (high[c] > low[c]) length += high[c] - low[c];
  return length > 6 * low.length;
}

/**
 * An image with lines of one colour, `width` px wide, and the rows between which it is not empty; the next call writes
 * into the same.
 */
function filled(extents, at, ratio, width, colour) {
  const columns = extents[0].low.length;
  const rows = Math.max(1, Math.ceil((at.bottom + 2) * ratio));
  const { context, image, words } = scratchOf(columns, rows);
  const [red, green, blue, alpha] = channels(colour);
  image.data.set([red, green, blue, 0]);
  words.fill(words[0]);
  return { context, image, span: cover(image.data, extents, columns, rows, width * ratio, alpha / 255) };
}

/** Fills lines of one colour, `width` px wide. */
export function paintExtents(target, extents, at, ratio, width, colour) {
  const {
    context,
    image,
    span: [top, bottom],
  } = filled(extents, at, ratio, width, colour);
  if (bottom <= top) return;
  context.putImageData(image, 0, 0, 0, top, image.width, bottom - top);
  target.save();
  target.setTransform(1, 0, 0, 1, 0, 0);
  target.drawImage(
    context.canvas,
    0,
    top,
    image.width,
    bottom - top,
    Math.round(at.left * ratio),
    top,
    image.width,
    bottom - top,
  );
  target.restore();
}

/**
 * Many lines of one colour as an image that is kept: what only moves other things of a chart, such as a limit that is
 * dragged, draws it again as it is. Lines are told apart by their lists of values, their places by `key`.
 */
export class Crowd {
  #key = null;
  #lines = [];
  #extents = new Map();
  #canvas = document.createElement("canvas");
  #span = [0, 0];

  /**
   * `times` and the values of `lines` lie where `at` says, with `gap` milliseconds between samples that are not joined.
   */
  paint(target, { times, lines, at, gap, key, width, colour }) {
    if (!lines.length) return;
    const ratio = target.getTransform().a;
    const whole = [key, at.left, at.right, at.bottom, gap, ratio, width, colour].join(" ");
    if (
      whole !== this.#key ||
      lines.length !== this.#lines.length ||
      !lines.every((values, i) => values === this.#lines[i])
    ) {
      if (whole !== this.#key) this.#extents.clear();
      this.#key = whole;
      this.#lines = lines;
      this.#make(times, at, gap, ratio, width, colour);
    }
    const [top, bottom] = this.#span;
    if (bottom <= top) return;
    target.save();
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.drawImage(
      this.#canvas,
      0,
      top,
      this.#canvas.width,
      bottom - top,
      Math.round(at.left * ratio),
      top,
      this.#canvas.width,
      bottom - top,
    );
    target.restore();
  }

  #make(times, at, gap, ratio, width, colour) {
    if (this.#extents.size > 2 * this.#lines.length) {
      const now = new Set(this.#lines);
      for (const values of this.#extents.keys()) if (!now.has(values)) this.#extents.delete(values);
    }
    const missing = this.#lines.filter((values) => !this.#extents.has(values));
    extentsOf(
      { times },
      missing.map((values) => [{ values }, gap]),
      at,
      ratio,
      width,
    ).forEach((extent, i) => this.#extents.set(missing[i], extent));
    const { image, span } = filled(
      this.#lines.map((values) => this.#extents.get(values)),
      at,
      ratio,
      width,
      colour,
    );
    this.#span = span;
    if (this.#canvas.width !== image.width || this.#canvas.height !== image.height)
      Object.assign(this.#canvas, { width: image.width, height: image.height });
    else this.#canvas.getContext("2d").clearRect(0, 0, image.width, image.height);
    if (span[1] > span[0])
      this.#canvas.getContext("2d").putImageData(image, 0, 0, 0, span[0], image.width, span[1] - span[0]);
  }
}
