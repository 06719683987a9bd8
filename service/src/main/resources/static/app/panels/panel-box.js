// <panel-box>: draws what depends on the room there is. `draw(width, height)` gives a template, drawn anew when the room
// or one of `inputs` is another.
import { html, nothing, render } from "../core/html.js";

class PanelBox extends HTMLElement {
  #draw = null;
  #inputs = null;
  #drawn = null;
  #size = new ResizeObserver(() => this.#paint());

  set draw(draw) {
    this.#draw = draw;
    if (this.isConnected) this.#paint();
  }

  /** What the drawing shows; set before `draw`. */
  set inputs(inputs) {
    this.#inputs = inputs;
  }

  connectedCallback() {
    this.#size.observe(this);
    this.#paint();
  }

  disconnectedCallback() {
    this.#size.disconnect();
  }

  #paint() {
    const { clientWidth: width, clientHeight: height } = this;
    if (!this.#draw || !width || !height) return;
    const inputs = [width, height, ...(this.#inputs ?? [this.#draw])];
    if (this.#drawn && this.#drawn.length === inputs.length && this.#drawn.every((v, i) => v === inputs[i])) return;
    this.#drawn = inputs;
    render(this.#draw(width, height) ?? nothing, this);
  }
}

customElements.define("panel-box", PanelBox);

/** A box that fills the room, drawn by `draw(width, height)` when `inputs` or the room are others. */
export const box = (inputs, draw, cls = "") =>
  html`<panel-box class=${cls} .inputs=${inputs} .draw=${draw}></panel-box>`;
