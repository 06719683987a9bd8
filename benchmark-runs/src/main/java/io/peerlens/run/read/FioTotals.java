package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Totals of fio's jobs that ran at the same time: operations and bytes a second add up, means of
 * latency are weighted by operations, percentiles are of added bins. Percentiles of several jobs
 * without bins are not known; those of a single one are its own.
 */
final class FioTotals {

  static final String NO_BINS =
      "Percentiles of several jobs, or of reads and writes together, cannot be had from the jobs'"
          + " percentiles; run fio with --output-format=json+, which writes the bins.";

  private FioTotals() {}

  static void add(Draft run, List<FioJob> jobs) {
    List<FioStats> all = new ArrayList<>();
    boolean directions = false;
    for (Direction direction : new Direction[] {Direction.READ, Direction.WRITE}) {
      List<FioStats> parts = new ArrayList<>();
      for (FioJob job : jobs) {
        FioStats part = job.parts().get(direction);
        if (part != null) {
          parts.add(part);
        }
      }
      if (!parts.isEmpty()) {
        directions = true;
        rates(run, direction, parts);
        latencies(run, direction, parts);
        all.addAll(parts);
      }
    }
    for (FioJob job : jobs) {
      FioStats mixed = job.parts().get(Direction.BOTH);
      if (mixed != null) {
        all.add(mixed);
      }
      if (job.trims() != null) {
        all.add(job.trims());
      }
    }
    rates(run, Direction.BOTH, all);
    latencies(run, Direction.BOTH, all);
    if (!directions) {
      run.remark("fio reported reads and writes as one (unified_rw_reporting).");
    }
    double cpu = jobs.stream().mapToDouble(FioJob::cpu).average().orElse(Double.NaN);
    run.figure("job_cpu", "%", cpu);
    if (jobs.stream().anyMatch(one -> !one.finished())) {
      run.remark("fio was stopped, or had not ended, when it wrote this; figures are up to then.");
    }
  }

  private static void rates(Draft run, Direction direction, List<FioStats> parts) {
    double iops = 0;
    double throughput = 0;
    for (FioStats part : parts) {
      iops += part.iops();
      throughput += part.throughput();
    }
    run.figure(LatencyFigures.name(direction, "iops"), "IO/s", iops);
    run.figure(LatencyFigures.name(direction, "throughput"), "B/s", throughput);
  }

  private static void latencies(Draft run, Direction direction, List<FioStats> all) {
    List<FioStats> parts = all.stream().filter(one -> one.ops() > 0).toList();
    if (parts.isEmpty()) {
      return;
    }
    double sum = 0;
    double ops = 0;
    double max = Double.NaN;
    for (FioStats part : parts) {
      sum += part.latency() * part.ops();
      ops += part.ops();
      if (!Double.isNaN(part.latencyMax())) {
        max = Double.isNaN(max) ? part.latencyMax() : Math.max(max, part.latencyMax());
      }
      if (part.completionOnly()) {
        run.remark("Means of latency are of the completion (clat); fio did not measure the whole.");
      }
    }
    if (Double.isNaN(sum)) {
      run.figures.add(
          Figure.unknown(
              LatencyFigures.name(direction, "latency"),
              "ms",
              "fio was told not to measure latency (disable_lat, disable_clat, gtod_reduce)."));
    } else {
      run.figure(LatencyFigures.name(direction, "latency"), "ms", sum / ops);
    }
    run.figure(LatencyFigures.name(direction, "latency_max"), "ms", max);

    boolean known = true;
    if (parts.stream().allMatch(one -> one.bins() != null)) {
      List<Latencies> bins = new ArrayList<>();
      for (FioStats part : parts) {
        if (part.bins() != null) {
          bins.add(part.bins());
        }
      }
      LatencyFigures.add(run, Latencies.sum(direction, bins));
    } else if (parts.size() == 1) {
      FioStats only = parts.getFirst();
      for (Map.Entry<String, Double> one : LatencyFigures.PERCENTILES.entrySet()) {
        run.figure(
            LatencyFigures.name(direction, "latency_p" + one.getKey()),
            "ms",
            only.percentiles().getOrDefault(one.getValue(), Double.NaN));
      }
    } else {
      known = false;
      if (!Double.isNaN(sum)) {
        LatencyFigures.unknown(run, direction, NO_BINS);
      }
    }
    if (known && parts.stream().anyMatch(FioStats::binsOfCompletion)) {
      run.remark(
          "Percentiles are of the completion (clat), as fio has them unless lat_percentiles=1.");
    }
  }
}
