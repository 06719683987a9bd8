package io.peerlens.benchmarks.accuracy;

/**
 * One metric of one group over time, as recorded.
 *
 * @param set what it is reported under
 * @param name group and day, and which part of it
 * @param group group and day of which it is a part; what is in one group is not independent
 * @param kept whether it is kept aside from tuning
 * @param values values[bucket][member], five-minute buckets, NaN for none
 * @param warm the first bucket that counts
 * @param amplitude the size of an injected deviation of "one": 10 points for a percentage
 * @param top the largest possible value
 * @param minDeviation what all detectors ignore
 */
record Trace(
    String set,
    String name,
    String group,
    boolean kept,
    double[][] values,
    int warm,
    double amplitude,
    double top,
    double minDeviation) {

  static final long BUCKET = 300_000L;

  /** For what does not depend on it. */
  static final Trace ANY = new Trace("", "", "", false, new double[1][3], 0, 10, 100, 2);

  int members() {
    return values[0].length;
  }

  int buckets() {
    return values.length;
  }

  boolean percent() {
    return top == 100;
  }
}
