import { onOneGrid } from "/app/panels/wall-parts.js";
import { wallFindings } from "/app/pages/dashboards/wall-lint.js";
import { equal, test } from "/test/harness.js";

const at = (panel, x, y, w, h) => ({ panel, x, y, w, h });
const rows = (n) => Array.from({ length: n }, () => ({ cells: [1] }));
const said = (dashboard, answers = {}) =>
  wallFindings(dashboard, (name) => answers[name] ?? null).map((f) => `${f.panel}: ${f.text}`);

/** A dashboard of one panel that has half the width and the whole height. */
const one = (panel) => ({ panels: { p: panel }, layout: [{ items: [at("p", 1, 1, 6, 8)] }] });

test("Sections stand one below the other on a wall", () => {
  const layout = [
    { items: [at("a", 1, 1, 6, 4), at("b", 7, 2, 6, 4)] },
    { section: "More", items: [at("c", 1, 1, 12, 3)] },
  ];
  equal(
    onOneGrid(layout).items.map((i) => i.y),
    [1, 2, 6],
  );
  equal(onOneGrid(layout).rows, 8);
});

test("A table of ten rows and five columns can be read, one row or column more cannot", () => {
  const columns = (n) => Array.from({ length: n }, () => ({ type: "number" }));
  const answer = (r, c) => ({ p: { type: "table", rows: rows(r), columns: columns(c) } });
  equal(said(one({ type: "table" }), answer(10, 5)), []);
  equal(said(one({ type: "table" }), answer(11, 5)), ["p: 11 rows, of which 10 can be read"]);
  equal(said(one({ type: "table" }), answer(10, 6)), ["p: 6 columns, of which 5 can be read"]);
});

test("Rows that would have to be scrolled for have no room", () => {
  const dashboard = {
    panels: { p: { type: "table" }, q: { type: "text", markdown: "Short" } },
    layout: [{ items: [at("p", 1, 1, 12, 4), at("q", 1, 5, 12, 8)] }],
  };
  const answers = { p: { type: "table", rows: rows(6), columns: [{ type: "number" }] } };
  equal(said(dashboard, answers), ["p: room for 3 of 6 rows"]);
});

test("More than eight panels beside each other, or panels without room, cannot be read", () => {
  const panels = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}`, { type: "chart" }]));
  const across = Object.keys(panels).map((name, i) => at(name, (i % 3) * 4 + 1, Math.floor(i / 3) * 4 + 1, 4, 4));
  equal(said({ panels, layout: [{ items: across }] }), []); // it is shown in parts
  const beside = [
    at("p0", 1, 1, 4, 8),
    ...across.slice(1).map(({ panel }, i) => at(panel, (i % 2) * 4 + 5, Math.floor(i / 2) * 2 + 1, 4, 2)),
  ];
  equal(said({ panels, layout: [{ items: beside }] }), [
    "null: 9 panels beside each other, of which 8 can be taken in",
  ]);
  const small = {
    panels: { a: { type: "chart" }, b: { type: "chart" }, c: { type: "chart" } },
    layout: [{ items: [at("a", 1, 1, 1, 20), at("b", 2, 1, 11, 18), at("c", 2, 19, 11, 2)] }],
  };
  equal(said(small), ["a: too small to be read", "c: too small to be read"]);
});

test("Lines beyond four cannot be told apart, and what is empty has none", () => {
  const chart = one({ type: "chart" });
  equal(said(chart, { p: { type: "chart", series: rows(4) } }), []);
  equal(said(chart, { p: { type: "chart", series: rows(5) } }), ["p: 5 lines, of which 4 can be told apart"]);
  equal(said(chart, { p: { type: "chart", series: rows(5), empty: { reason: "stopped" } } }), []);
});

test("Bars, scores and text need their room", () => {
  equal(said(one({ type: "top" }), { p: { type: "top", rows: rows(30) } }), ["p: room for 17 of 30 bars"]);
  equal(
    said(one({ type: "scoreboard" }), { p: { type: "scoreboard", rows: rows(16), columns: [{ type: "number" }] } }),
    ["p: room for 15 of 16 scores"],
  );
  equal(said(one({ type: "text", markdown: "word ".repeat(500) })), ["p: room for 22 of 36 lines"]);
  equal(said(one({ type: "text", markdown: "word ".repeat(200) })), []);
});
