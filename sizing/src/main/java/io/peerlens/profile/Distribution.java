package io.peerlens.profile;

import io.peerlens.profile.Grid.Bucket;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Distribution of the values of buckets. Percentiles are exact over the buckets that there are, by
 * nearest rank: the lowest value that at least this share of the buckets does not exceed, which has
 * really been. They are percentiles of means over a bucket; within it there is more.
 *
 * @param bucket what the values are means over
 * @param buckets how many have a value
 * @param mean of the values; NaN, as all that follow = there are none
 * @param peak the highest value
 * @param peakAt start of the first bucket that has it; null = there are no values
 */
public record Distribution(
    Bucket bucket,
    int buckets,
    double mean,
    double p50,
    double p95,
    double p99,
    double peak,
    @Nullable Instant peakAt) {

  /** Which value of a distribution stands for it. */
  public enum At {
    MEAN,
    P50,
    P95,
    P99,
    PEAK
  }

  /** One of its values. */
  public double at(At which) {
    return switch (which) {
      case MEAN -> mean;
      case P50 -> p50;
      case P95 -> p95;
      case P99 -> p99;
      case PEAK -> peak;
    };
  }

  /** That of a column; NaN = no value. */
  static Distribution of(Grid grid, double[] column) {
    double[] values = new double[column.length];
    int n = 0;
    double sum = 0;
    int peak = -1;
    for (int i = 0; i < column.length; i++) {
      double value = column[i];
      if (!Double.isNaN(value)) {
        values[n++] = value;
        sum += value;
        peak = peak < 0 || value > column[peak] ? i : peak;
      }
    }
    if (peak < 0) {
      return none(grid.bucket());
    }
    Arrays.sort(values, 0, n);
    return new Distribution(
        grid.bucket(),
        n,
        sum / n,
        rank(values, n, 50),
        rank(values, n, 95),
        rank(values, n, 99),
        column[peak],
        grid.at(peak));
  }

  /**
   * That of a column whose values weigh differently, such as latencies by the operations that they
   * are means of. A percentile is the lowest value up to which at least this share of the weight
   * lies.
   *
   * @param weights 0 = the value does not count
   */
  static Distribution weighted(Grid grid, double[] column, double[] weights) {
    double[] values = new double[column.length];
    int n = 0;
    int peak = -1;
    double total = 0;
    double sum = 0;
    for (int i = 0; i < column.length; i++) {
      if (weights[i] > 0 && !Double.isNaN(column[i])) {
        values[n++] = column[i];
        total += weights[i];
        sum += weights[i] * column[i];
        peak = peak < 0 || column[i] > column[peak] ? i : peak;
      }
    }
    if (peak < 0) {
      return none(grid.bucket());
    }
    Arrays.sort(values, 0, n);
    double[] weightAt = new double[n];
    for (int i = 0; i < column.length; i++) {
      if (weights[i] > 0 && !Double.isNaN(column[i])) {
        weightAt[Arrays.binarySearch(values, 0, n, column[i])] += weights[i];
      }
    }
    return new Distribution(
        grid.bucket(),
        n,
        sum / total,
        weightedRank(values, weightAt, n, total, 50),
        weightedRank(values, weightAt, n, total, 95),
        weightedRank(values, weightAt, n, total, 99),
        column[peak],
        grid.at(peak));
  }

  static Distribution none(Bucket bucket) {
    double no = Double.NaN;
    return new Distribution(bucket, 0, no, no, no, no, no, null);
  }

  /** Nearest rank among the first {@code n} values, which are sorted. */
  static double rank(double[] sorted, int n, double percentile) {
    return sorted[Math.clamp((long) Math.ceil(percentile / 100 * n) - 1, 0, n - 1)];
  }

  private static double weightedRank(
      double[] sorted, double[] weightAt, int n, double total, double percentile) {
    double wanted = percentile / 100 * total * (1 - 1e-12);
    double below = 0;
    for (int i = 0; i < n; i++) {
      // Equal values have their weight at one of them: the value is the same at any.
      below += weightAt[i];
      if (below >= wanted) {
        return sorted[i];
      }
    }
    return sorted[n - 1];
  }
}
