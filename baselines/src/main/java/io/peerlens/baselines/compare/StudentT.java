package io.peerlens.baselines.compare;

/** Student's t distribution. */
final class StudentT {

  private static final double TINY = 1e-300;
  private static final double CLOSE = 1e-14;
  private static final int MOST_STEPS = 10_000;

  /** Lanczos' approximation of the gamma function, g = 7, n = 9 (Godfrey 2001). */
  private static final double[] LANCZOS = {
    0.9999999999998099,
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7
  };

  private StudentT() {}

  /**
   * The probability that a value is at least as far from zero as {@code t}.
   *
   * @param freedom degrees of freedom, above 0; need not be whole
   */
  static double twoSided(double t, double freedom) {
    return Double.isInfinite(t) ? 0 : beta(freedom / 2, 0.5, freedom / (freedom + t * t));
  }

  /** The distance from zero that is exceeded, on both sides together, with this probability. */
  static double quantile(double twoSided, double freedom) {
    double low = 0;
    double high = 1;
    while (twoSided(high, freedom) > twoSided && high < 1e12) {
      high *= 2;
    }
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (twoSided(middle, freedom) > twoSided) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /**
   * The regularized incomplete beta function, by its continued fraction (NIST Digital Library of
   * Mathematical Functions, 8.17.22), which converges fast below the mean.
   */
  private static double beta(double a, double b, double x) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    if (x > (a + 1) / (a + b + 2)) {
      return 1 - beta(b, a, 1 - x);
    }
    double front =
        Math.exp(
            logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
    // Lentz's way of evaluating it.
    double c = 1;
    double d = 1 / nonZero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m <= MOST_STEPS; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / nonZero(1 + even * d);
      c = nonZero(1 + even / c);
      fraction *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / nonZero(1 + odd * d);
      c = nonZero(1 + odd / c);
      fraction *= d * c;
      if (Math.abs(d * c - 1) < CLOSE) {
        break;
      }
    }
    return front * fraction / a;
  }

  private static double nonZero(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }

  private static double logGamma(double x) {
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (x - 1 + i);
    }
    double t = x - 1 + 7.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }
}
