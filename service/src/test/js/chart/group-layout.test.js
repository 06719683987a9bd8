import { bandAt, logTicks, stepAt } from "/app/chart/group-layout.js";
import { close, equal, holds, test } from "/test/harness.js";

test("A logarithmic axis has few round ticks within its ends", () => {
  equal(logTicks(1, 1000, 4), [1, 10, 100, 1000]);
  for (const low of [0.0003, 0.9, 1, 7, 40_000])
    for (const factor of [1.5, 3, 12, 400, 1e6, 1e9])
      for (const most of [2, 3, 5]) {
        const ticks = logTicks(low, low * factor, most);
        const about = `${low} to ${low * factor}, at most ${most}: ${ticks}`;
        holds(ticks.length >= 1 && ticks.length <= Math.max(most, 5), about);
        holds(
          ticks.every((t, i) => t >= low * 0.99 && t <= low * factor * 1.01 && (i === 0 || t > ticks[i - 1])),
          about,
        );
      }
});

const metric = { centre: [100, null, 10], lower: [50, 1, null], upper: [200, 2, 20] };

test("The accepted range is that of the group at the sensitivity it was made for", () => {
  equal(bandAt(metric, 1, false), { lower: metric.lower, upper: metric.upper });
});

test("A wider range is as much farther from the middle, on a logarithmic axis by the ratio", () => {
  equal(bandAt(metric, 2, false), { lower: [0, null, null], upper: [300, null, 30] });
  const { lower, upper } = bandAt(metric, 2, true);
  close(lower[0], 25);
  close(upper[0], 400);
  equal([lower[1], upper[1], lower[2]], [null, null, null]);
});

test("A moment lies in the last step that has begun", () => {
  const spec = { times: [10, 20, 30] };
  equal(
    [null, 5, 10, 19, 20, 35].map((t) => stepAt(spec, t)),
    [2, 0, 0, 0, 1, 2],
  );
  equal(stepAt({ times: [] }, 5), -1);
});
