// What stands below what is seen is read when one comes near it.
import { redraw } from "../core/bus.js";

const BEFORE = "300px";

export class Near {
  /** Whether its element has come near what is seen, once. */
  seen = false;

  #observer = new IntersectionObserver((entries) => {
    if (!entries.some((e) => e.isIntersecting)) return;
    this.seen = true;
    this.#observer.disconnect();
    redraw();
  }, { rootMargin: BEFORE, scrollMargin: BEFORE });

  /** For `ref`: the element that stands there meanwhile. */
  watch = (element) => {
    if (element && !this.seen) this.#observer.observe(element);
  };
}
