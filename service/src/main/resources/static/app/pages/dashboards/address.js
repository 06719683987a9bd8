// What of a dashboard is in the address: values of variables as `v.NAME`, a panel's order as `sort.PANEL`.
const VALUE = "v.";
const SORT = "sort.";

/** The values that the address gives to variables, by their names; of several objects a list. */
export function valuesOf(query, variables) {
  const values = {};
  for (const { name, type } of variables ?? []) {
    const text = query.get(VALUE + name);
    if (text === null || text === "") continue;
    values[name] = type === "objects" ? text.split(",").filter(Boolean) : text;
  }
  return values;
}

/** Parameters of the address for values; null takes one away. */
export const valueParams = (values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [VALUE + name, Array.isArray(value) ? value.join(",") : value]),
  );

/** Names of the variables that a text, or anything with texts in it, reads: "$cluster" is `cluster`. */
export function reads(value, found = new Set()) {
  if (typeof value === "string") for (const [, name] of value.matchAll(/\$([A-Za-z][\w-]{0,39})/g)) found.add(name);
  else if (value && typeof value === "object") for (const one of Object.values(value)) reads(one, found);
  return found;
}

/** Names of the panels that read a variable. */
export const readers = (dashboard, variable) =>
  Object.entries(dashboard.panels ?? {})
    .filter(([, panel]) => reads(withoutSets(panel)).has(variable))
    .map(([name]) => name);

const withoutSets = ({ sets: _sets, ...panel }) => panel;

/** Names of the panels that set a variable. */
export const setters = (dashboard, variable) =>
  Object.entries(dashboard.panels ?? {})
    .filter(([, panel]) => Object.hasOwn(panel.sets ?? {}, variable))
    .map(([name]) => name);

/** The order that the address gives a panel, `[{ column, order }]`; null when it says nothing. */
export function sortOf(query, panel) {
  const [, minus, column] = /^(-?)([A-Za-z][\w-]{0,39})$/.exec(query.get(SORT + panel) ?? "") ?? [];
  return column ? [{ column, order: minus ? "desc" : "asc" }] : null;
}

/** The parameter of an order: a column once more turns it, numbers begin with the largest. */
export function sortParams(panel, now, column, numeric) {
  const again = now?.[0]?.column === column;
  const descending = again ? now[0].order !== "desc" : numeric;
  return { [SORT + panel]: `${descending ? "-" : ""}${column}` };
}

/** What a click on something sets: values by variable, of those parts that `sets` names and `what` has. */
export function setBy(sets, what) {
  const values = {};
  for (const [variable, part] of Object.entries(sets ?? {})) {
    const value = what[part];
    if (value !== null && value !== undefined) values[variable] = String(value);
  }
  return values;
}

/** Whether a click would change nothing, since all it sets is set. */
export function isSet(sets, what, values) {
  const wanted = Object.entries(setBy(sets, what));
  return wanted.length > 0 && wanted.every(([name, value]) => String(values[name] ?? "") === value);
}
