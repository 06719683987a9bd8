package io.peerlens.outliers;

/**
 * Test whether a minority of the members has left the others together. Finds the cut of the sorted
 * deviations that separates two means best, as k-means with two clusters does, and as Otsu finds
 * the threshold of a histogram (IEEE Transactions on Systems, Man, and Cybernetics, 1979); the two
 * are apart if their means are {@value #APART} times as far from each other as the members of the
 * larger one usually are.
 *
 * <p>The deviations are in own scales, so 1 is what is usual for a member. The best cut through one
 * normal distribution gives means that are 2.7 standard deviations of a half apart, through a
 * uniform one 3.5; with {@value #APART} neither is two.
 */
final class Parting {

  /** How far the means must be apart, in deviations of the larger part and at least in own ones. */
  static final double APART = 4;

  /** Farther is no farther: one member that is very far out must not hide that others left too. */
  private static final double MOST = 12;

  private int from;
  private int to;

  /** Where the larger part begins. */
  int from() {
    return from;
  }

  /** Where the larger part ends, exclusive. */
  int to() {
    return to;
  }

  /**
   * Looks at one bucket.
   *
   * @param sorted deviations in own scales, the first k sorted
   * @return whether less than half of the members have left; if not, all are one part
   */
  boolean parts(double[] sorted, int k) {
    from = 0;
    to = k;
    if (k == 0 || sorted[k - 1] - sorted[0] <= APART) {
      return false;
    }
    double all = sum(sorted, 0, k);
    double below = 0;
    double best = 0;
    int cut = 0;
    for (int i = 1; i < k; i++) {
      below += clipped(sorted[i - 1]);
      double d = (all - below) / (k - i) - below / i;
      double between = d * d * i * (k - i);
      if (between > best && 2 * Math.min(i, k - i) < k) {
        best = between;
        cut = i;
      }
    }
    boolean lower = 2 * cut > k;
    int first = lower ? 0 : cut;
    int last = lower ? cut : k;
    double inside = sum(sorted, first, last);
    int size = last - first;
    double mean = inside / size;
    double square = 0;
    for (int i = first; i < last; i++) {
      double d = clipped(sorted[i]) - mean;
      square += d * d;
    }
    double distance = Math.abs((all - inside) / (k - size) - mean);
    if (cut == 0 || distance <= APART * Math.max(1, Math.sqrt(square / size))) {
      return false;
    }
    from = first;
    to = last;
    return true;
  }

  private static double sum(double[] sorted, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += clipped(sorted[i]);
    }
    return sum;
  }

  private static double clipped(double deviation) {
    return Math.max(-MOST, Math.min(MOST, deviation));
  }
}
