package io.peerlens.slow;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether more is asked of something that machines share than before, and by whom.
 *
 * @param by the neighbour that asks for most of it; null unless it is one
 * @param before what that neighbour asked for before
 * @param now what it asks for now
 */
record Load(Growth growth, @Nullable Neighbour by, double before, double now) {

  /** Growth of a load. */
  enum Growth {
    /** Of too few machines it is known. */
    UNKNOWN,
    NONE,
    /** By one other machine. */
    ONE,
    /** By the slow machine itself. */
    OWN,
    /** By many together. */
    MANY
  }

  /** Of so many machines it must be known. */
  private static final double KNOWN = 0.8;

  /** Growth by the load before that matters: of one machine, and of all. */
  private static final double OF_ONE = 0.15;

  private static final double OF_ALL = 0.3;

  /** One machine has so much of the growth. */
  private static final double MOST = 0.5;

  /** And by so much more than before. */
  private static final double TIMES = 1.8;

  static final Load UNKNOWN = new Load(Growth.UNKNOWN, null, Double.NaN, Double.NaN);

  /**
   * @param own series of the slow machine
   * @param sharing its neighbours
   * @param of which series of a neighbour
   * @param onset first step of the trouble
   */
  static Load of(
      double[] own,
      List<Neighbour> sharing,
      Function<Neighbour, double[]> of,
      int onset,
      Evidence evidence) {
    double ownBefore = Reading.before(own, onset, evidence);
    double ownNow = now(own, evidence);
    if (Double.isNaN(ownBefore) || Double.isNaN(ownNow)) {
      return UNKNOWN;
    }
    double total = ownBefore;
    double net = ownNow - ownBefore;
    double largest = 0;
    Load load = null;
    int known = 0;
    for (Neighbour one : sharing) {
      double before = Reading.before(of.apply(one), onset, evidence);
      double now = now(of.apply(one), evidence);
      if (Double.isNaN(before) || Double.isNaN(now)) {
        continue;
      }
      known++;
      total += before;
      net += now - before;
      if (now - before > largest) {
        largest = now - before;
        load = new Load(Growth.ONE, one, before, now);
      }
    }
    if (sharing.isEmpty() || known < KNOWN * sharing.size()) {
      return UNKNOWN;
    }
    double growth = Math.max(net, OF_ONE * total);
    if (isMost(ownBefore, ownNow, growth) && ownNow - ownBefore > largest) {
      return new Load(Growth.OWN, null, ownBefore, ownNow);
    }
    if (load != null && isMost(load.before, load.now, growth)) {
      return load;
    }
    return new Load(net > OF_ALL * total ? Growth.MANY : Growth.NONE, null, total, total + net);
  }

  private static boolean isMost(double before, double now, double growth) {
    return now - before >= MOST * growth && now > TIMES * before;
  }

  private static double now(double[] values, Evidence evidence) {
    return Robust.mean(values, evidence.steps() - evidence.window(), evidence.steps());
  }
}
