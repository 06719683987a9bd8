// What keeps a panel empty though there are objects of its kind: the condition that removes all, and the panel without.

/** How conditions on what is written on objects begin, as the answer says them. */
const OF_SCOPE = /^(the (name|tag|property|group|place)\b|what is excluded)/;

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
 * The panel without the condition that removes all of its objects, as an answer names it; null when there is nothing to
 * drop: the condition is that of its view, or it is its subject that is not there.
 */
export function withoutCondition(panel, condition) {
  const { select } = panel;
  if (!select || !condition || condition === "subject") return null;
  if (condition === "relations") return select.paths?.length ? ruled(panel, (s) => delete s.paths) : null;
  if (condition === "group")
    return typeof select.from === "object" || select.scope?.groups ? ruled(panel, withoutGroup) : null;
  if (OF_SCOPE.test(condition)) return select.scope ? ruled(panel, (s) => delete s.scope) : null;
  return select.where?.length ? ruled(panel, withoutAlternative) : null;
}

/** The variables of slices that a panel's objects have to be in, of those that have a value. */
export const slicesOf = (panel, values) =>
  (panel.select?.slices ?? []).map((name) => name.slice(1)).filter((name) => values[name] !== undefined);
