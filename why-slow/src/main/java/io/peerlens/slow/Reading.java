package io.peerlens.slow;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A series as it stands at the moment: against what is usual, against its peers, and since when.
 */
public final class Reading {

  /** How it compares with its peers. */
  enum Likeness {
    /** Fewer than three have values. */
    UNKNOWN,
    ALIKE,
    UNLIKE,
    /** Most of them are beyond what is usual for them as well. */
    COMMON
  }

  private static final int PEERS = 3;

  /** Distance in standard deviations from which on a value is unlike its peers' (Iglewicz 1993). */
  private static final double UNLIKE = 3.5;

  /** Values that what is usual needs, when nothing is learned. */
  private static final int VALUES = 12;

  private static final double SIDE = 0.05;

  private static final double WIDEST = 4;

  /** So many steps in a row without an excess end a stretch. */
  private static final int GAP = 2;

  private final Track track;
  private final double now;
  private final @Nullable Usual usual;
  private final int onset;
  private final double before;
  private final double[] peers;
  private final Likeness likeness;

  private Reading(
      Track track,
      double now,
      @Nullable Usual usual,
      int onset,
      double before,
      double[] peers,
      Likeness likeness) {
    this.track = track;
    this.now = now;
    this.usual = usual;
    this.onset = onset;
    this.before = before;
    this.peers = peers;
    this.likeness = likeness;
  }

  /**
   * Reads a series at the moment of the evidence.
   *
   * @return null = there is no value in the window
   */
  public static @Nullable Reading of(Track track, Evidence evidence) {
    int steps = evidence.steps();
    int window = evidence.window();
    double now = Robust.mean(track.values(), steps - window, steps);
    if (Double.isNaN(now)) {
      return null;
    }
    int hour = evidence.stepsIn(60);
    Usual usual = track.learned() == null ? own(track.values(), steps - hour) : track.learned();
    int onset = -1;
    if (usual != null && now > usual.high() + track.signal().tolerance(usual.high())) {
      double bound = usual.high() + track.signal().tolerance(usual.high()) / 2;
      onset = onset(track.values(), bound, steps - window);
    }
    double before =
        onset < 0
            ? Robust.median(track.values(), 0, steps - Math.max(hour, window))
            : before(track.values(), onset, evidence);
    double[] peersNow =
        track.peers().stream()
            .mapToDouble(peer -> Robust.mean(peer, steps - window, steps))
            .filter(value -> !Double.isNaN(value))
            .sorted()
            .toArray();
    return new Reading(
        track,
        now,
        usual,
        onset,
        before,
        peersNow,
        likeness(track, evidence, now, onset, peersNow));
  }

  /**
   * What was usual in the hours before: the middle 90 % of the values, and no more than four
   * standard deviations from their median, so that a trouble which lasts for a part of these hours
   * does not count as usual. Null = too few values.
   */
  private static @Nullable Usual own(double[] values, int to) {
    double[] sorted = Robust.sorted(values, 0, to);
    if (sorted.length < VALUES) {
      return null;
    }
    double middle = Robust.quantile(sorted, 0.5);
    double widest = WIDEST * Robust.spread(sorted, middle);
    return new Usual(
        Math.max(Robust.quantile(sorted, SIDE), middle - widest),
        Math.min(Robust.quantile(sorted, 1 - SIDE), middle + widest),
        false);
  }

  /** First step of the stretch above a bound that goes on until the window. */
  private static int onset(double[] values, double bound, int last) {
    int first = last;
    int below = 0;
    for (int i = last - 1; i >= 0 && below < GAP; i--) {
      if (values[i] > bound) {
        first = i;
        below = 0;
      } else if (!Double.isNaN(values[i])) {
        below++;
      }
    }
    return first;
  }

  /** Median of up to three hours before a step; NaN = there are too few values. */
  static double before(double[] values, int onset, Evidence evidence) {
    int to = onset - 1;
    double[] sorted = Robust.sorted(values, to - evidence.stepsIn(180), to);
    return sorted.length < evidence.stepsIn(30) ? Double.NaN : Robust.quantile(sorted, 0.5);
  }

  private static Likeness likeness(
      Track track, Evidence evidence, double now, int onset, double[] peers) {
    if (peers.length < PEERS) {
      return Likeness.UNKNOWN;
    }
    double floor = track.signal().floor();
    int steps = evidence.steps();
    int at = onset < 0 ? steps - evidence.stepsIn(60) : onset;
    double[] risen = risen(track.peers(), at, evidence);
    int common = 0;
    for (double rise : risen) {
      common += rise > 2 * floor ? 1 : 0;
    }
    double own = now - before(track.values(), at, evidence);
    if (isUnlike(now, peers, floor) || isUnlike(own, risen, floor)) {
      return common * 2 > risen.length && risen.length >= PEERS ? Likeness.COMMON : Likeness.UNLIKE;
    }
    return common * 2 > risen.length && risen.length >= PEERS ? Likeness.COMMON : Likeness.ALIKE;
  }

  private static double[] risen(List<double[]> peers, int at, Evidence evidence) {
    int steps = evidence.steps();
    return peers.stream()
        .mapToDouble(
            peer ->
                Robust.mean(peer, steps - evidence.window(), steps) - before(peer, at, evidence))
        .filter(rise -> !Double.isNaN(rise))
        .toArray();
  }

  private static boolean isUnlike(double value, double[] others, double floor) {
    if (Double.isNaN(value) || others.length < PEERS) {
      return false;
    }
    double[] sorted = others.clone();
    Arrays.sort(sorted);
    double middle = Robust.quantile(sorted, 0.5);
    double spread = Math.max(Robust.spread(others, middle), floor / 2);
    return (value - middle) / spread > UNLIKE;
  }

  /** The series. */
  public Track track() {
    return track;
  }

  /** What it is. */
  public Signal signal() {
    return track.signal();
  }

  /** Mean over the window. */
  public double now() {
    return now;
  }

  /** What is usual; null = not known. */
  public @Nullable Usual usual() {
    return usual;
  }

  /** Values of the peers over the window, ascending. */
  public double[] peers() {
    return peers;
  }

  /** Its place among its peers and itself, 1 = highest. */
  public int place() {
    int higher = 0;
    for (double peer : peers) {
      higher += peer > now ? 1 : 0;
    }
    return higher + 1;
  }

  /** Whether it can be judged: what is usual, or what its peers have, is known. */
  public boolean isJudged() {
    return usual != null || peers.length >= PEERS;
  }

  /** Whether it is clearly above what is usual. */
  public boolean isBeyond() {
    return onset >= 0;
  }

  /** Whether it is above what is usual and not merely as its peers always are. */
  boolean isOdd() {
    return isBeyond() && likeness != Likeness.ALIKE;
  }

  Likeness likeness() {
    return likeness;
  }

  /** First step of the stretch beyond what is usual that lasts until now; -1 = it is not beyond. */
  public int onset() {
    return onset;
  }

  /** Where it was before it went beyond; without such a time, the middle of what is usual. */
  double reference() {
    return Double.isNaN(before) && usual != null ? usual.middle() : before;
  }

  /** By how much it is above that; never below 0. */
  double rise() {
    double rise = now - reference();
    return Double.isNaN(rise) ? 0 : Math.max(0, rise);
  }

  /** How far beyond what is usual it is, in tolerances; 0 = it is not. */
  public double severity() {
    return usual == null || !isBeyond()
        ? 0
        : (now - usual.high()) / track.signal().tolerance(usual.high());
  }
}
