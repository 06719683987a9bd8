package io.peerlens.outliers;

import java.util.Arrays;

/** Order statistics on the front of arrays. */
final class Robust {

  /** Makes the MAD of normal values their standard deviation. */
  static final double MAD_FACTOR = 1.4826;

  /**
   * What the MAD of few normal values has to be multiplied with besides, by number of values from 2
   * (Croux and Rousseeuw, "Time-efficient algorithms for two highly robust estimators of scale",
   * 1992); n / (n - 0.8) above.
   */
  private static final double[] FEW = {1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};

  private Robust() {}

  /** The standard deviation that the MAD of the sorted a[0..n) around c speaks for. */
  static double mad(double[] a, int n, double c) {
    double few = n < 2 ? 1 : n < 10 ? FEW[n - 2] : n / (n - 0.8);
    return MAD_FACTOR * few * medianDistanceOfSorted(a, n, c);
  }

  /** The median of a[0..n), sorted; the mean of the two in the middle for an even n. */
  static double medianOfSorted(double[] a, int n) {
    if (n == 0) {
      return Double.NaN;
    }
    int h = n >>> 1;
    return (n & 1) == 1 ? a[h] : 0.5 * (a[h - 1] + a[h]);
  }

  /** The median of a[0..n); changes the order of a. */
  static double median(double[] a, int n) {
    Arrays.sort(a, 0, n);
    return medianOfSorted(a, n);
  }

  /** The median distance of the sorted a[0..n) from c, in linear time. */
  static double medianDistanceOfSorted(double[] a, int n, double c) {
    if (n == 0) {
      return Double.NaN;
    }
    // Two runs of growing distances, leftwards and rightwards from c, merged up to the middle.
    int right = Arrays.binarySearch(a, 0, n, c);
    if (right < 0) {
      right = -right - 1;
    }
    int left = right - 1;
    int h = n >>> 1;
    double before = 0;
    double at = 0;
    for (int i = 0; i <= h; i++) {
      before = at;
      if (right >= n || (left >= 0 && c - a[left] <= a[right] - c)) {
        at = c - a[left--];
      } else {
        at = a[right++] - c;
      }
    }
    return (n & 1) == 1 ? at : 0.5 * (before + at);
  }
}
