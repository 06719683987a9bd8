// The line of each of several events against what was accepted then.
import { get } from "../core/api.js";
import { Load } from "../core/load.js";

export class EventLines {
  #lines = new Map();

  constructor({ points, members }) {
    Object.assign(this, { points, members });
  }

  /** Reads the metric that says most of each event from `from` to `to`; what belongs to other events is forgotten. */
  want(events, from, to) {
    const now = new Set(events.map((e) => e.id));
    for (const id of this.#lines.keys()) if (!now.has(id)) this.#lines.delete(id);
    for (const e of events) {
      if (!e.metrics.length) continue;
      if (!this.#lines.has(e.id)) this.#lines.set(e.id, new Load((metric, group, a, b, signal) => get(`/outlier-groups/${group}/results`, { metric, from: String(a), to: String(b), points: this.points, members: this.members, object: this.members === 1 && e.object ? [e.object.id] : undefined }, signal)));
      this.#lines.get(e.id).want(e.metrics[0].key, e.group.id, from, to);
    }
  }

  /** The results of an event with the line of its member, `{ data, metric, line }`; null while they are not there. */
  of(event) {
    const data = this.#lines.get(event.id)?.data;
    const metric = data?.metrics[0];
    return metric ? { data, metric, line: metric.members.find((m) => m.objectId === event.object?.id) ?? null } : null;
  }
}
