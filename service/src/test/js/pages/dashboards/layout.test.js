import { depth, move, placeWords, put, reading, settle, size } from "/app/pages/dashboards/layout.js";
import { equal, holds, test } from "/test/harness.js";

const at = (panel, x, y, w, h) => ({ panel, x, y, w, h });
const BOARD = [at("a", 1, 1, 6, 4), at("b", 7, 1, 6, 4), at("c", 1, 5, 12, 3)];
const places = (items) => items.map((i) => `${i.panel} ${i.x} ${i.y} ${i.w} ${i.h}`);
const apart = (items) =>
  items.every((a, i) =>
    items.slice(i + 1).every((b) => a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h),
  );

test("A panel that is moved onto others sends them down, never aside", () => {
  equal(places(move(BOARD, "b", -6, 0)), ["a 1 5 6 4", "b 1 1 6 4", "c 1 9 12 3"]);
});

test("A panel that grows sends down what is in its way, and that what is in its", () => {
  equal(places(size(BOARD, "a", "s", 0, 2)), ["a 1 1 6 6", "b 7 1 6 4", "c 1 7 12 3"]);
  equal(places(size(BOARD, "a", "e", 2, 0)), ["a 1 1 8 4", "b 7 5 6 4", "c 1 9 12 3"]);
});

test("A panel stays on the grid and at least one by one", () => {
  equal(places(move(BOARD, "a", -3, -9))[0], "a 1 1 6 4");
  equal(places(move(BOARD, "a", 40, 0))[0], "a 7 1 6 4");
  equal(places(size(BOARD, "a", "nw", 9, 9))[0], "a 6 4 1 1");
  equal(places(size(BOARD, "a", "se", -9, -9))[0], "a 1 1 1 1");
  equal(places(size(BOARD, "c", "e", 5, 0))[2], "c 1 5 12 3");
});

test("Pulling the left and upper edges moves them and leaves the others", () => {
  equal(places(size([at("a", 4, 4, 4, 4)], "a", "nw", -2, -1)), ["a 2 3 6 5"]);
});

test("A change of nothing is the same list", () => {
  holds(move(BOARD, "a", 0, 0) === BOARD, "moved by nothing");
  holds(move(BOARD, "x", 1, 0) === BOARD, "a panel that is not there");
  holds(move(BOARD, "a", -1, 0) === BOARD, "already at the edge");
});

test("However panels are moved, none lies on another and none changes its column but the one moved", () => {
  let items = [at("a", 1, 1, 4, 3), at("b", 5, 1, 4, 5), at("c", 9, 1, 4, 2), at("d", 1, 4, 8, 3), at("e", 3, 8, 6, 4)];
  let seed = 5;
  const next = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  for (let i = 0; i < 400; i++) {
    const { panel } = items[next(5)];
    const before = items;
    items = next(2)
      ? move(items, panel, next(9) - 4, next(9) - 4)
      : size(items, panel, ["n", "e", "s", "w", "se"][next(5)], next(5) - 2, next(5) - 2);
    holds(apart(items), `panels are apart after step ${i}`);
    items.forEach((item, n) => {
      if (item.panel !== panel) {
        equal([item.x, item.w, item.h], [before[n].x, before[n].w, before[n].h], `step ${i}`);
        holds(item.y >= before[n].y, "others only go down");
      }
    });
  }
});

test("What lies on each other in a file is put apart, in reading order", () => {
  equal(places(settle([at("a", 1, 3, 6, 4), at("b", 1, 1, 6, 4), at("c", 7, 1, 6, 4)])), [
    "a 1 5 6 4",
    "b 1 1 6 4",
    "c 7 1 6 4",
  ]);
});

test("A new panel stands beside the chosen one where there is room, else below it, else below all", () => {
  equal(places(put([at("a", 1, 1, 6, 4)], "n", { w: 6, h: 4 }, "a"))[1], "n 7 1 6 4");
  equal(places(put([at("a", 1, 1, 6, 4), at("b", 7, 1, 6, 2)], "n", { w: 6, h: 4 }, "a"))[2], "n 1 5 6 4");
  equal(places(put(BOARD, "n", { w: 6, h: 4 }, "a"))[3], "n 1 8 6 4");
  equal(places(put([], "n", { w: 6, h: 4 })), ["n 1 1 6 4"]);
});

test("Panels are read from top to bottom and left to right, and fill so many rows", () => {
  equal(
    reading([BOARD[2], BOARD[1], BOARD[0]]).map((i) => i.panel),
    ["a", "b", "c"],
  );
  equal([depth(BOARD), depth([])], [7, 0]);
  equal(placeWords(BOARD[0]), "column 1 of 12, row 1, 6 wide, 4 high");
});
