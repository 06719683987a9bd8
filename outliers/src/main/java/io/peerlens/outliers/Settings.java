package io.peerlens.outliers;

import java.util.List;

/**
 * Settings by which one group is judged. Made with {@link #peers} and changed with the {@code with}
 * methods.
 *
 * @param method how members are compared
 * @param metrics 1 to 5; values are given in this order
 * @param side which deviations count; the others are shown and raise nothing
 * @param sensitivity the score from which on a bucket counts as a violation, in robust deviations:
 *     the lower, the more events; used by {@link Method.Peers} alone, the other methods bring their
 *     own
 * @param violations an event opens when this many of the last {@code of} judged buckets violate
 * @param of see {@code violations}; at most 16
 * @param closesAfter an event closes after this many calm buckets in a row
 * @param bucketMillis the length of a bucket
 * @param cooldownMillis an event that opens again within this time of its end is the same event
 * @param staleMillis an open event whose member has not been judged for this long is unknown
 */
public record Settings(
    Method method,
    List<Metric> metrics,
    Side side,
    double sensitivity,
    int violations,
    int of,
    int closesAfter,
    long bucketMillis,
    long cooldownMillis,
    long staleMillis) {

  /** Sensitivity low: only what is far out. */
  public static final double LOW = 6;

  /** Sensitivity medium, the default. */
  public static final double MEDIUM = 4.5;

  /** Sensitivity high. */
  public static final double HIGH = 3.5;

  /** The most metrics that a group can compare. */
  public static final int MAX_METRICS = 5;

  /**
   * One metric of the group.
   *
   * @param transform the scale of comparison
   * @param minDeviation a deviation below this counts for nothing, in the metric's unit; 0 for none
   * @param unitFloor for {@link Transform#LOG}: values well below this are all alike, in the
   *     metric's unit; above 0
   */
  public record Metric(Transform transform, double minDeviation, double unitFloor) {
    public Metric {
      if (!(minDeviation >= 0 && minDeviation < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("minDeviation must be 0 or more: " + minDeviation);
      }
      if (!(unitFloor > 0 && unitFloor < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("unitFloor must be above 0: " + unitFloor);
      }
    }

    /** A metric with a minimum deviation, which is also the unit floor (1 if it is 0). */
    public static Metric of(Transform transform, double minDeviation) {
      return new Metric(transform, minDeviation, minDeviation > 0 ? minDeviation : 1);
    }
  }

  public Settings {
    metrics = List.copyOf(metrics);
    if (metrics.isEmpty() || metrics.size() > MAX_METRICS) {
      throw new IllegalArgumentException("1 to 5 metrics are compared, not " + metrics.size());
    }
    if (!(sensitivity >= 1 && sensitivity <= 100)) {
      throw new IllegalArgumentException("sensitivity must be 1 to 100: " + sensitivity);
    }
    if (violations < 1 || of < violations || of > 16) {
      throw new IllegalArgumentException(
          "opening needs 1 <= violations <= of <= 16: " + violations + " of " + of);
    }
    if (closesAfter < 1 || closesAfter > 120) {
      throw new IllegalArgumentException("closesAfter must be 1 to 120: " + closesAfter);
    }
    if (bucketMillis < 1000 || bucketMillis > 86_400_000L) {
      throw new IllegalArgumentException("a bucket is 1 second to 1 day: " + bucketMillis + " ms");
    }
    if (cooldownMillis < 0 || staleMillis < bucketMillis) {
      throw new IllegalArgumentException(
          "cooldownMillis must be 0 or more and staleMillis at least one bucket");
    }
  }

  /** Peerlens' method with its defaults: 3 of 4 buckets open, 6 calm ones close. */
  public static Settings peers(long bucketMillis, List<Metric> metrics) {
    return new Settings(
        new Method.Peers(false),
        metrics,
        Side.BOTH,
        MEDIUM,
        3,
        4,
        6,
        bucketMillis,
        Math.max(30 * 60_000L, 2 * bucketMillis),
        Math.max(30 * 60_000L, 3 * bucketMillis));
  }

  public Settings withMethod(Method other) {
    return new Settings(
        other,
        metrics,
        side,
        sensitivity,
        violations,
        of,
        closesAfter,
        bucketMillis,
        cooldownMillis,
        staleMillis);
  }

  public Settings withSide(Side other) {
    return new Settings(
        method,
        metrics,
        other,
        sensitivity,
        violations,
        of,
        closesAfter,
        bucketMillis,
        cooldownMillis,
        staleMillis);
  }

  public Settings withSensitivity(double other) {
    return new Settings(
        method,
        metrics,
        side,
        other,
        violations,
        of,
        closesAfter,
        bucketMillis,
        cooldownMillis,
        staleMillis);
  }

  public Settings withOpening(int newViolations, int newOf) {
    return new Settings(
        method,
        metrics,
        side,
        sensitivity,
        newViolations,
        newOf,
        closesAfter,
        bucketMillis,
        cooldownMillis,
        staleMillis);
  }

  public Settings withClosesAfter(int other) {
    return new Settings(
        method,
        metrics,
        side,
        sensitivity,
        violations,
        of,
        other,
        bucketMillis,
        cooldownMillis,
        staleMillis);
  }

  /** The score from which on a bucket violates: the sensitivity, or what the method brings. */
  public double threshold() {
    return switch (method) {
      case Method.Peers p -> sensitivity;
      case Method.Dbscan d -> d.tolerance();
      case Method.Mad m -> m.tolerance();
      case Method.BucketDbscan b -> 1;
      case Method.DoubleMad d -> 7.94 - 7.10 * Math.sqrt(d.sensitivity());
    };
  }
}
