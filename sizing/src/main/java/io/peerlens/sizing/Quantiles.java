package io.peerlens.sizing;

/** Quantiles of sorted values. */
final class Quantiles {

  private Quantiles() {}

  /**
   * A quantile, interpolated between the two nearest values (type 7 of Hyndman and Fan, 1996).
   *
   * @param sorted ascending, without NaN
   * @return NaN = there is no value
   */
  static double of(double[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = Math.clamp(share, 0, 1) * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
