// A rectangle parted into cells whose areas are as their sizes, each as near to a square as can be.

/**
 * The cells of `sizes`, in their order: `{ x, y, w, h }`. Larger ones stand first and to the left; what has no size gets
 * no area.
 * @param {number[]} sizes
 * @param {{x: number, y: number, w: number, h: number}} within
 */
export function squarify(sizes, within) {
  const cells = sizes.map(() => ({ x: within.x, y: within.y, w: 0, h: 0 }));
  const order = sizes
    .map((size, index) => ({ index, size: size > 0 && Number.isFinite(size) ? size : 0 }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size || a.index - b.index);
  const total = order.reduce((sum, { size }) => sum + size, 0);
  if (!total || within.w <= 0 || within.h <= 0) return cells;
  const scale = (within.w * within.h) / total;
  let { x, y, w, h } = within;
  let row = [];
  let sum = 0;
  const worst = (least, most, area, side) =>
    Math.max((side * side * most) / (area * area), (area * area) / (side * side * least));
  const lay = () => {
    const wide = w >= h;
    const thick = sum / (wide ? h : w);
    let at = wide ? y : x;
    for (const { index, area } of row) {
      const long = area / thick;
      cells[index] = wide ? { x, y: at, w: thick, h: long } : { x: at, y, w: long, h: thick };
      at += long;
    }
    if (wide) [x, w] = [x + thick, w - thick];
    else [y, h] = [y + thick, h - thick];
    row = [];
    sum = 0;
  };
  for (const { index, size } of order) {
    const area = size * scale;
    const side = Math.max(1e-9, Math.min(w, h));
    if (row.length) {
      const most = row[0].area;
      const before = worst(row.at(-1).area, most, sum, side);
      if (worst(area, most, sum + area, side) > before) lay();
    }
    row.push({ index, area });
    sum += area;
  }
  lay();
  return cells;
}
