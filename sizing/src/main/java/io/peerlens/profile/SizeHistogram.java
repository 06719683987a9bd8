package io.peerlens.profile;

import java.util.Arrays;
import java.util.SortedMap;

/**
 * Histogram of the sizes of operations.
 *
 * @param sizes bytes that stand for a bin, ascending, each once
 * @param counts operations in it
 */
public record SizeHistogram(long[] sizes, double[] counts) {

  /** Most bins. */
  private static final int MOST = 512;

  public SizeHistogram {
    if (sizes.length != counts.length || sizes.length > MOST) {
      throw new IllegalArgumentException(
          "%d sizes and %d counts: as many of both, at most %d"
              .formatted(sizes.length, counts.length, MOST));
    }
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] <= (i == 0 ? 0 : sizes[i - 1]) || !(counts[i] >= 0)) {
        throw new IllegalArgumentException(
            "Sizes ascend and counts are not negative: %d, %s".formatted(sizes[i], counts[i]));
      }
    }
  }

  /** That of counts by size. */
  static SizeHistogram of(SortedMap<Long, Double> counts) {
    return new SizeHistogram(
        counts.keySet().stream().mapToLong(Long::longValue).toArray(),
        counts.values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** How many operations there are. */
  public double count() {
    return Arrays.stream(counts).sum();
  }

  /** Mean bytes of an operation; NaN = there are none. */
  public double mean() {
    double bytes = 0;
    for (int i = 0; i < sizes.length; i++) {
      bytes += sizes[i] * counts[i];
    }
    return bytes / count();
  }
}
