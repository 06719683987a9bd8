package io.peerlens.baselines;

import java.util.Arrays;

/** Quantiles of weighted numbers, out of arrays that are filled again and again. */
final class WeightedQuantile {

  final double[] values;
  final double[] weights;
  private final long[] sorting;

  /**
   * @param most how many numbers there are at most
   */
  WeightedQuantile(int most) {
    values = new double[most];
    weights = new double[most];
    sorting = new long[most];
  }

  /**
   * A weighted quantile of the first values: the mean of the two between which the weight is parted
   * so if that is exact, else the one at which the share is reached.
   *
   * @param n how many values, at least 1; none is NaN
   */
  double of(double share, int n) {
    if (n == 1) {
      return values[0];
    }
    double total = 0;
    for (int i = 0; i < n; i++) {
      int bits = Float.floatToIntBits((float) values[i]);
      int ordered = bits ^ ((bits >> 31) & 0x7fffffff);
      sorting[i] = ((long) ordered << 32) | i;
      total += weights[i];
    }
    Arrays.sort(sorting, 0, n);
    double wanted = share * total;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      int at = (int) sorting[i];
      sum += weights[at];
      if (sum > wanted * (1 + 1e-12)) {
        return values[at];
      }
      if (sum > wanted * (1 - 1e-12) && i + 1 < n) {
        return (values[at] + values[(int) sorting[i + 1]]) / 2;
      }
    }
    return values[(int) sorting[n - 1]];
  }
}
