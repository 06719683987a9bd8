// The groups of peers that an object belongs to, and what they say of it: its members for the lines behind its own, the
// accepted range of metrics that are judged, and its events.
import { html, nothing } from "../../core/html.js";
import { alertVersion } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { deviantsOf, groupShape, readPages, stateWord } from "../../core/outliers.js";
import { href } from "../../core/url.js";
import { shape } from "../../parts/shapes.js";
import { eventWords } from "../outliers/words.js";

const MOST = 60;
const PEERS = 40;
const POINTS = 480;

export class ObjectPeers {
  constructor(id) {
    this.id = id;
    this.groups = new Load(
      async (_tick, _version, signal) =>
        (await readPages("/outlier-groups", { member: id, enabled: true }, signal, MOST)).items,
    );
    this.members = new Load(async (group, signal) =>
      (await get(`/outlier-groups/${group}/members`, { limit: PEERS + 1 }, signal)).items
        .map((m) => m.object.id)
        .filter((other) => other !== id)
        .slice(0, PEERS),
    );
    this.results = new Load(async (asked, from, to, _bucket, signal) => {
      const found = new Map();
      await Promise.all(
        asked.map(async ([group, metrics]) => {
          const r = await get(
            `/outlier-groups/${group}/results`,
            { metric: metrics, object: [id], from: String(from), to: String(to), points: POINTS },
            signal,
          );
          for (const m of r.metrics)
            found.set(m.key, {
              times: r.times,
              stepMillis: r.stepMillis,
              centre: m.centre,
              lower: m.lower,
              upper: m.upper,
            });
        }),
      );
      return found;
    });
    this.events = new Load((from, to, _version, signal) =>
      get("/outlier-events", { object: [id], from: String(from), to: String(to), limit: 200 }, signal),
    );
  }

  want(from, to, tick) {
    this.events.want(from, to, alertVersion());
    this.groups.want(tick, alertVersion());
    const all = this.groups.data ?? [];
    if (!all.length) return;
    this.members.want(this.#first(all).id);
    const metrics = new Map();
    for (const g of all) for (const m of g.metrics) if (!metrics.has(m.key)) metrics.set(m.key, g.id);
    const asked = Object.entries(Object.groupBy([...metrics], ([, group]) => group)).map(([group, list]) => [
      group,
      list.map(([key]) => key),
    ]);
    this.results.want(asked, from, to, all.map((g) => g.now.bucket).join());
  }

  /** Whose members stand behind its lines: those of the smallest group, which is the closest. */
  #first(all) {
    return all.toSorted((a, b) => a.now.members - b.now.members || a.name.localeCompare(b.name))[0];
  }

  get any() {
    return (this.groups.data?.length ?? 0) > 0;
  }

  /** What is accepted of a metric over time: `{ times, centre, lower, upper }`; null where no group judges it. */
  accepted(key) {
    return this.results.data?.get(key) ?? null;
  }

  /** Its events as bars beside alerts; those that raised an alert are among these already. */
  bars() {
    return (this.events.data?.items ?? [])
      .filter((e) => !e.alertId)
      .map((e) => ({
        id: e.id,
        address: `/outliers/events/${e.id}`,
        since: e.since,
        canceledAt: e.closedAt,
        severity: e.severity,
        definition: { name: eventWords(e) },
        members: [],
      }));
  }

  /** Its groups as rows, those in which it differs first. */
  rows() {
    const all = this.groups.data ?? [];
    if (!all.length) return nothing;
    const own = (g) => deviantsOf(g).find((d) => d.object.id === this.id);
    const row = (g) => {
      const d = own(g);
      const words = d
        ? `differs, 1 of ${g.now.judged}`
        : g.now.state === "alike"
          ? `alike, ${g.now.judged}`
          : g.now.state === "deviants"
            ? `alike, ${plural(g.openEvents, "other differs", "others differ")}`
            : stateWord(g.now.state);
      return html`<a class="list-row" href=${href(`/outliers/${g.id}`, d ? { event: d.event } : {})}
        >${shape(d ? groupShape(g) : "alike", 11, "")}<b class="cut">${g.name}</b><span class="m cut">${words}</span></a
      >`;
    };
    return html`<h3>Compared in</h3>
      ${all
        .toSorted((a, b) => Number(Boolean(own(b))) - Number(Boolean(own(a))) || a.name.localeCompare(b.name))
        .map(row)}`;
  }
}

/** Values of `list` at `times`, taken over from the step in which each lies; null where there is none. */
export function onGrid({ times, stepMillis }, list, onto) {
  const last = times.length - 1;
  let i = 0;
  return onto.map((t) => {
    while (i < last && times[i + 1] <= t) i++;
    return times.length && t >= times[i] && t < times[i] + stepMillis ? list[i] : null;
  });
}
