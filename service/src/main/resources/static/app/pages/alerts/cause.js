// Open alerts by their cause, which the service judges, or by one of their properties.
import { alertVersion } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { commonText, effectsText, isSure } from "../../core/incidents.js";
import { Load } from "../../core/load.js";
import { rank, worse } from "../../core/severity.js";

/** Incidents that are open; joining one is a change of an alert, so they are read again when alerts change. */
export const incidents = new Load((_version, signal) => get("/incidents", { limit: 1000 }, signal));

export const wantIncidents = () => incidents.want(alertVersion());

const since = (alert) => Date.parse(alert.since);
const byWeight = (a, b) => rank(b.severity) - rank(a.severity) || since(a) - since(b);

function incidentGroup(incident, members, key) {
  const cause = incident.cause ? (members.find((a) => a.id === incident.cause.id) ?? null) : null;
  if (!incident.cause)
    return {
      key,
      incident,
      title: incident.title,
      note: commonText(members),
      own: members.length,
      alerts: members.toSorted(byWeight),
    };
  const place = incident.cause.object.id;
  const effects = members.filter((a) => a !== cause);
  const standing = [...(cause ? [cause] : []), ...effects.filter((a) => a.object.id === place).toSorted(byWeight)];
  const behind = effects.filter((a) => a.object.id !== place).toSorted(byWeight);
  const sure = isSure(incident);
  return {
    key,
    incident,
    title: incident.title,
    note: effects.length ? `${sure ? "explains" : "may explain"} ${effectsText(incident.cause, effects)}` : "",
    own: sure && cause ? standing.length : members.length,
    alerts: [...standing, ...behind],
  };
}

/**
 * Groups `{ key, title, note, alerts, own }`, worst first; what has no common cause comes last. Those behind the first
 * `own` alerts are explained by them.
 * @returns {{key: string, incident?: any, title: string, note: string, own: number, alerts: any[], last?: boolean}[]}
 */
export function byCause(alerts) {
  const here = new Map(alerts.map((a) => [a.id, a]));
  const groups = [];
  for (const incident of incidents.data?.items ?? []) {
    const members = incident.alerts.filter((id) => here.has(id)).map((id) => here.get(id));
    for (const a of members) here.delete(a.id);
    if (members.length) groups.push(incidentGroup(incident, members, `incident ${incident.number}`));
  }
  groups.sort((a, b) => rank(worstOf(b)) - rank(worstOf(a)) || b.alerts.length - a.alerts.length);
  const alone = [...here.values()];
  if (alone.length)
    groups.push({
      key: "alone",
      title: groups.length ? "Not in an incident" : "Open",
      note: plural(alone.length, "alert"),
      own: alone.length,
      alerts: alone.toSorted(byWeight),
      last: true,
    });
  return groups;
}

const worstOf = (group) => group.alerts.reduce((w, a) => worse(a.severity, w), null);

const GROUPS = {
  definition: [(a) => a.definition.id, (a) => a.definition.name],
  object: [(a) => a.object.id, (a) => a.object.name],
  owner: [(a) => a.owner ?? "", (a) => a.owner ?? "Unassigned"],
};

/** Groups by one property of the alerts, or all in one without a title. */
export function grouped(alerts, by, compare) {
  if (by === "cause") {
    const groups = byCause(alerts);
    return compare
      ? groups.map((g) => ({
          ...g,
          alerts: [...g.alerts.slice(0, g.own).toSorted(compare), ...g.alerts.slice(g.own).toSorted(compare)],
        }))
      : groups;
  }
  const order = compare ?? byWeight;
  if (!GROUPS[by])
    return alerts.length ? [{ key: "all", title: null, own: alerts.length, alerts: alerts.toSorted(order) }] : [];
  const [key, title] = GROUPS[by];
  return [...Map.groupBy(alerts, key)]
    .map(([id, all]) => ({
      key: `${by} ${id}`,
      title: title(all[0]),
      note: plural(all.length, "alert"),
      own: all.length,
      alerts: all.toSorted(order),
    }))
    .sort(
      (a, b) =>
        rank(worstOf(b)) - rank(worstOf(a)) || b.alerts.length - a.alerts.length || a.title.localeCompare(b.title),
    );
}
