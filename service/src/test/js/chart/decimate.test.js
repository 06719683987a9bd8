import { medianOf, nearest, runs, spacing } from "/app/chart/decimate.js";
import { equal, holds, test } from "/test/harness.js";

/** Numbers that look random and are the same in every run. */
function dice(seed) {
  let state = seed;
  return (n) => (state = (state * 48271) % 2147483647) % n;
}

test("The spacing of a series is the usual distance of its values, whatever is missing", () => {
  const times = Array.from({ length: 20 }, (_, i) => i * 1000);
  equal(spacing(times, times), 1000);
  equal(
    spacing(
      times,
      times.map((_, i) => (i % 5 ? null : 1)),
    ),
    5000,
  );
  equal([spacing([], []), spacing([0], [1]), spacing(times, Array(20).fill(null))], [0, 0, 0]);
});

test("A line is drawn through single values in their order", () => {
  equal(
    runs([0, 1, 2], [0, 10, 20], [5, 7, 6], (v) => v, 10),
    [[0, 5, 10, 7, 20, 6]],
  );
  equal(
    runs([], [], [], (v) => v, 10),
    [],
  );
});

test("A column of pixels keeps its least and greatest value in the order in which they came", () => {
  const y = (v) => v;
  equal(runs([0, 1, 2, 3], [0, 0.2, 0.4, 0.6], [5, 9, 1, 4], y, 10), [[0.2, 9, 0.4, 1]]);
  equal(runs([0, 1, 2, 3], [0, 0.2, 0.4, 0.6], [5, 1, 9, 4], y, 10), [[0.2, 1, 0.4, 9]]);
});

test("The median of several series leaves out those without a value", () => {
  equal(
    medianOf([
      [1, 1, null, null],
      [3, null, null, 4],
      [2, 9, null, null],
    ]),
    [2, 5, null, 4],
  );
  equal([medianOf([]), medianOf([[]])], [[], []]);
});

test("The median has half of the values on either side", () => {
  const next = dice(7);
  for (let round = 0; round < 50; round++) {
    const values = Array.from({ length: 1 + next(9) }, () => next(20) - 10);
    const [median] = medianOf(values.map((v) => [v]));
    const about = `${values}: ${median}`;
    holds(values.filter((v) => v < median).length * 2 <= values.length, about);
    holds(values.filter((v) => v > median).length * 2 <= values.length, about);
  }
});

test("The nearest value is the one that a search through all of them finds", () => {
  const next = dice(11);
  for (let round = 0; round < 2000; round++) {
    let at = 0;
    const times = Array.from({ length: next(8) }, () => (at += 1 + next(6)));
    const values = times.map(() => (next(3) ? 1 : null));
    const t = next(50) - 5;
    const reach = next(12);
    const found = nearest(times, values, t, reach);
    const distances = times.map((time, i) => (values[i] === null ? Infinity : Math.abs(time - t)));
    const least = Math.min(Infinity, ...distances);
    const about = JSON.stringify({ times, values, t, reach, found });
    if (least > reach) equal(found, -1, about);
    else equal(distances[found], least, about);
  }
});
