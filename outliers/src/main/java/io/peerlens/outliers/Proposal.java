package io.peerlens.outliers;

import java.util.Arrays;

/** Settings to propose where nobody has said anything. */
public final class Proposal {

  /** Percentage points below which no deviation matters. */
  public static final double PERCENT = 2;

  private static final double PART = 0.2;

  private Proposal() {}

  /**
   * A minimum deviation for a metric: {@value #PERCENT} points for percentages, else a fifth of
   * what 95 of 100 values of the group stay below, to two digits.
   *
   * @param percentage whether the metric is a percentage
   * @param values values of the members from some time, in any order; NaN are left out
   * @return above 0; 1 if the group has no values or all are 0
   */
  public static double minDeviation(boolean percentage, double[] values) {
    if (percentage) {
      return PERCENT;
    }
    double[] sizes =
        Arrays.stream(values)
            .filter(v -> Math.abs(v) <= Double.MAX_VALUE)
            .map(Math::abs)
            .sorted()
            .toArray();
    double high = sizes.length == 0 ? 0 : sizes[(int) (0.95 * (sizes.length - 1))];
    if (high == 0) {
      return 1;
    }
    double step = Math.pow(10, Math.floor(Math.log10(PART * high)) - 1);
    return Math.round(PART * high / step) * step;
  }
}
