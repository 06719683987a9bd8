// The line of each of several events against what was accepted then.
import { get, post } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { onGrid } from "../objects/peers.js";

const YOUNG = 0.1;

/** Whether nothing was judged in the beginning of the time, as of a group that was made since. */
const isYoung = (results) => {
  const first = results.metrics[0]?.centre.findIndex((v) => v !== null) ?? -1;
  return first < 0 || first > YOUNG * results.times.length;
};

/** Results with the line of the member; where nothing was judged yet, with what it measured. */
function merged(data, past, object) {
  const metric = data?.metrics[0];
  if (!metric) return null;
  const line = metric.members.find((m) => m.objectId === object) ?? null;
  const own = past?.series[0];
  if (!own) return { data, metric, line };
  const before = onGrid(
    { times: past.times, stepMillis: Math.max(past.stepMillis, data.stepMillis) },
    own.values,
    data.times,
  );
  const filled = {
    objectId: object,
    scores: line?.scores ?? [],
    values: data.times.map((_, i) => line?.values[i] ?? before[i]),
  };
  return { data, metric: { ...metric, members: [filled, ...metric.members.filter((m) => m !== line)] }, line: filled };
}

export class EventLines {
  #lines = new Map();

  constructor({ points, members }) {
    this.points = points;
    this.members = members;
  }

  #line(event) {
    if (!this.#lines.has(event.id)) {
      this.#lines.set(event.id, {
        results: new Load((metric, group, from, to, signal) =>
          get(
            `/outlier-groups/${group}/results`,
            {
              metric,
              from: String(from),
              to: String(to),
              points: this.points,
              members: this.members,
              object: this.members === 1 && event.object ? [event.object.id] : undefined,
            },
            signal,
          ),
        ),
        past: new Load((metric, from, to, signal) =>
          post(
            "/series/query",
            {
              objects: [event.object.id],
              metrics: [metric],
              from: String(from),
              to: String(to),
              maxPoints: this.points,
            },
            signal,
          ),
        ),
        merged: memo(merged),
      });
    }
    return this.#lines.get(event.id);
  }

  /** Reads the metric that says most of each event from `from` to `to`; what belongs to other events is forgotten. */
  want(events, from, to) {
    const now = new Set(events.map((e) => e.id));
    for (const id of this.#lines.keys()) if (!now.has(id)) this.#lines.delete(id);
    for (const e of events) {
      if (!e.metrics.length) continue;
      const { results, past } = this.#line(e);
      results.want(e.metrics[0].key, e.group.id, from, to);
      if (e.object && results.data && isYoung(results.data)) past.want(e.metrics[0].key, from, to);
    }
  }

  /**
   * The results of an event with the line of its member, `{ data, metric, line }`, the same as long as they are; null
   * while they are not there.
   */
  of(event) {
    const line = this.#lines.get(event.id);
    return line ? line.merged(line.results.data, line.past.data, event.object?.id ?? null) : null;
  }
}
