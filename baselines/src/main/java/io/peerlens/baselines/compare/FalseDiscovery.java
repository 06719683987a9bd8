package io.peerlens.baselines.compare;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Adjusts the p values of questions that are asked together, so that of the answers "it differs" at
 * most the stated share is wrong on average.
 *
 * <p>Y. Benjamini, Y. Hochberg: Controlling the false discovery rate: a practical and powerful
 * approach to multiple testing. Journal of the Royal Statistical Society B 57 (1995), 289-300. It
 * holds for metrics that rise and fall together, too (Benjamini, Yekutieli 2001).
 */
final class FalseDiscovery {

  private FalseDiscovery() {}

  /**
   * The adjusted values, in the order of the given ones.
   *
   * @param p NaN = the question has no answer; it does not count and stays NaN
   */
  static double[] adjust(double[] p) {
    Integer[] order = new Integer[p.length];
    int count = 0;
    for (int i = 0; i < p.length; i++) {
      order[i] = i;
      count += Double.isNaN(p[i]) ? 0 : 1;
    }
    // NaN is sorted behind all others.
    Arrays.sort(order, Comparator.comparingDouble(i -> p[i]));
    double[] adjusted = new double[p.length];
    Arrays.fill(adjusted, Double.NaN);
    double least = 1;
    for (int rank = count; rank >= 1; rank--) {
      least = Math.min(least, p[order[rank - 1]] * count / rank);
      adjusted[order[rank - 1]] = least;
    }
    return adjusted;
  }
}
