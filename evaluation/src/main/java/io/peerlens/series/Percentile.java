package io.peerlens.series;

/**
 * Percentile by nearest rank: of n values in ascending order, the p-th percentile is the one at
 * rank ⌈p/100 · n⌉, so the least value that at least p % of all do not exceed. It always is one of
 * the values; nothing is interpolated. This is definition 1 of Hyndman and Fan, Sample Quantiles in
 * Statistical Packages, The American Statistician 50 (1996). Exact values and sketches are read by
 * the same ranks.
 *
 * @param tenThousandths of a percent, 1 to 999,999; whole, so that ranks are exact
 */
public record Percentile(int tenThousandths) {
  private static final int PER_CENT = 10_000;
  private static final int WHOLE = 100 * PER_CENT;

  /** The one that is meant where none is named. */
  public static final Percentile DEFAULT = new Percentile(95 * PER_CENT);

  public Percentile {
    if (tenThousandths < 1 || tenThousandths >= WHOLE) {
      throw new IllegalArgumentException(
          tenThousandths / (double) PER_CENT + " is no percentile above 0 and below 100");
    }
  }

  /**
   * The percentile of a number such as 95 or 99.9.
   *
   * @throws IllegalArgumentException if it is not above 0 and below 100, or has more than four
   *     decimals; the message continues the name of what was given
   */
  public static Percentile of(double percent) {
    double parts = percent * PER_CENT;
    long whole = Math.round(parts);
    if (!(percent > 0 && percent < 100) || Math.abs(parts - whole) > 1e-6) {
      throw new IllegalArgumentException(
          "is "
              + (percent == Math.rint(percent) && Math.abs(percent) < 1e9
                  ? Long.toString((long) percent)
                  : Double.toString(percent))
              + ", which is no percentile: give a number above 0 and below 100 with at most four"
              + " decimals, such as 95 or 99.9");
    }
    return new Percentile((int) whole);
  }

  /** The number, such as 95 or 99.9. */
  public double percent() {
    return tenThousandths / (double) PER_CENT;
  }

  /**
   * The percentile of some values.
   *
   * @param sorted in ascending order, at least one
   */
  public double in(double[] sorted) {
    return sorted[(int) rank(sorted.length) - 1];
  }

  /**
   * The rank of this percentile in ascending order.
   *
   * @param count number of values, at least 1
   */
  public long rank(long count) {
    return Math.ceilDiv(Math.multiplyExact(tenThousandths, count), (long) WHOLE);
  }
}
