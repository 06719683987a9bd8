// One thing read from the API, with the states a pane can be in: nothing yet, loading over old data, error, there.
import { redraw } from "./bus.js";

export class Load {
  #read;
  #abort = null;
  #wanted = null;
  #args = [];
  #next;
  #ended = 0;

  data = null;
  error = null;
  loading = false;
  since = 0;
  at = 0;
  /** How long the last answer took, in milliseconds. */
  took = 0;
  /** What `data` is of, for those who reset it when that is another. */
  of = null;

  /** `read(...args, signal)` gives a promise of the data. */
  constructor(read) {
    this.#read = read;
  }

  /** Loads when the arguments differ from those of the last call; old data stays until the new is there. */
  want(...args) {
    const wanted = JSON.stringify(args);
    if (wanted === this.#wanted) return this;
    this.#wanted = wanted;
    this.#args = args;
    this.again();
    return this;
  }

  async again() {
    clearTimeout(this.#next);
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.loading = true;
    this.since = performance.now();
    // The outlines come after 150 ms, the word about waiting after 4 s.
    for (const ms of [160, 410, 910, 4050]) setTimeout(() => abort === this.#abort && this.loading && redraw(), ms);
    try {
      const data = await this.#read(...this.#args, abort.signal);
      if (abort !== this.#abort) return;
      this.data = data;
      this.error = null;
      this.at = Date.now();
      this.took = performance.now() - this.since;
    } catch (error) {
      if (abort !== this.#abort || error.name === "AbortError") return;
      this.error = error;
    }
    this.loading = false;
    this.#ended = Date.now();
    redraw();
  }

  /** Reads again `ms` after the last answer; whoever draws what it reads says so each time, and it ends with that. */
  every(ms) {
    clearTimeout(this.#next);
    if (this.loading) return;
    this.#next = setTimeout(() => this.again(), Math.max(0, this.#ended + ms - Date.now()));
  }

  /** Forgets data of another subject, so that it is never shown under a wrong name. */
  reset() {
    clearTimeout(this.#next);
    this.#abort?.abort();
    this.#abort = null;
    this.#wanted = null;
    this.data = null;
    this.error = null;
    this.loading = false;
  }

  get waited() {
    return this.loading ? performance.now() - this.since : 0;
  }
}
