package io.peerlens.run.reading;

/**
 * Interpolation that keeps the shape of what was measured: between two points it stays between
 * their values, so that nothing is read that is better than both neighbours.
 *
 * <p>A cubic Hermite spline with the slopes of PCHIP: the weighted harmonic mean of the two
 * neighbouring secants, 0 at a turn (F. Fritsch, R. Carlson: Monotone Piecewise Cubic
 * Interpolation, SIAM Journal on Numerical Analysis 17, 1980; F. Fritsch, J. Butland: A Method for
 * Constructing Local Monotone Piecewise Cubic Interpolants, SIAM Journal on Scientific and
 * Statistical Computing 5, 1984). A natural spline would overshoot at the knee of a latency curve,
 * straight lines would read too little where it bends.
 */
final class Monotone {

  private Monotone() {}

  /**
   * The value at a place.
   *
   * @param x strictly ascending, at least two
   * @param y as many
   * @param at from the first to the last of {@code x}
   */
  static double at(double[] x, double[] y, double at) {
    int i = 0;
    while (i < x.length - 2 && at > x[i + 1]) {
      i++;
    }
    double width = x[i + 1] - x[i];
    double t = (at - x[i]) / width;
    double a = slope(x, y, i) * width;
    double b = slope(x, y, i + 1) * width;
    double rise = y[i + 1] - y[i];
    // Hermite's form, in powers of t.
    double value = y[i] + t * (a + t * (3 * rise - 2 * a - b + t * (a + b - 2 * rise)));
    // Rounding must not lead outside, nor slopes that are too steep for a number.
    double inside = Double.isFinite(value) ? value : y[i] + t * rise;
    return Math.clamp(inside, Math.min(y[i], y[i + 1]), Math.max(y[i], y[i + 1]));
  }

  private static double secant(double[] x, double[] y, int i) {
    return (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  }

  private static double slope(double[] x, double[] y, int i) {
    int last = x.length - 1;
    if (x.length == 2) {
      return secant(x, y, 0);
    }
    if (i == 0) {
      return end(x[1] - x[0], x[2] - x[1], secant(x, y, 0), secant(x, y, 1));
    }
    if (i == last) {
      return end(
          x[last] - x[last - 1],
          x[last - 1] - x[last - 2],
          secant(x, y, last - 1),
          secant(x, y, last - 2));
    }
    double before = secant(x, y, i - 1);
    double after = secant(x, y, i);
    if (before * after <= 0) {
      return 0;
    }
    double h0 = x[i] - x[i - 1];
    double h1 = x[i + 1] - x[i];
    double w0 = 2 * h1 + h0;
    double w1 = h1 + 2 * h0;
    return (w0 + w1) / (w0 / before + w1 / after);
  }

  /** Of three points, limited so that the shape is kept. */
  private static double end(double h0, double h1, double near, double far) {
    double slope = ((2 * h0 + h1) * near - h0 * far) / (h0 + h1);
    if (slope * near <= 0) {
      return 0;
    }
    return near * far <= 0 && Math.abs(slope) > 3 * Math.abs(near) ? 3 * near : slope;
  }
}
