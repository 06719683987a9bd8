package io.peerlens.benchmarks.learned;

/** The error function, exact enough for tails (relative error below 1e-12). */
final class Erf {

  private Erf() {}

  /**
   * {@code 1 - erf(x)} for x at least 0: power series below 2, continued fraction above (Abramowitz
   * and Stegun 7.1.6 and 7.1.14).
   */
  static double complement(double x) {
    if (x < 2) {
      double term = x;
      double sum = x;
      for (int n = 1; n < 200 && Math.abs(term) > 1e-18 * sum; n++) {
        term *= 2 * x * x / (2 * n + 1);
        sum += term;
      }
      return 1 - 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
    }
    if (x > 27) {
      return 0;
    }
    double fraction = x;
    for (int n = 120; n > 0; n--) {
      fraction = x + n / 2.0 / fraction;
    }
    return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
  }
}
