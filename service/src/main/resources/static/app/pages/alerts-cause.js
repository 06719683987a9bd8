// Which alerts have one cause: those below an object that has an open alert itself, and those of one definition that began
// together below one parent. What neither explains stands by itself.
import { post } from "../core/api.js";
import { plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { kindWord } from "../core/metrics.js";
import { rank, titleOf, worse } from "../core/severity.js";
import { MINUTE } from "../core/time.js";

const TOGETHER = 45 * MINUTE;
const IDS = 500;

/** Names of what each object lies in, from the top; by id. */
export const paths = new Load(async (ids, signal) => {
  const found = new Map();
  for (let i = 0; i < ids.length; i += IDS) {
    const part = ids.slice(i, i + IDS);
    const { items } = await post("/objects/query", { ids: part, limit: part.length, withPath: true }, signal);
    for (const o of items) found.set(o.id, o.path ?? []);
  }
  return found;
});

export function wantPaths(alerts) {
  const ids = [...new Set(alerts.map((a) => a.object.id))].sort();
  if (ids.length) paths.want(ids);
}

const since = (alert) => Date.parse(alert.since);
const byWeight = (a, b) => rank(b.severity) - rank(a.severity) || since(a) - since(b);
const join = (names) => names.join("\u0000");

/** Groups `{ key, title, note, alerts, head, worst }`, worst first; what has no common cause comes last. */
export function byCause(alerts) {
  const pathOf = (a) => paths.data?.get(a.object.id) ?? [];
  const byPlace = new Map();
  for (const a of alerts) {
    const place = join([...pathOf(a), a.object.name]);
    byPlace.set(place, [...(byPlace.get(place) ?? []), a]);
  }
  // The highest object above that has an open alert stands for all below it.
  const above = (a) => {
    const path = pathOf(a);
    for (let n = 1; n <= path.length; n++) {
      const found = byPlace.get(join(path.slice(0, n)));
      if (found) return found;
    }
    return null;
  };
  const groups = [];
  const left = [];
  const below = new Map();
  for (const a of alerts) {
    const head = above(a);
    if (head) below.set(head, [...(below.get(head) ?? []), a]);
    else left.push(a);
  }
  const heads = new Set([...below.keys()].flat());
  for (const [standing, muted] of below) {
    const [head] = standing.toSorted(byWeight);
    const kinds = [...new Set(muted.map((a) => kindWord(a.object.objectKind, 2)))].join(" and ");
    groups.push({
      key: `below ${head.object.id}`, title: `${titleOf(head)} on ${head.object.name}`, own: standing.length,
      note: `stands for ${standing.length + muted.length}: ${plural(muted.length, "alert")} of ${kinds} below this ${kindWord(head.object.objectKind).toLowerCase().replace("vm", "VM")}`,
      alerts: [...standing.toSorted(byWeight), ...muted.toSorted(byWeight)],
    });
  }
  const rest = left.filter((a) => !heads.has(a));
  const together = Map.groupBy(rest, (a) => JSON.stringify([a.definition.id, pathOf(a)]));
  const alone = [];
  for (const [key, all] of together) {
    const sorted = all.toSorted((a, b) => since(a) - since(b));
    const near = pathOf(all[0]).length && all.length > 1 && since(sorted.at(-1)) - since(sorted[0]) <= TOGETHER;
    if (!near) alone.push(...all);
    else {
      groups.push({
        key: `with ${key}`, title: `${all[0].definition.name} in ${pathOf(all[0]).at(-1)}`, own: all.length,
        note: `${all.length} alerts of one rule in one place, begun within ${Math.max(1, Math.round((since(sorted.at(-1)) - since(sorted[0])) / MINUTE))} min`,
        alerts: all.toSorted(byWeight),
      });
    }
  }
  groups.sort((a, b) => rank(worstOf(b)) - rank(worstOf(a)) || b.alerts.length - a.alerts.length);
  if (alone.length) groups.push({ key: "alone", title: groups.length ? "No common cause" : "Open", note: plural(alone.length, "alert"), own: alone.length, alerts: alone.toSorted(byWeight), last: true });
  return groups;
}

const worstOf = (group) => group.alerts.reduce((w, a) => worse(a.severity, w), null);

const GROUPS = {
  definition: [(a) => a.definition.id, (a) => a.definition.name],
  object: [(a) => a.object.id, (a) => a.object.name],
  owner: [(a) => a.owner ?? "", (a) => a.owner ?? "Nobody has these"],
};

/** Groups by one property of the alerts, or all in one without a title. */
export function grouped(alerts, by, compare) {
  if (by === "cause") {
    const groups = byCause(alerts);
    return compare ? groups.map((g) => ({ ...g, alerts: [...g.alerts.slice(0, g.own).toSorted(compare), ...g.alerts.slice(g.own).toSorted(compare)] })) : groups;
  }
  const order = compare ?? byWeight;
  if (!GROUPS[by]) return alerts.length ? [{ key: "all", title: null, own: alerts.length, alerts: alerts.toSorted(order) }] : [];
  const [key, title] = GROUPS[by];
  return [...Map.groupBy(alerts, key)]
    .map(([id, all]) => ({ key: `${by} ${id}`, title: title(all[0]), note: plural(all.length, "alert"), own: all.length, alerts: all.toSorted(order) }))
    .sort((a, b) => rank(worstOf(b)) - rank(worstOf(a)) || b.alerts.length - a.alerts.length || a.title.localeCompare(b.title));
}
