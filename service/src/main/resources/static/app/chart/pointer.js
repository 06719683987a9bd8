// What the pointer does on a chart of time: hovering moves the cursor of the page, a click pins it, dragging zooms the
// page and a double click leads back.
import { setAbsolute, zoomBack } from "../core/time.js";
import { cursor, hover, pin } from "./cursor.js";

const CLICK = 5;
const PINNED = 6;

export class TimePointer {
  #drag = null;
  #plot;
  #area;
  #changed;
  #clicked;

  /**
   * `area()` says where time lies on `plot`: left, right, from and to, null while nothing is drawn; `changed()` hears
   * of a drag; `clicked(event)` may take a click for itself.
   */
  constructor(plot, area, changed, clicked = (/** @type {PointerEvent} */ _event) => false) {
    this.#plot = plot;
    this.#area = area;
    this.#changed = changed;
    this.#clicked = clicked;
    plot.addEventListener("pointermove", (event) => this.#moved(event));
    plot.addEventListener("pointerleave", () => this.#drag || hover(null));
    plot.addEventListener("pointerdown", (event) => this.#pressed(event));
    plot.addEventListener("pointerup", (event) => this.#released(event));
    plot.addEventListener("pointercancel", () => (this.#drag = null));
    plot.addEventListener("dblclick", () => zoomBack());
  }

  /** The stretch that is dragged over, `{ from, to }` in pixels; null when that is none yet. */
  get selection() {
    return this.#drag && Math.abs(this.#drag.x - this.#drag.start) > CLICK
      ? { from: this.#drag.start, to: this.#drag.x }
      : null;
  }

  #at(event) {
    const area = this.#area();
    if (!area) return null;
    const x = Math.min(Math.max(event.clientX - this.#plot.getBoundingClientRect().left, area.left), area.right);
    return { x, time: area.from + ((x - area.left) / (area.right - area.left)) * (area.to - area.from) };
  }

  #moved(event) {
    const at = this.#at(event);
    if (!at) return;
    if (!this.#drag) return hover(at.time);
    Object.assign(this.#drag, { x: at.x, to: at.time });
    this.#changed();
  }

  #pressed(event) {
    const at = this.#at(event);
    if (!at || event.button !== 0) return;
    this.#drag = { from: at.time, to: at.time, start: at.x, x: at.x };
    this.#plot.setPointerCapture(event.pointerId);
  }

  #released(event) {
    const drag = this.#drag;
    const zooms = this.selection !== null;
    this.#drag = null;
    if (!drag) return;
    const { left, right, from, to } = this.#area();
    const pinned =
      cursor.pinned && Math.abs(left + ((cursor.at - from) / (to - from)) * (right - left) - drag.x) < PINNED;
    if (zooms) setAbsolute(Math.min(drag.from, drag.to), Math.max(drag.from, drag.to), { zoom: true });
    else if (event.detail < 2 && !this.#clicked(event)) pin(pinned ? null : drag.from);
    this.#changed();
  }
}
