package io.peerlens.outliers;

/** Test whether the members of a group form two bands rather than one. */
final class Bands {

  /** In scales of a typical member: far beyond what a group that is one shows. */
  private static final double GAP = 6;

  /** A band with more than the rest, 60 %, is the group, and the others are outliers. */
  private static final double SMALLER = 0.4;

  /** The gap is this many times as wide as the bands themselves; their middle three quarters. */
  private static final double WIDER = 1.5;

  private Bands() {}

  /**
   * The size of the lower band if the sorted a[0..k) form two, neither has more than 60 % of the
   * members, and the gap between them is wide against what is usual and against the bands
   * themselves; else 0.
   *
   * @param usual the scale of a typical member
   */
  static int split(double[] a, int k, double usual) {
    if (k < 4) {
      return 0;
    }
    int from = Math.max(2, (int) Math.ceil(SMALLER * k));
    int cut = 0;
    double gap = 0;
    for (int i = from; i <= k - from; i++) {
      double g = a[i] - a[i - 1];
      if (g > gap) {
        gap = g;
        cut = i;
      }
    }
    if (gap <= GAP * usual) {
      return 0;
    }
    double lower = a[cut - 1] - a[cut / 4];
    double upper = a[k - 1 - (k - cut) / 4] - a[cut];
    return gap <= WIDER * Math.max(lower, upper) ? 0 : cut;
  }
}
