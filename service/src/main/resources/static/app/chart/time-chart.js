// What charts over time have in common: a canvas for what is drawn when data, size or theme change, one above it for
// what follows the cursor, the pointer on both, and the same as a table.
import { nothing, render } from "../core/html.js";
import { cursor, follow } from "./cursor.js";
import { fit, theme } from "./canvas.js";
import { paintSelection } from "./paint-cursor.js";
import { TimePointer } from "./pointer.js";

/**
 * A chart gives `layout(spec, width, height)` (where everything goes, with left, right, width and height),
 * `paint(context)`,
 * `paintCursor(context, time, pinned)`, `words()` for those who do not see it and `rowsView()` for the table; as needed
 * `above()`, the elements above the plot, and `drawn()`, which is called when the cursor was drawn. These read `spec`
 * and `at`, the layout.
 */
export class TimeChart extends HTMLElement {
  #spec = null;
  #pointer = null;
  #asked = false;
  #table = false;
  #base = document.createElement("canvas");
  #over = document.createElement("canvas");
  // Hears of the first size as of every other; what is drawn in it already stays.
  #size = new ResizeObserver(
    () => (this.plot.clientWidth !== this.at?.width || this.plot.clientHeight !== this.at?.height) && this.#draw(),
  );
  #unfollow = () => {};
  #themed = () => this.#draw();

  at = null;
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

  get table() {
    return this.#table;
  }

  set table(on) {
    if (Boolean(on) === this.#table) return;
    this.#table = Boolean(on);
    this.classList.toggle("as-table", this.#table);
    this.#drawTable();
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

  /**
   * @abstract
   * @returns {any}
   */
  layout(/** @type {any} */ _spec, /** @type {number} */ _width, /** @type {number} */ _height) {}

  /** @abstract */
  paint(/** @type {CanvasRenderingContext2D} */ _context) {}

  /** @abstract */
  paintCursor(
    /** @type {CanvasRenderingContext2D} */ _context,
    /** @type {number} */ _time,
    /** @type {boolean} */ _pinned,
  ) {}

  /**
   * @abstract
   * @returns {string}
   */
  words() {
    return "";
  }

  /**
   * @abstract
   * @returns {unknown}
   */
  rowsView() {
    return nothing;
  }

  above() {
    return [];
  }

  drawn() {}

  /** Whether a click is taken by the chart itself; else it pins the cursor. */
  clicked(/** @type {PointerEvent} */ _event) {
    return false;
  }

  #build() {
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.plot.setAttribute("role", "img");
    this.plot.append(this.#base, this.#over);
    this.rows = document.createElement("div");
    this.rows.className = "plot-table";
    this.append(...this.above(), this.plot, this.rows);
    this.#pointer = new TimePointer(
      this.plot,
      () => this.at && { left: this.at.left, right: this.at.right, from: this.#spec.from, to: this.#spec.to },
      () => this.drawCursorSoon(),
      (event) => this.clicked(event),
    );
  }

  #draw() {
    const spec = this.#spec;
    if (!spec || !this.plot) return;
    const { clientWidth: width, clientHeight: height } = this.plot;
    if (width > 0 && height > 0) {
      theme(this);
      this.at = this.layout(spec, width, height);
      this.paint(fit(this.#base, width, height));
      this.draws++;
    }
    this.plot.setAttribute("aria-label", this.words());
    this.#drawCursor();
    this.#drawTable();
  }

  /** At most once a frame, however often the pointer reports. */
  drawCursorSoon() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#drawCursor();
    });
  }

  #drawCursor() {
    if (!this.at || !this.#spec) return;
    theme(this);
    const context = fit(this.#over, this.at.width, this.at.height);
    const dragged = this.#pointer.selection;
    if (dragged) paintSelection(context, this.at, dragged.from, dragged.to);
    else this.paintCursor(context, cursor.at, cursor.pinned);
    this.drawn();
  }

  #drawTable() {
    if (this.#spec && this.rows) render(this.#table ? this.rowsView() : nothing, this.rows);
  }
}

/** Indices of the newest steps that have something to say, newest first; as many as a table shows. */
export function newestSteps(times, says) {
  const steps = [];
  for (let i = times.length - 1; i >= 0 && steps.length < 500; i--) if (says(i)) steps.push(i);
  return steps;
}
