package io.peerlens.benchmarks.accuracy;

import java.util.Arrays;

/**
 * A baseline that remembers: a member's deviation from the median of its peers, less its own median
 * of the last days of that, over its own spread of the same days. The spread is the distance from
 * that median that one bucket in a hundred exceeds, as a standard deviation of a normal
 * distribution: of three that were tried it finds most at equal numbers of false events (1.4826 MAD
 * is small where a member is quiet but for bursts). The past ends an hour before the bucket, so
 * that a fault is not compared with itself, and is summed up anew every hour.
 *
 * @param minDeviation below which a deviation counts for nothing; the scale is at least 0.4 of it
 */
record OwnOffset(Member[] members, double minDeviation) implements Detector, Detector.Run {

  /** Three days of five minutes. */
  private static final int PAST = 3 * 288;

  private static final int HOUR = 12;

  /** What a standard normal value exceeds on either side once in a hundred times. */
  private static final double NORMAL_99 = 2.576;

  OwnOffset() {
    this(new Member[0], 0);
  }

  @Override
  public String name() {
    return "own offset";
  }

  /** As of a robust z (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993). */
  @Override
  public double threshold() {
    return 3.5;
  }

  @Override
  public Run start(Trace trace) {
    Member[] fresh = new Member[trace.members()];
    Arrays.setAll(fresh, i -> new Member());
    return new OwnOffset(fresh, trace.minDeviation());
  }

  @Override
  public void step(int bucket, double[] values, double[] scores) {
    double[] sorted = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    Arrays.fill(scores, Double.NaN);
    if (sorted.length < 3) {
      return;
    }
    double median = middle(sorted, sorted.length);
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        scores[i] = members[i].step(values[i] - median, minDeviation);
      }
    }
  }

  private static double middle(double[] a, int n) {
    return n % 2 == 1 ? a[n / 2] : (a[n / 2 - 1] + a[n / 2]) / 2;
  }

  @Override
  public void forget(boolean[] gone) {
    for (int i = 0; i < gone.length; i++) {
      if (gone[i]) {
        members[i] = new Member();
      }
    }
  }

  @Override
  public Run copy() {
    return new OwnOffset(
        Arrays.stream(members).map(Member::copy).toArray(Member[]::new), minDeviation);
  }

  private static final class Member {
    private final float[] ring = new float[PAST];
    private int seen;
    private double offset = Double.NaN;
    private double spread;

    Member copy() {
      Member copy = new Member();
      System.arraycopy(ring, 0, copy.ring, 0, PAST);
      copy.seen = seen;
      copy.offset = offset;
      copy.spread = spread;
      return copy;
    }

    double step(double deviation, double minDeviation) {
      double score = Double.NaN;
      if (!Double.isNaN(offset)) {
        double d = deviation - offset;
        double scale = Math.max(spread, Math.max(1e-9, 0.4 * minDeviation));
        score = Math.abs(d) < minDeviation ? 0 : Math.max(-1e6, Math.min(1e6, d / scale));
      }
      ring[seen++ % PAST] = (float) deviation;
      if (seen % HOUR == 0 && seen > 3 * HOUR) {
        learn();
      }
      return score;
    }

    /** From all but the last hour. */
    private void learn() {
      int n = Math.min(seen, PAST) - HOUR;
      double[] past = new double[n];
      for (int k = 0; k < n; k++) {
        past[k] = ring[(seen - 1 - HOUR - k) % PAST];
      }
      Arrays.sort(past);
      offset = middle(past, n);
      for (int k = 0; k < n; k++) {
        past[k] = Math.abs(past[k] - offset);
      }
      Arrays.sort(past);
      spread = past[(int) (0.99 * (n - 1))] / NORMAL_99;
    }
  }
}
