// Steps back and forth of something that is edited. A step holds what it changed, not the whole, so that a hundred of
// them fit into what a browser keeps.
export const MOST = 100;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** What is another in `after`: `[path, before, after]` each, null for what is not there; lists are taken whole. */
export function changes(before, after, path = []) {
  if (before === after || JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) || !isObject(after)) return [[path, before ?? null, after ?? null]];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changes(before[name], after[name], [...path, name]));
}

/** The same with one side of the changes put in; null takes away. */
function apply(state, list, side) {
  const next = structuredClone(state);
  for (const change of list) {
    const [path] = change;
    const value = change[side];
    if (!path.length) return structuredClone(value);
    let at = next;
    for (const name of path.slice(0, -1)) at = at[name] ??= {};
    if (value === null) delete at[path.at(-1)];
    else at[path.at(-1)] = structuredClone(value);
  }
  return next;
}

export class Steps {
  /** `kept` is what `toJSON` gave. */
  constructor(kept = null) {
    this.back = kept?.back ?? [];
    this.forth = kept?.forth ?? [];
  }

  /** Notes a step; one with the same `of` as the last, such as typing on in a field, becomes part of it. */
  note(before, after, of = null) {
    const list = changes(before, after);
    if (!list.length) return;
    const last = this.back.at(-1);
    if (of !== null && last?.of === of && !this.forth.length) {
      const from = apply(before, last.list, 1);
      this.back = [...this.back.slice(0, -1), { of, list: changes(from, after) }].filter((s) => s.list.length);
    } else this.back = [...this.back, { of, list }].slice(-MOST);
    this.forth = [];
  }

  /** The state before the last step; null when there is none. */
  undo(state) {
    const last = this.back.at(-1);
    if (!last) return null;
    this.back = this.back.slice(0, -1);
    this.forth = [...this.forth, last];
    return apply(state, last.list, 1);
  }

  /** The state after the step that was taken back last; null when there is none. */
  redo(state) {
    const next = this.forth.at(-1);
    if (!next) return null;
    this.forth = this.forth.slice(0, -1);
    this.back = [...this.back, next];
    return apply(state, next.list, 2);
  }

  toJSON() {
    return { back: this.back, forth: this.forth };
  }
}
