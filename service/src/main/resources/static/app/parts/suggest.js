// A field that proposes what there is here as one types; what is not here may be typed as well.
import { html, nothing } from "../core/html.js";
import { redraw, settled } from "../core/bus.js";
import { Load } from "../core/load.js";

export class Suggest {
  #open = false;
  #typed = null;
  #at = -1;
  #ask = settled((...args) => (this.load.want(...args), redraw()), 120);

  /** `read(text, ...args, signal)` gives the options `{ value, label, hint }`; `args()` what else they depend on. */
  constructor(read, args = () => []) {
    this.load = new Load(read);
    this.args = args;
  }

  #begin(text) {
    this.#open = true;
    this.#at = -1;
    this.#ask(text, ...this.args());
    redraw();
  }

  #take(value, choose) {
    this.#open = false;
    this.#typed = null;
    choose(value);
    redraw();
  }

  view({ value, choose, label, placeholder = "", off = false, shown = value, cls = "", invalid = false }) {
    const options = this.#open ? (this.load.data ?? []) : [];
    const keys = (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by && options.length) {
        event.preventDefault();
        this.#at = (this.#at + by + options.length + 1) % (options.length + 1);
        if (this.#at === options.length) this.#at = -1;
        redraw();
      } else if (event.key === "Enter" || (event.key === "Tab" && this.#at >= 0)) {
        event.preventDefault();
        this.#take(options[this.#at]?.value ?? event.target.value.trim(), choose);
      } else if (event.key === "Escape" && this.#open) {
        event.preventDefault();
        event.stopPropagation();
        this.#open = false;
        this.#typed = null;
        redraw();
      }
    };
    const left = (event) => {
      if (event.currentTarget.contains(event.relatedTarget)) return;
      this.#open = false;
      const typed = this.#typed;
      this.#typed = null;
      if (typed !== null && typed.trim() !== shown) choose(typed.trim());
      redraw();
    };
    return html`<span class="suggest-field ${cls}" @focusout=${left}
      ><input
        class="field"
        .value=${this.#typed ?? shown}
        placeholder=${placeholder}
        aria-label=${label}
        ?disabled=${off}
        autocomplete="off"
        spellcheck="false"
        role="combobox"
        aria-expanded=${options.length > 0}
        aria-invalid=${invalid ? "true" : "false"}
        title=${value}
        @focus=${(e) => {
          e.target.select();
          this.#begin("");
        }}
        @input=${(e) => {
          this.#typed = e.target.value;
          this.#begin(this.#typed.trim());
        }}
        @keydown=${keys}
      />
      ${options.length
        ? html`<ul class="menu suggest" role="listbox" aria-label=${`${label}: what there is`}>
            ${options.map(
              (o, i) =>
                html`<li role="option" aria-selected=${i === this.#at}>
                  <button
                    type="button"
                    tabindex="-1"
                    @mousedown=${(e) => (e.preventDefault(), this.#take(o.value, choose))}
                  >
                    <span class="cut">${o.label}</span><span class="sp"></span><span class="m cut">${o.hint}</span>
                  </button>
                </li>`,
            )}
          </ul>`
        : nothing}</span
    >`;
  }
}
