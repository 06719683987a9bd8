// Where panels stand on the grid: 12 columns, rows of 44 px. Whoever is in the way of a panel moves down, never aside.
export const COLUMNS = 12;
export const TALLEST = 60;
const DEEPEST = 1000;

const bottom = (item) => item.y + item.h;
const meet = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < bottom(b) && b.y < bottom(a);
const within = (n, least, most) => Math.max(least, Math.min(most, n));

/** From top to bottom and left to right, as they are read. */
export const reading = (items) => items.toSorted((a, b) => a.y - b.y || a.x - b.x);

/**
 * The same items in the same order, none of which lies on another: the one named `first` keeps its place, and those in
 * the way go as far down as they have to.
 */
export function settle(items, first = null) {
  const placed = items.filter((item) => item.panel === first);
  for (const item of reading(items.filter((other) => other.panel !== first))) {
    let { y } = item;
    for (let hit; (hit = placed.filter((p) => meet({ ...item, y }, p))).length; ) y = Math.max(...hit.map(bottom));
    placed.push(y === item.y ? item : { ...item, y });
  }
  const at = new Map(placed.map((item) => [item.panel, item]));
  return items.map((item) => at.get(item.panel));
}

const change = (items, panel, make) => {
  const before = items.find((item) => item.panel === panel);
  if (!before) return items;
  const after = make(before);
  if (["x", "y", "w", "h"].every((side) => after[side] === before[side])) return items;
  return settle(
    items.map((item) => (item === before ? after : item)),
    panel,
  );
};

/** The items after a panel was moved so many columns and rows, as far as the grid goes. */
export const move = (items, panel, columns, rows) =>
  change(items, panel, (item) => ({
    ...item,
    x: within(item.x + columns, 1, COLUMNS + 1 - item.w),
    y: within(item.y + rows, 1, DEEPEST),
  }));

/**
 * The items after the edges of a panel in `handle`, such as "se" or "n", were pulled so many columns and rows; it stays
 * at least 1 by 1.
 */
export const size = (items, panel, handle, columns, rows) =>
  change(items, panel, (item) => {
    let { x, y, w, h } = item;
    if (handle.includes("e")) w = within(w + columns, 1, COLUMNS + 1 - x);
    if (handle.includes("s")) h = within(h + rows, 1, TALLEST);
    if (handle.includes("w")) {
      const to = within(x + columns, 1, x + w - 1);
      [x, w] = [to, w + x - to];
    }
    if (handle.includes("n")) {
      const to = within(y + rows, Math.max(1, y + h - TALLEST), y + h - 1);
      [y, h] = [to, h + y - to];
    }
    return { ...item, x, y, w, h };
  });

/** The items with a panel more: beside or below `after` where there is room, else below all. */
export function put(items, panel, { w, h }, after = null) {
  const next = items.find((item) => item.panel === after);
  const free = (item) => item.x + item.w <= COLUMNS + 1 && !items.some((other) => meet(item, other));
  const tries = next
    ? [
        { panel, x: next.x + next.w, y: next.y, w, h },
        { panel, x: next.x, y: bottom(next), w, h },
      ]
    : [];
  const last = Math.max(1, ...items.map(bottom));
  const gap = { panel, x: 1, y: 0, w, h };
  for (let x = 1; x <= COLUMNS + 1 - w && !tries.some(free); x++) {
    const y = Math.max(1, ...items.filter((i) => i.x < x + w && x < i.x + i.w).map(bottom));
    if (y < last && free({ ...gap, x, y })) tries.push({ ...gap, x, y });
  }
  return [...items, tries.find(free) ?? { panel, x: 1, y: last, w, h }];
}

/** How many rows the items take. */
export const depth = (items) => Math.max(0, ...items.map(bottom)) - (items.length ? 1 : 0);

/** Where a panel stands, in words: "column 3 of 12, row 5, 4 wide, 6 high". */
export const placeWords = ({ x, y, w, h }) => `column ${x} of ${COLUMNS}, row ${y}, ${w} wide, ${h} high`;
