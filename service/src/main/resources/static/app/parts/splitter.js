// The line between two panes: dragged, moved with arrow keys, put back with a double click; where it was left is
// remembered.
import { html } from "../core/html.js";
import { keep, kept } from "../core/store.js";

const STEP = 16;

export class Splitter {
  #drag = null;

  /** `property` is the custom property of CSS that holds the width of the pane on the left, or of that on the right. */
  constructor({ name, label, property, usual, least, most, right = false }) {
    this.name = name;
    this.label = label;
    this.property = property;
    this.usual = usual;
    this.least = least;
    this.most = most;
    this.sign = right ? -1 : 1;
    this.width = this.#within(kept(name, usual));
    this.#show();
  }

  #within(width) {
    return Math.round(Math.min(Math.max(width, this.least), Math.max(this.least, this.most())));
  }

  #show() {
    document.documentElement.style.setProperty(this.property, `${this.width}px`);
  }

  #to(width, line) {
    this.width = this.#within(width);
    this.#show();
    line.setAttribute("aria-valuenow", this.width);
  }

  #keep() {
    keep(this.name, this.width === this.usual ? null : this.width);
  }

  #key(event) {
    const to = {
      ArrowLeft: this.width - this.sign * STEP,
      ArrowRight: this.width + this.sign * STEP,
      Home: this.least,
      End: Infinity,
      Enter: this.usual,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#to(to, event.currentTarget);
    this.#keep();
  }

  #pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#drag = { x: event.clientX, width: this.width };
  }

  #released() {
    if (this.#drag) this.#keep();
    this.#drag = null;
  }

  view() {
    return html`<div
      class="splitter"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label=${this.label}
      title=${`${this.label}: drag, or arrow keys; double click resets`}
      aria-valuenow=${this.width}
      aria-valuemin=${this.least}
      aria-valuemax=${Math.round(this.most())}
      @keydown=${(e) => this.#key(e)}
      @pointerdown=${(e) => this.#pressed(e)}
      @pointermove=${(e) =>
        this.#drag && this.#to(this.#drag.width + this.sign * (e.clientX - this.#drag.x), e.currentTarget)}
      @pointerup=${() => this.#released()}
      @pointercancel=${() => this.#released()}
      @dblclick=${(e) => (this.#to(this.usual, e.currentTarget), this.#keep())}
    ></div>`;
  }
}
