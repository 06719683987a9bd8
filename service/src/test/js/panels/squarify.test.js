import { squarify } from "/app/panels/squarify.js";
import { close, equal, holds, test } from "/test/harness.js";

const AT = { x: 10, y: 20, w: 300, h: 200 };
const area = ({ w, h }) => w * h;

test("The areas of cells are as their sizes, and together fill the rectangle", () => {
  const cells = squarify([6, 6, 4, 3, 2, 2, 1], AT);
  close(
    cells.reduce((sum, c) => sum + area(c), 0),
    300 * 200,
    1e-6,
  );
  close(area(cells[0]) / area(cells[6]), 6, 1e-9);
  close(area(cells[2]) / area(cells[3]), 4 / 3, 1e-9);
});

test("Cells lie within the rectangle, and none on another", () => {
  const sizes = Array.from({ length: 60 }, (_, i) => ((i * 7919) % 41) + 1);
  const cells = squarify(sizes, AT);
  const e = 1e-6;
  for (const c of cells)
    holds(c.x >= 10 - e && c.y >= 20 - e && c.x + c.w <= 310 + e && c.y + c.h <= 220 + e, "a cell is within");
  const meet = (a, b) => a.x + e < b.x + b.w && b.x + e < a.x + a.w && a.y + e < b.y + b.h && b.y + e < a.y + a.h;
  cells.forEach((a, i) => cells.slice(i + 1).forEach((b) => holds(!meet(a, b), "two cells are apart")));
});

test("Cells of one size are nearer to squares than strips would be", () => {
  const cells = squarify(Array(24).fill(1), AT);
  for (const { w, h } of cells) holds(Math.max(w / h, h / w) < 2, `${w} by ${h} is nearly a square`);
});

test("Cells keep the order of their sizes, whatever that is", () => {
  const cells = squarify([1, 100, 10], AT);
  close(area(cells[1]) / area(cells[0]), 100, 1e-6);
  close(area(cells[2]) / area(cells[0]), 10, 1e-6);
});

test("What has no size has no area, and nothing else makes a mistake", () => {
  equal(
    squarify([0, -1, NaN, 5], AT).map((c) => Math.round(area(c))),
    [0, 0, 0, 60000],
  );
  equal(squarify([], AT), []);
  equal(squarify([1], { x: 0, y: 0, w: 0, h: 10 }), [{ x: 0, y: 0, w: 0, h: 0 }]);
});
