// What keeps a panel empty though there are objects of its kind: the condition that removes all, and the panel without.

/** A panel whose rule is another; a rule that says nothing is none. */
function ruled(panel, make) {
  const select = structuredClone(panel.select);
  make(select);
  const { select: _before, ...rest } = panel;
  return Object.keys(select).length ? { ...rest, select } : rest;
}

function withoutGroup(select) {
  if (typeof select.from === "object") {
    delete select.from;
    return;
  }
  delete select.scope.groups;
  if (!Object.keys(select.scope).length) delete select.scope;
}

function withoutAlternative(select) {
  select.where.pop();
  if (!select.where.length) delete select.where;
}

/**
 * The panel without the part of its rule that leaves no object, as an answer names it; null when there is nothing to
 * drop: the rule is that of its view, or it is its subject that is not there.
 */
export function withoutPart(panel, part) {
  const { select } = panel;
  if (!select) return null;
  switch (part) {
    case "relations":
      return select.paths?.length ? ruled(panel, (s) => delete s.paths) : null;
    case "group":
      return typeof select.from === "object" || select.scope?.groups ? ruled(panel, withoutGroup) : null;
    case "scope":
      return select.scope ? ruled(panel, (s) => delete s.scope) : null;
    case "where":
      return select.where?.length ? ruled(panel, withoutAlternative) : null;
    default:
      return null;
  }
}

/** The variables of slices that a panel's objects have to be in, of those that have a value. */
export const slicesOf = (panel, values) =>
  (panel.select?.slices ?? []).map((name) => name.slice(1)).filter((name) => values[name] !== undefined);
