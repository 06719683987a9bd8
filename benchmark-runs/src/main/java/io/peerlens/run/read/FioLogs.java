package io.peerlens.run.read;

import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Series of a run from its fio logs: by job, and of all jobs together. Jobs log at times of their
 * own; together they are taken by intervals of the logs' usual length. Operations and bytes a
 * second add up, latencies are weighted by the operations of the job's {@code iops} log.
 */
final class FioLogs {

  private static final int MOST_INTERVALS = 200_000;

  /** Of each log, to know its usual interval. */
  private static final int ENOUGH_GAPS = 2_000;

  private record Metric(String name, String unit, double factor) {}

  private FioLogs() {}

  /**
   * Adds series; those of all jobs stand in place of coarser ones from status documents.
   *
   * @param nanoseconds latencies are; else microseconds, as before fio 3.0
   */
  static void add(Draft run, List<FioLog> logs, boolean nanoseconds) {
    Map<String, List<FioLog>> kinds = new TreeMap<>();
    logs.forEach(one -> kinds.computeIfAbsent(one.kind(), key -> new ArrayList<>()).add(one));
    for (Map.Entry<String, List<FioLog>> kind : kinds.entrySet()) {
      Metric metric = metric(kind.getKey(), nanoseconds);
      boolean several = kind.getValue().size() > 1;
      for (Direction direction : Direction.values()) {
        if (direction == Direction.BOTH
            ? any(kind.getValue(), null)
            : any(kind.getValue(), direction)) {
          together(run, metric, direction, kind.getValue(), kinds.getOrDefault("iops", List.of()));
        }
      }
      if (several) {
        kind.getValue().forEach(one -> byJob(run, metric, one));
      }
    }
  }

  private static Metric metric(String kind, boolean nanoseconds) {
    double time = nanoseconds ? 1e-6 : 1e-3;
    return switch (kind) {
      case "iops" -> new Metric("iops", "IO/s", 1);
      case "bw" -> new Metric("throughput", "B/s", 1024);
      case "lat" -> new Metric("latency", "ms", time);
      case "clat" -> new Metric("completion_latency", "ms", time);
      default -> new Metric("submission_latency", "ms", time);
    };
  }

  private static boolean any(List<FioLog> logs, @Nullable Direction of) {
    return logs.stream()
        .anyMatch(one -> of == null ? !one.points().isEmpty() : one.points().containsKey(of));
  }

  private static void byJob(Draft run, Metric metric, FioLog log) {
    log.points()
        .forEach(
            (direction, points) ->
                run.series(
                    new Series(
                        LatencyFigures.name(direction, metric.name()),
                        "job " + log.job(),
                        metric.unit(),
                        scaled(points.times(), 1e-3),
                        scaled(points.values(log.kind()), metric.factor()))));
  }

  private static double[] scaled(double[] values, double factor) {
    return Arrays.stream(values).map(one -> one * factor).toArray();
  }

  private static void together(
      Draft run, Metric metric, Direction of, List<FioLog> logs, List<FioLog> iops) {
    double width = width(logs);
    TreeMap<Long, double[]> sums = new TreeMap<>();
    boolean rate = metric.unit().endsWith("/s");
    for (FioLog log : logs) {
      for (Map.Entry<Direction, FioLog.Points> one : log.points().entrySet()) {
        if (of != Direction.BOTH && one.getKey() != of) {
          continue;
        }
        Map<Long, Double> values = means(one.getValue(), log.kind(), width);
        Map<Long, Double> weights = rate ? Map.of() : weights(log, one.getKey(), iops, width);
        values.forEach(
            (at, value) -> {
              double weight = rate ? 1 : weights.getOrDefault(at, 1.0);
              double[] sum = sums.computeIfAbsent(at, key -> new double[2]);
              sum[0] += value * weight;
              sum[1] += weight;
            });
      }
    }
    if (sums.size() > MOST_INTERVALS) {
      throw new UnreadableException(
          0,
          "The logs have more than %,d intervals".formatted(MOST_INTERVALS),
          "Use a larger log_avg_msec.");
    }
    double[] seconds = new double[sums.size()];
    double[] values = new double[sums.size()];
    int i = 0;
    for (Map.Entry<Long, double[]> one : sums.entrySet()) {
      seconds[i] = one.getKey() * width / 1000;
      values[i++] = one.getValue()[0] / (rate ? 1 : one.getValue()[1]) * metric.factor();
    }
    String name = LatencyFigures.name(of, metric.name());
    run.series.removeIf(one -> one.metric().equals(name) && one.instance().isEmpty());
    run.series(new Series(name, "", metric.unit(), seconds, values));
  }

  /** The usual milliseconds between two lines of a job and direction. */
  private static double width(List<FioLog> logs) {
    Doubles gaps = new Doubles();
    for (FioLog log : logs) {
      for (FioLog.Points points : log.points().values()) {
        double[] times = points.times();
        for (int i = 1; i < Math.min(times.length, ENOUGH_GAPS); i++) {
          gaps.add(times[i] - times[i - 1]);
        }
      }
    }
    double median = gaps.median();
    return median >= 1 ? median : 1000;
  }

  private static Map<Long, Double> means(FioLog.Points points, String kind, double width) {
    double[] times = points.times();
    double[] values = points.values(kind);
    Map<Long, double[]> sums = new TreeMap<>();
    for (int i = 0; i < times.length; i++) {
      double[] sum = sums.computeIfAbsent(Math.round(times[i] / width), key -> new double[2]);
      sum[0] += values[i];
      sum[1]++;
    }
    Map<Long, Double> means = new TreeMap<>();
    sums.forEach((at, sum) -> means.put(at, sum[0] / sum[1]));
    return means;
  }

  private static Map<Long, Double> weights(
      FioLog log, Direction direction, List<FioLog> iops, double width) {
    for (FioLog one : iops) {
      FioLog.Points points = one.points().get(direction);
      if (one.job().equals(log.job()) && one.prefix().equals(log.prefix()) && points != null) {
        return means(points, "iops", width);
      }
    }
    return Map.of();
  }

  /** Prefixes that jobs were told to log under, without folders. */
  static TreeSet<String> prefixes(List<FioJob> jobs) {
    TreeSet<String> prefixes = new TreeSet<>();
    for (FioJob job : jobs) {
      for (String option : List.of("write_iops_log", "write_bw_log", "write_lat_log")) {
        String prefix = job.option(option);
        if (prefix != null) {
          prefixes.add(
              prefix.isEmpty() ? job.name() : prefix.substring(prefix.lastIndexOf('/') + 1));
        }
      }
    }
    return prefixes;
  }
}
