package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Figure;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Names of totals of latency, and the percentiles that every reader gives. */
final class LatencyFigures {

  /** By the ends of the figures' names. */
  static final SortedMap<String, Double> PERCENTILES =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(Map.of("50", 50.0, "95", 95.0, "99", 99.0, "99.9", 99.9)));

  private LatencyFigures() {}

  /** {@code iops} of reads is {@code read_iops}. */
  static String name(Direction direction, String metric) {
    return direction == Direction.BOTH
        ? metric
        : direction.name().toLowerCase(Locale.ROOT) + "_" + metric;
  }

  /** Adds the distribution and its percentiles. */
  static void add(Draft run, Latencies latencies) {
    if (latencies.count() <= 0) {
      return;
    }
    run.latencies.add(latencies);
    PERCENTILES.forEach(
        (name, percentile) ->
            run.figure(
                name(latencies.direction(), "latency_p" + name),
                "ms",
                latencies.percentile(percentile)));
  }

  /** Adds that percentiles cannot be known. */
  static void unknown(Draft run, Direction direction, String reason) {
    for (String name : PERCENTILES.keySet()) {
      run.figures.add(Figure.unknown(name(direction, "latency_p" + name), "ms", reason));
    }
  }
}
