// What the list of objects can show: facts of every object, its properties, and newest values of the metrics of its
// kind.
import { html } from "../../core/html.js";
import { removedWords } from "../../core/changes.js";
import { NONE, withUnit } from "../../core/format.js";
import { isNetwork, kindWord, metricName } from "../../core/metrics.js";
import { moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { MOST_METRICS } from "./rows.js";

const at = (time) => moment(Date.parse(time));
const path = (o) => o.path ?? [];
const tagText = (o) =>
  Object.entries(o.tags)
    .map(([k, v]) => (v ? `${k}=${v}` : k))
    .join(" ") || NONE;

// `sort` marks what the API can sort by; without `width` columns share what room is left.
const FACTS = {
  name: {
    list: "name",
    name: "Name",
    sort: true,
    td: "strong",
    title: (o) => o.name,
    cell: (o) => html`<a href=${href(`/objects/${o.id}`)}>${o.name}</a>`,
  },
  objectKind: { list: "value", name: "Kind", sort: true, width: 104, cell: (o) => kindWord(o.objectKind) },
  path: {
    list: "what",
    name: "In",
    cls: "prio-3",
    td: "m",
    title: (o) => path(o).join(" / "),
    cell: (o) => path(o).toReversed().join(", "),
  },
  tags: { name: "Tags", cls: "prio-3", td: "m", title: tagText, cell: tagText },
  adapterKind: { name: "Adapter", width: 104, cell: (o) => o.adapterKind },
  externalId: { name: "Id at its source", td: "m", title: (o) => o.externalId, cell: (o) => o.externalId },
  firstSeen: { name: "First seen", sort: true, width: 128, cls: "r", cell: (o) => at(o.firstSeen) },
  lastSeen: {
    list: "long",
    name: "Last sample",
    sort: true,
    width: 128,
    cls: "r",
    title: (o) => (o.removedAt ? `${removedWords(o)} ${at(o.removedAt)}` : ""),
    cell: (o) => (o.state === "reporting" ? at(o.lastSeen) : `last ${at(o.lastSeen)}`),
  },
};
const PROPERTY = "property:";
const BEFORE = ["name", "objectKind", "path", "tags"];

const fact = (id) => ({ id, ...FACTS[id] });
const property = (id) => {
  const key = id.slice(PROPERTY.length);
  const value = (o) => o.properties[key] ?? NONE;
  return { id, name: key, hint: "property", cls: "prio-3", title: value, cell: value };
};
const metric = (m, rows) => ({
  id: m.key,
  name: metricName(m.key),
  hint: m.key,
  width: 96,
  cls: "r",
  cell: (o) => withUnit(rows.value(o.id, m.key), m.unit, isNetwork(m.key)),
});

/** Keys of the metrics among `ids`. */
export const metricsAmong = (ids) => ids.filter((id) => !(id in FACTS) && !id.startsWith(PROPERTY));

/** All columns that the rows at hand could have. */
export function availableColumns(rows) {
  const properties = new Set(rows.loaded.slice(0, 400).flatMap((o) => Object.keys(o.properties)));
  return [
    ...Object.keys(FACTS).map(fact),
    ...rows.known.map((m) => ({
      ...metric(m, rows),
      full: rows.metrics.length >= MOST_METRICS ? `At most ${MOST_METRICS} metrics` : null,
    })),
    ...[...properties].sort().map((key) => property(PROPERTY + key)),
  ];
}

/** The columns to show: those of `chosen` that there are, else the usual ones with the kind's first metrics. */
export function shownColumns(chosen, rows) {
  const byKey = new Map(rows.metrics.map((m) => [m.key, metric(m, rows)]));
  const ids = chosen ?? [...BEFORE, ...byKey.keys(), "lastSeen"];
  return ids.flatMap((id) =>
    id in FACTS ? [fact(id)] : id.startsWith(PROPERTY) ? [property(id)] : byKey.has(id) ? [byKey.get(id)] : [],
  );
}
