package io.peerlens.outliers;

/**
 * Turbulence of a group: how much farther than usual its members are from its centre, K and f in
 * {@link PeerScorer}. It rises at once and falls slowly, and it is limited by what most members do,
 * so that those who leave do not excuse themselves.
 */
final class Turbulence {

  /** A rise is followed at once, a fall with so many buckets. */
  static final double FALL = 3;

  private static final double QUANTILE = 0.85;

  /** The 0.85 quantile of |x| for normal x. */
  private static final double NORMAL = 1.4395314709384563;

  /** m, where nothing else has been seen. */
  private static final double ROOM = 1.3;

  /** What an hour beyond it adds to log m. */
  private static final double ROOM_GROWTH = 0.6;

  /** What a day takes from log m. */
  private static final double ROOM_LOSS = 0.2;

  private static final double SMALL_GROUP = 6;

  /** How much of the peers' quiet a member's own deviations share. */
  private static final double QUIET = 0.7;

  /** How much longer the tails are in turbulent times: with this power of the turbulence. */
  private static final double TAIL = 0.1;

  /** How much larger, beyond that, the means of an hour are. */
  private static final double PERSISTENCE = 0.3;

  private final double day;
  private final double patience;

  /** K with its slow fall; NaN before the first bucket. */
  double factor = Double.NaN;

  /** log m, how many times the median deviation the turbulence may be. */
  double room = Math.log(ROOM);

  /** Buckets in a row in which it would have been more, at most an hour of them. */
  double beyond;

  /**
   * @param day buckets of a day
   * @param patience buckets of an hour
   */
  Turbulence(double day, double patience) {
    this.day = day;
    this.patience = patience;
  }

  /**
   * Follows the next bucket.
   *
   * @param sorted deviations of the k peers in own scales
   * @param of of those that stayed, sorted too
   */
  void next(double[] sorted, int k, double[] of, int ofThem) {
    double rank = Math.min(QUANTILE * (k - 1), k - 2);
    int at = (int) rank;
    double now = (sorted[at] + (rank - at) * (sorted[at + 1] - sorted[at])) / NORMAL;
    if (k > Anchor.LARGEST) {
      double usual = Robust.MAD_FACTOR * Robust.medianOfSorted(of, ofThem);
      double most = Math.max(1, Math.exp(room) * usual);
      if (now > most) {
        beyond = Math.min(beyond + 1, patience);
        now = most;
      } else {
        room = Math.max(Math.log(ROOM), room + ROOM_GROWTH * beyond / patience - ROOM_LOSS / day);
        beyond = 0;
      }
    }
    factor = Double.isNaN(factor) ? now : Math.max(now, factor + (now - factor) / FALL);
  }

  /**
   * The next bucket while two have left: they must not make it larger, and too few are left to make
   * it small.
   */
  void calm() {
    factor = Double.isNaN(factor) ? 1 : Math.max(1, factor + (1 - factor) / FALL);
  }

  /** Tells a bucket of k peers what it is. */
  void tell(PeerScorer.Bucket now, int k) {
    double quiet = QUIET * k / (k + SMALL_GROUP);
    double f = factor > 1 ? factor : Math.pow(Math.max(1e-3, factor), quiet);
    now.turbulence = Math.max(0.01, f);
    boolean rough = f > 1 && k > Anchor.LARGEST;
    now.tail = rough ? Math.pow(f, TAIL) : 1;
    now.persistence = rough ? Math.pow(f, PERSISTENCE) : 1;
  }
}
