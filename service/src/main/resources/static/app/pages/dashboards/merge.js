// Two changes of one dashboard put together: what only one of both changed is as they have it, and only what both
// changed in unlike ways is asked.
import { settle } from "./layout.js";

const same = (a, b) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** The same with the members of objects in one order, for that says nothing. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** What of one thing: the value, and whether both changed it in unlike ways. */
function three(base, mine, theirs) {
  if (same(mine, theirs) || same(base, theirs)) return { value: mine, both: false };
  if (same(base, mine)) return { value: theirs, both: false };
  return { value: mine, both: true };
}

const names = (...all) => [...new Set(all.flatMap((one) => Object.keys(one ?? {})))];
const byName = (list) => Object.fromEntries((list ?? []).map((one) => [one.name, one]));
const APART = ["panels", "variables", "layout", "id"];

/**
 * `{ merged, both }`: the dashboard with what is mine where both changed the same, and a list of that, each
 * `{ kind: "panel" | "variable" | "member", name, base, mine, theirs }`; undefined is what is not there.
 */
export function merge(base, mine, theirs) {
  const both = [];
  const take = (kind, name, a, b, c) => {
    const { value, both: asks } = three(a, b, c);
    if (asks) both.push({ kind, name, base: a, mine: b, theirs: c });
    return value;
  };
  const merged = {};
  for (const name of names(theirs, mine)) {
    if (APART.includes(name)) continue;
    const value = take("member", name, base[name], mine[name], theirs[name]);
    if (value !== undefined) merged[name] = value;
  }
  merged.panels = {};
  for (const name of names(mine.panels, theirs.panels)) {
    const panel = take("panel", name, base.panels?.[name], mine.panels?.[name], theirs.panels?.[name]);
    if (panel !== undefined) merged.panels[name] = panel;
  }
  const [a, b, c] = [base, mine, theirs].map((one) => byName(one.variables));
  const variables = names(b, c)
    .map((name) => take("variable", name, a[name], b[name], c[name]))
    .filter(Boolean);
  if (variables.length || mine.variables || theirs.variables) merged.variables = variables;
  merged.layout = layouts(base, mine, theirs, merged.panels);
  return { merged, both };
}

/** Sections by mine with what only theirs has; a panel that only they moved stands where they put it. */
function layouts(base, mine, theirs, panels) {
  const placed = (dashboard) =>
    new Map(
      dashboard.layout.flatMap(({ section }, at) =>
        itemsOf(dashboard.layout[at]).map((item) => [item.panel, { section: section ?? null, item }]),
      ),
    );
  const [a, b, c] = [base, mine, theirs].map(placed);
  const sections = [];
  for (const { layout } of [mine, theirs])
    for (const { items: _items, ...head } of layout)
      if (!sections.some((s) => (s.section ?? null) === (head.section ?? null))) sections.push({ ...head, items: [] });
  const mineFirst = [...new Set([...b.keys(), ...c.keys()])];
  for (const panel of mineFirst) {
    if (!(panel in panels)) continue;
    const { value } = three(a.get(panel), b.get(panel), c.get(panel));
    const at = value ?? b.get(panel) ?? c.get(panel);
    sections.find((s) => (s.section ?? null) === at.section).items.push(at.item);
  }
  return sections.map((section) => ({ ...section, items: settle(section.items) }));
}

const itemsOf = (section) => section.items ?? [];

/** The merged dashboard with theirs in the place of mine for what `both` names in `theirs`. */
export function taking(merged, both, theirs) {
  const result = structuredClone(merged);
  for (const one of both.filter(theirs)) {
    if (one.kind === "member") {
      if (one.theirs === undefined) delete result[one.name];
      else result[one.name] = one.theirs;
    } else if (one.kind === "variable") {
      const rest = (result.variables ?? []).filter((v) => v.name !== one.name);
      result.variables = one.theirs === undefined ? rest : [...rest, one.theirs];
    } else if (one.theirs === undefined) {
      delete result.panels[one.name];
      for (const section of result.layout) section.items = section.items.filter((item) => item.panel !== one.name);
    } else result.panels[one.name] = one.theirs;
  }
  return result;
}
