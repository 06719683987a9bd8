package io.peerlens.slow;

import java.util.Arrays;

/** Robust statistics of values some of which may be missing (NaN). */
final class Robust {

  /** Makes the median distance of a normal distribution its standard deviation. */
  private static final double NORMAL = 1.4826;

  private Robust() {}

  /** The values in [from, to) that are there, ascending. */
  static double[] sorted(double[] values, int from, int to) {
    double[] found =
        Arrays.stream(values, Math.max(0, from), Math.max(0, Math.max(from, to)))
            .filter(value -> !Double.isNaN(value))
            .toArray();
    Arrays.sort(found);
    return found;
  }

  /** Quantile of ascending values, between the nearest ranks; NaN of none. */
  static double quantile(double[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double at = share * (sorted.length - 1);
    int below = (int) at;
    double part = at - below;
    return part == 0 ? sorted[below] : sorted[below] + part * (sorted[below + 1] - sorted[below]);
  }

  /** Median of [from, to); NaN = no value. */
  static double median(double[] values, int from, int to) {
    return quantile(sorted(values, from, to), 0.5);
  }

  /** Mean of [from, to); NaN = no value. */
  static double mean(double[] values, int from, int to) {
    double sum = 0;
    int count = 0;
    for (int i = Math.max(0, from); i < to; i++) {
      if (!Double.isNaN(values[i])) {
        sum += values[i];
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /** Median distance from a middle, as a standard deviation; NaN of none. */
  static double spread(double[] values, double middle) {
    double[] distances = Arrays.stream(values).map(value -> Math.abs(value - middle)).toArray();
    Arrays.sort(distances);
    return NORMAL * quantile(distances, 0.5);
  }
}
