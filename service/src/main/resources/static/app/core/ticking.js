// Clocks and ages that keep themselves up to date: each second a text of a template may be another, and nothing else is.
import { AsyncDirective, directive } from "./html.js";

const EVERY = 1000;
const shown = new Set();

class Ticking extends AsyncDirective {
  render(text) {
    this.text = text;
    this.last = text();
    if (this.isConnected) shown.add(this);
    return this.last;
  }

  disconnected() {
    shown.delete(this);
  }

  reconnected() {
    shown.add(this);
  }

  tick() {
    const now = this.text();
    if (now !== this.last) this.setValue((this.last = now));
  }
}

/** In a template: what `text()` says, and says anew each second. */
export const ticking = directive(Ticking);

setInterval(() => document.visibilityState === "visible" && shown.forEach((one) => one.tick()), EVERY);
