package io.peerlens.sizing;

/** Price of a size, from history: hours over it, and what of it was unused. */
public final class Regret {

  private static final int WEEK = 168;

  private Regret() {}

  /**
   * Hours a week in which demand was over a size.
   *
   * @param sorted demand, without NaN; any order will do
   * @return NaN = no value
   */
  public static double hoursPerWeek(double[] sorted, double size) {
    int over = 0;
    for (double value : sorted) {
      if (value > size) {
        over++;
      }
    }
    return sorted.length == 0 ? Double.NaN : (double) WEEK * over / sorted.length;
  }

  /**
   * Mean share of a size that was unused.
   *
   * @param values demand, without NaN
   * @return NaN = no value, or a size of zero
   */
  public static double waste(double[] values, double size) {
    double unused = 0;
    for (double value : values) {
      unused += Math.max(0, 1 - value / size);
    }
    return values.length == 0 || size <= 0 ? Double.NaN : unused / values.length;
  }
}
