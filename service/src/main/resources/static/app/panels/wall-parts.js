// What of a dashboard a wall shows at a time: all of it, or where that could not be read from three metres, one part
// after the other. It draws nothing.

/** A wall is drawn as on a screen of this size and then made larger: what is 12 px here is 24 px on 1080 lines. */
export const WALL = { width: 960, height: 540 };
/** What the head and the foot of the wall leave to the panels. */
export const ROOM = { width: 936, height: 466 };
/** What an alert with the upper half leaves to them. */
export const HALF = 210;
/** So many can be taken in at a time. */
export const MOST_PANELS = 8;

const GAP = { x: 6, y: 5 };
const HEAD = 22;
/** With less room nothing can be read. */
const LEAST = { width: 120, height: 66 };
/** So high are the head and two rows of a table: before panels have less, a dashboard is cut. */
const LOW = 84;

/** All panels of a dashboard with their places on one grid, one section below the other: `{ items, rows }`. */
export function onOneGrid(layout) {
  const items = [];
  let rows = 0;
  for (const section of layout) {
    const deepest = Math.max(0, ...section.items.map((item) => item.y + item.h - 1));
    for (const item of section.items) items.push({ ...item, y: item.y + rows });
    rows += deepest;
  }
  return { items, rows };
}

/** The room inside a panel of a part with so many rows, without its head. */
export const roomOf = ({ w, h }, rows, height = ROOM.height) => ({
  width: ((ROOM.width + GAP.x) * w) / 12 - GAP.x,
  height: ((height + GAP.y) * h) / rows - GAP.y - HEAD,
});

/** Whether a panel has too little room for anything. */
export const isSmall = (room) => room.width < LEAST.width || room.height < LEAST.height;

/** Items that stand beside each other: between two such bands a dashboard can be cut. */
function bandsOf(items) {
  const bands = [];
  let end = 0;
  for (const item of items.toSorted((a, b) => a.y - b.y)) {
    if (!bands.length || item.y >= end) bands.push([]);
    bands.at(-1).push(item);
    end = Math.max(end, item.y + item.h);
  }
  return bands;
}

function partOf(items) {
  const first = Math.min(...items.map((item) => item.y));
  return {
    items: items.map((item) => ({ ...item, y: item.y - first + 1 })),
    rows: Math.max(...items.map((item) => item.y + item.h)) - first,
  };
}

function packed(bands, most, height) {
  const parts = [];
  for (const band of bands) {
    const { items, rows } = partOf([...(parts.at(-1) ?? []), ...band]);
    const fits =
      rows <= most && items.length <= MOST_PANELS && items.every((item) => roomOf(item, rows, height).height >= LOW);
    if (parts.length && fits) parts.at(-1).push(...band);
    else parts.push([...band]);
  }
  return parts;
}

/**
 * The parts of a dashboard on a wall that leaves its panels so much height, each `{ items, rows }` on one grid: as few
 * as can be read, as even as so many can be.
 */
export function partsOf(layout, height = ROOM.height) {
  const { items, rows } = onOneGrid(layout);
  if (!items.length) return [{ items, rows }];
  const bands = bandsOf(items);
  const { length } = packed(bands, rows, height);
  let parts = [];
  for (let most = 1; parts.length === 0 || parts.length > length; most++) parts = packed(bands, most, height);
  return parts.map(partOf);
}
