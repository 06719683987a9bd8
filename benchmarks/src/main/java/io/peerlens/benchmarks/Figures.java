package io.peerlens.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;

/** Figures that several programs print. */
final class Figures {

  private Figures() {}

  /**
   * The value that a share of the values do not exceed.
   *
   * @return NaN when there are no values
   */
  static double percentile(Collection<Double> values, double share) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  }

  /** Half, nearly all and all of some times in seconds, in words. */
  static String spread(Collection<Double> seconds) {
    return String.format(
        Locale.ROOT,
        "p50 %.2f s, p99 %.2f s, longest %.2f s",
        percentile(seconds, 0.5),
        percentile(seconds, 0.99),
        percentile(seconds, 1));
  }

  /** What was alive after the last collection of each pool of the heap, in MB. */
  static long heapAfterCollection() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getCollectionUsage)
            .filter(Objects::nonNull)
            .mapToLong(usage -> usage.getUsed())
            .sum()
        >> 20;
  }
}
