import { chance, judgementWord, percent, share, unitOf, widest } from "/app/pages/compare/words.js";
import { equal, test } from "/test/harness.js";

const metric = (a, b, more = {}) => ({
  unit: "%",
  network: false,
  a: { median: a, p95: a },
  b: { median: b, p95: b },
  low: null,
  high: null,
  ...more,
});

for (const [change, text] of [
  [0, "0.0 %"],
  [0.012, "+1.2 %"],
  [-0.5, "\u221250 %"],
  [3.456, "+346 %"],
  [null, "-"],
])
  test(`A change of ${change} is written as ${text}`, () => equal(percent(change), text));

test("A chance is never written as nothing", () => {
  equal(
    [chance(0), chance(0.0009), chance(0.001), chance(0.5), chance(null)],
    ["< 0.001", "< 0.001", "0.001", "0.500", "-"],
  );
});

test("A change is a share of the larger median, and none of nothing", () => {
  equal([share(metric(50, 100), 10), share(metric(-200, 100), 10)], [0.1, 0.05]);
  equal([share(metric(0, 0), 10), share(metric(null, null), 10), share(metric(50, 100), null)], [null, null, null]);
});

test("All values of a comparison are in the unit of the largest, changes with their sign", () => {
  const { unit, text, signed } = unitOf(metric(1024, 3 * 1024 ** 2, { unit: "KB" }));
  equal(
    [unit, text(1024 ** 2), signed(1024 ** 2), signed(-(1024 ** 2)), signed(0), text(null)],
    ["GiB", "1", "+1", "-1", "0", "-"],
  );
});

test("Pictures of changes reach from a tenth to the whole", () => {
  equal([widest([]), widest([metric(100, 100, { low: -1, high: 1 })])], [0.1, 0.1]);
  equal(
    [widest([metric(100, 100, { low: -45, high: 1 })]), widest([metric(100, 100, { low: 0, high: 700 })])],
    [0.45, 1],
  );
});

test("A judgement that is not known is called as it is", () => {
  equal([judgementWord("not-enough-data"), judgementWord("odd")], ["not enough data", "odd"]);
});
