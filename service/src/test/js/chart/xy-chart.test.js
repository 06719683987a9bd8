import { axis, way } from "/app/chart/xy-chart.js";
import { close, equal, holds, test } from "/test/harness.js";

const point = (load, latencyMillis) => ({ load, latencyMillis });

test("The way through a curve passes its points and never overshoots between them", () => {
  const points = [point(52, 0.42), point(151, 0.78), point(192, 1.28), point(207, 1.86)];
  const through = way(points);
  for (const p of points)
    holds(
      through.some(([x, y]) => Math.abs(x - p.load) < 1e-9 && Math.abs(y - p.latencyMillis) < 1e-9),
      `${p.load} is on the way`,
    );
  for (let i = 1; i < through.length; i++) holds(through[i][0] >= through[i - 1][0] - 1e-9, `it rises at ${i}`);
});

test("Where the latency falls the way is straight", () =>
  equal(way([point(10, 2), point(20, 1)]), [
    [10, 2],
    [20, 1],
  ]));

test("A logarithmic axis has powers of ten and places them evenly", () => {
  const y = axis({ low: 0.05, high: 4, from: 100, to: 0, parts: 4, log: true });
  equal(y.ticks, [0.01, 0.1, 1, 10]);
  equal(y.at(0.01), 100);
  equal(y.at(10), 0);
  close(y.at(1), 100 / 3);
});
