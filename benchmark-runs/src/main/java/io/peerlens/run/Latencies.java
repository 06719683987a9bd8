package io.peerlens.run;

import io.peerlens.run.Run.Direction;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedMap;

/**
 * Distribution of the latencies of operations: how many there were up to each bound. Distributions
 * of several machines or jobs are added, and percentiles are taken of the sum; means of percentiles
 * are percentiles of nothing.
 *
 * @param direction of the operations
 * @param bounds upper bounds of the buckets in milliseconds, ascending; the last may be infinite
 * @param counts operations in each bucket
 */
public record Latencies(Direction direction, double[] bounds, double[] counts) {

  public Latencies {
    if (bounds.length != counts.length) {
      throw new IllegalArgumentException(
          "%d bounds and %d counts".formatted(bounds.length, counts.length));
    }
    for (int i = 1; i < bounds.length; i++) {
      if (bounds[i] <= bounds[i - 1]) {
        throw new IllegalArgumentException("Bounds of latencies do not ascend at " + bounds[i]);
      }
    }
  }

  /**
   * A distribution of counts by upper bounds.
   *
   * @param counts operations by the upper bound of their bucket in milliseconds
   */
  public static Latencies of(Direction direction, SortedMap<Double, Double> counts) {
    return new Latencies(
        direction,
        counts.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
        counts.values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** How many operations there are. */
  public double count() {
    return Arrays.stream(counts).sum();
  }

  /**
   * The latency that a share of the operations did not exceed. Within a bucket operations are taken
   * to be spread evenly; so the error is at most the width of the bucket.
   *
   * @param percentile 0 to 100
   * @return milliseconds; NaN = there are no operations; the lower bound where it lies in a bucket
   *     without an upper one
   */
  public double percentile(double percentile) {
    double total = count();
    if (total <= 0) {
      return Double.NaN;
    }
    double wanted = percentile / 100 * total;
    double below = 0;
    double lower = 0;
    for (int i = 0; i < bounds.length; i++) {
      if (counts[i] > 0 && below + counts[i] >= wanted) {
        return Double.isInfinite(bounds[i])
            ? lower
            : lower + (bounds[i] - lower) * Math.max(0, wanted - below) / counts[i];
      }
      below += counts[i];
      lower = bounds[i];
    }
    return lower;
  }

  /**
   * The sum of distributions, with all bounds that any of them has. A bucket that another
   * distribution divides is divided as {@link #percentile} takes it to be: evenly. A bucket without
   * an upper bound stays one. So distributions of the same bounds add exactly, and others with an
   * error of at most the width of their widest bucket.
   *
   * @param of what the sum is of
   */
  public static Latencies sum(Direction of, Collection<Latencies> all) {
    double[] bounds =
        all.stream()
            .flatMapToDouble(one -> Arrays.stream(one.bounds))
            .sorted()
            .distinct()
            .toArray();
    double[] counts = new double[bounds.length];
    for (Latencies one : all) {
      one.addTo(bounds, counts);
    }
    return new Latencies(of, bounds, counts);
  }

  private void addTo(double[] finer, double[] sums) {
    int at = 0;
    double lower = 0;
    for (int i = 0; i < bounds.length; i++) {
      double upper = bounds[i];
      int end = Arrays.binarySearch(finer, upper);
      if (counts[i] != 0) {
        if (Double.isInfinite(upper) || end == at) {
          sums[end] += counts[i];
        } else {
          double from = lower;
          for (int j = at; j <= end; j++) {
            sums[j] += counts[i] * (finer[j] - from) / (upper - lower);
            from = finer[j];
          }
        }
      }
      at = end + 1;
      lower = upper;
    }
  }
}
