// Flows in pages by cursor, as far as they are scrolled to; at a tick as many are read again as were there.
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";

const PAGE = 200;
const MOST = 1000;

/** What tells one flow from the others of an answer. */
const flowId = (f) => [f.from.key, f.to?.key ?? "*", f.service?.service ?? "", f.towardsService ?? ""].join(" ");

export class FlowRows {
  #key = "";
  #generation = 0;
  #query = null;
  #cursor = null;
  #busy = false;

  loaded = [];
  total = 0;
  answer = null;
  loading = false;
  error = null;

  want(query) {
    const key = JSON.stringify(query);
    if (key === this.#key) return;
    this.#key = key;
    this.#query = query;
    this.again();
  }

  async again() {
    const generation = ++this.#generation;
    this.loading = true;
    const slow = setTimeout(redraw, 160);
    try {
      const page = await get("/flows", { ...this.#query, limit: Math.min(MOST, Math.max(PAGE, this.loaded.length)) });
      if (generation !== this.#generation) return;
      this.#take(page, []);
      this.error = null;
      this.#busy = false;
    } catch (error) {
      if (generation === this.#generation) this.error = error;
    }
    clearTimeout(slow);
    if (generation === this.#generation) this.loading = false;
    redraw();
  }

  /** Makes sure that the rows up to `last` come. */
  async need(last) {
    if (this.#busy || this.loading || this.#cursor === null || last <= this.loaded.length) return;
    this.#busy = true;
    const generation = this.#generation;
    try {
      const page = await get("/flows", { ...this.#query, limit: PAGE, cursor: this.#cursor });
      if (generation === this.#generation) this.#take(page, this.loaded);
    } catch (error) {
      if (generation === this.#generation) this.error = error;
    }
    if (generation === this.#generation) this.#busy = false;
    redraw();
  }

  #take(page, before) {
    const seen = new Set(before.map((f) => f.id));
    const fresh = [];
    for (const f of page.items) {
      let id = flowId(f);
      // Folded flows of one sender are alike in all that is told of them.
      while (seen.has(id)) id += "'";
      seen.add(id);
      fresh.push({ ...f, id });
    }
    this.loaded = [...before, ...fresh];
    this.total = page.total;
    this.answer = page;
    this.#cursor = page.nextCursor;
  }

  /** Whether all that can be paged through is there. */
  get whole() {
    return this.answer !== null && this.#cursor === null;
  }
}
