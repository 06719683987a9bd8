import {
  headline,
  namedCurves,
  parameterValue,
  proposedLimit,
  valueOf,
  wholeSeries,
  workload,
  worstFigure,
} from "/app/pages/benchmark-runs/words.js";
import { equal, test } from "/test/harness.js";

const run = (id, parameters, figures = {}) => ({
  id,
  parameters,
  figures: Object.entries(figures).map(([name, value]) => ({ name, value, toolValue: null, unit: "" })),
});
const curve = (parameter, title, ids) => ({
  parameter,
  title,
  points: ids.map((id) => ({ runs: [id], latencyMillis: 1 })),
});

test("A workload is block size, mixture and order", () =>
  equal(workload(run("a", { block_size: "8192", read_share: "70", random_share: "100" })), "8K, 70/30, random"));

test("A missing rate limit is no limit", () => equal(parameterValue("rate_limit", ""), "no limit"));

test("The IOPS of a run are added up of reads and writes, its percentiles are not", () => {
  const both = run("a", {}, { read_iops: 70, write_iops: 30, read_latency_p95: 1, write_latency_p95: 2 });
  equal(valueOf(both, "iops"), 100);
  equal(valueOf(both, "latency_p95"), null);
  equal(valueOf(run("b", {}, { read_latency_p95: 1 }), "latency_p95"), 1);
});

test("A proposed limit is a round one in the middle of what was measured", () => {
  equal(proposedLimit([{ latencyMillis: 0.42 }, { latencyMillis: 2.74 }]), 1);
  equal(proposedLimit([{ latencyMillis: 0.05 }, { latencyMillis: 3.8 }]), 0.2);
  equal(proposedLimit([{ latencyMillis: 0.019 }, { latencyMillis: 0.019 }]), 0.02);
  equal(proposedLimit([]), null);
});

test("Curves with the newest runs come first", () => {
  const runs = ["2019", "2026"].flatMap((year) =>
    [1, 2, 3].map((n) => ({ ...run(`${year} ${n}`, { outstanding: String(n) }), start: `${year}-04-0${n}T00:00:00Z` })),
  );
  const names = ["2019", "2026"].map((year) =>
    curve(
      "outstanding",
      year,
      [1, 2, 3].map((n) => `${year} ${n}`),
    ),
  );
  equal(
    namedCurves(names, runs).map((c) => c.label),
    ["2026", "2019"],
  );
});

test("Curves of the same name are told apart by what differs beside them", () => {
  const runs = [
    run("a", { block_size: "4096", outstanding: "8" }),
    run("b", { block_size: "8192", outstanding: "8" }),
    run("c", { block_size: "4096", outstanding: "16" }),
    run("d", { block_size: "8192", outstanding: "16" }),
    run("e", { block_size: "4096", outstanding: "32" }),
  ];
  const names = namedCurves(
    [
      curve("block_size", "all reads", ["a", "b"]),
      curve("block_size", "all reads", ["c", "d"]),
      curve("outstanding", "4K, all reads", ["a", "c", "e"]),
      curve("outstanding", "alone", ["a"]),
    ],
    runs,
  ).map((c) => c.label);
  equal(names, ["4K, all reads", "all reads; outstanding IO 8", "all reads; outstanding IO 16"]);
});

test("The figure that the tool has wrong is the percentile before the mean", () => {
  const wrong = ["iops", "read_latency", "read_latency_p95"].map((name) => ({
    name,
    value: 1,
    toolValue: 2,
    unit: "",
  }));
  equal(worstFigure({ figures: wrong }).name, "read_latency_p95");
  equal(worstFigure(run("a", {}, { iops: 5 })), null);
});

test("A headline says how the limit was read", () => {
  const read = (readingState, reading) => headline("Cluster B", { readingState, reading, sentence: "" }, 7);
  equal(
    read("reached", "200,000 IOPS at 1.5 ms (p95) or less; between measured 1.28 and 1.86 ms."),
    "Cluster B carries 200,000 IOPS at 1.5 ms (p95) or less.",
  );
  equal(
    read("at-least", "At least 211,000 IOPS at 5 ms (p95) or less; the highest latency measured is 2.74 ms."),
    "Cluster B carries at least 211,000 IOPS at 5 ms (p95) or less.",
  );
  equal(
    read("not-reached", "0.3 ms (p95) is not reached: the lowest latency measured is 0.42 ms, at 52,200 IOPS."),
    "Cluster B: 0.3 ms (p95) is not reached.",
  );
  equal(headline("Cluster B", null, 2), "2 runs on Cluster B, no two differ in one parameter only.");
});

const series = (metric, instance, values, endSeconds = [1, 2]) => ({
  metric,
  instance,
  unit: "IO/s",
  endSeconds,
  values,
});

test("The load of a run is added up of reads and writes, and of machines, where their intervals are the same", () => {
  equal(wholeSeries([series("read_iops", "", [1, 2]), series("write_iops", "", [10, null])], "iops").values, [
    11,
    null,
  ]);
  equal(wholeSeries([series("iops", "vm-1", [1, 2]), series("iops", "vm-2", [3, 4])], "iops").values, [4, 6]);
  equal(wholeSeries([series("iops", "vm-1", [1, 2]), series("iops", "vm-2", [3, 4], [1, 3])], "iops"), null);
  equal(wholeSeries([series("iops", "", [5, 6]), series("iops", "vm-1", [1, 2])], "iops").values, [5, 6]);
  equal(wholeSeries([series("read_latency", "", [1, 2]), series("write_latency", "", [3, 4])], "latency"), null);
});
