// Rows of the Explorer: pages of objects by cursor, as far as they are scrolled to, with newest values when all are of
// one kind.
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { firstMetrics } from "../../core/metrics.js";

const PAGE = 200;
const COLUMNS = 3;
export const MOST_METRICS = 8;

export class ObjectRows {
  #query = null;
  #key = "";
  #generation = 0;
  #cursor = null;
  #busy = false;
  #values = new Map();
  #chosen = null;

  loaded = [];
  total = 0;
  counted = false;
  stale = false;
  error = null;
  // Metrics that the one kind listed has, and those of them that are columns.
  known = [];
  metrics = [];

  /** Makes these metrics the columns, at most `MOST_METRICS` of them; null leaves it to us. */
  choose(keys) {
    if (JSON.stringify(keys) === JSON.stringify(this.#chosen)) return;
    this.#chosen = keys;
    if (this.loaded.length) this.#readValues(this.loaded, this.#generation);
  }

  /** Reads again when the query or the tick is new; the rows at hand stay until the new ones are there. */
  want(query, tick) {
    const key = JSON.stringify([query, tick]);
    if (key === this.#key) return;
    this.#key = key;
    this.#query = query;
    this.again();
  }

  async again() {
    const generation = ++this.#generation;
    const slow = setTimeout(() => {
      this.stale = true;
      redraw();
    }, 150);
    try {
      // At a tick, as many rows as were there before, so that nothing under the hand vanishes.
      const limit = Math.min(1000, Math.max(PAGE, this.loaded.length));
      const page = await post("/objects/query", { ...this.#query, limit });
      if (generation !== this.#generation) return;
      this.loaded = page.items;
      this.total = page.total;
      this.counted = true;
      this.error = null;
      this.#cursor = page.nextCursor;
      this.#busy = false;
      this.#readValues(page.items, generation);
    } catch (error) {
      if (generation === this.#generation) this.error = error;
    } finally {
      clearTimeout(slow);
      if (generation === this.#generation) this.stale = false;
      redraw();
    }
  }

  /** Makes sure that the rows up to `last` come. */
  async need(last) {
    if (this.#busy || this.#cursor === null || last <= this.loaded.length) return;
    this.#busy = true;
    const generation = this.#generation;
    try {
      const page = await post("/objects/query", { ...this.#query, limit: 1000, cursor: this.#cursor });
      if (generation !== this.#generation) return;
      this.loaded = [...this.loaded, ...page.items];
      this.#cursor = page.nextCursor;
      this.#readValues(page.items, generation);
    } catch (error) {
      this.error = error;
    } finally {
      if (generation === this.#generation) this.#busy = false;
      redraw();
    }
  }

  /** All rows of the filter, for an export. */
  async all() {
    const items = [];
    let cursor;
    do {
      const page = await post("/objects/query", { ...this.#query, limit: 1000, cursor });
      items.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return items;
  }

  at(index) {
    return this.loaded[index] ?? null;
  }

  indexOf(id) {
    return id ? this.loaded.findIndex((o) => o.id === id) : -1;
  }

  value(id, metric) {
    return this.#values.get(`${id} ${metric}`) ?? null;
  }

  /** Newest values of the kind's first metrics, when only one kind is listed. */
  async #readValues(items, generation) {
    const kinds = this.#query.objectKind ?? [];
    const [first] = items;
    if (!first || kinds.length !== 1) {
      this.known = this.metrics = [];
      return;
    }
    try {
      const path = `/adapter-kinds/${encodeURIComponent(first.adapterKind)}/object-kinds/${encodeURIComponent(first.objectKind)}/metrics`;
      const known = (await get(path)).items.filter((m) => m.aggregated);
      if (generation !== this.#generation) return;
      const has = (key) => known.some((m) => m.key === key);
      const keys = this.#chosen
        ? this.#chosen.filter(has).slice(0, MOST_METRICS)
        : firstMetrics(
            known.map((m) => m.key),
            COLUMNS,
          );
      this.known = known;
      this.metrics = keys.map((key) => known.find((m) => m.key === key));
      redraw();
      if (!keys.length) return;
      const { values } = await post("/series/latest", {
        objects: items.map((o) => o.id),
        metrics: keys,
        maxAge: "30m",
      });
      for (const v of values) this.#values.set(`${v.objectId} ${v.metric}`, v.value);
      redraw();
    } catch {
      // The columns stay empty; the table does not need them.
      this.metrics = [];
    }
  }
}
