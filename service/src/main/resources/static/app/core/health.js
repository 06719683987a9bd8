// Health, risk and efficiency of objects, from the alerts that are open on them and below them.
import { alertVersion } from "./alerts.js";
import { post } from "./api.js";
import { Load } from "./load.js";
import { worse } from "./severity.js";

const MOST = 500;
export const IMPACTS = ["health", "risk", "efficiency"];

/** What is open on some objects, read again when alerts change. */
export class Health {
  #load = new Load(async (ids, _version, signal) => {
    const found = new Map();
    for (let i = 0; i < ids.length; i += MOST) {
      const { items } = await post("/objects/health/query", { ids: ids.slice(i, i + MOST) }, signal);
      for (const item of items) found.set(item.object.id, summary(item));
    }
    return found;
  });

  want(ids) {
    const unique = [...new Set(ids)].sort();
    if (unique.length) this.#load.want(unique, alertVersion());
  }

  /**
   * `{ severity, own, count }`: the worst there is, on it or below; what is on it; how many in all. Null while unknown.
   */
  of(id) {
    return this.#load.data?.get(id) ?? null;
  }
}

function summary(item) {
  const badges = IMPACTS.map((impact) => item[impact]);
  return {
    severity: badges.reduce((worst, b) => worse(b.severity ?? null, worst), null),
    own: badges.reduce((worst, b) => worse(b.own.severity ?? null, worst), null),
    count: badges.reduce((n, b) => n + b.own.count + b.below.count, 0),
  };
}
