// What stands below what is seen is read when one comes to it.
import { redraw } from "../core/bus.js";

export class Near {
  /** Whether its element has been seen, once. */
  seen = false;

  #observer = new IntersectionObserver((entries) => {
    if (!entries.some((e) => e.isIntersecting)) return;
    this.seen = true;
    this.#observer.disconnect();
    redraw();
  });

  /** For `ref`: the element that stands there meanwhile. */
  watch = (element) => {
    if (element && !this.seen) this.#observer.observe(element);
  };
}
