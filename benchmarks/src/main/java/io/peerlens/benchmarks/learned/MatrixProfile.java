package io.peerlens.benchmarks.learned;

/**
 * Left matrix profile: how unlike all that was before are the last 24 values, each stretch brought
 * to mean 0 and variance 1 (discords that look back only, as Lu et al., DAMP, KDD 2022; distances
 * along diagonals as Zimmerman et al., Matrix Profile XIV, SoCC 2019). Nothing else is to be
 * chosen. Cost grows with the square of the length.
 *
 * <p>The distance is scaled to 1 for stretches that have nothing to do with each other. Two flat
 * stretches are alike, a flat one and another have nothing to do with each other. A stretch is not
 * compared with what overlaps it. A missing value counts as the one before.
 */
final class MatrixProfile {

  private static final int WINDOW = 24;

  private MatrixProfile() {}

  /** Scores of one series, at the last row of each stretch. */
  static double[] score(double[] series) {
    double[] x = filled(series);
    int n = x.length - WINDOW + 1;
    double[] scores = new double[x.length];
    if (n <= WINDOW) {
      return scores;
    }
    double[] mean = new double[n];
    double[] inverse = new double[n];
    stretches(x, mean, inverse);
    // Differences that move a covariance on by one row.
    double[] half = new double[n];
    double[] centred = new double[n];
    for (int i = 1; i < n; i++) {
      half[i] = (x[i + WINDOW - 1] - x[i - 1]) / 2;
      centred[i] = (x[i + WINDOW - 1] - mean[i]) + (x[i - 1] - mean[i - 1]);
    }
    double[] nearest = new double[n];
    java.util.Arrays.fill(nearest, -1);
    for (int lag = WINDOW; lag < n; lag++) {
      double covariance = 0;
      for (int k = 0; k < WINDOW; k++) {
        covariance += (x[k] - mean[0]) * (x[k + lag] - mean[lag]);
      }
      for (int i = 0, j = lag; j < n; i++, j++) {
        if (i > 0) {
          covariance += half[i] * centred[j] + half[j] * centred[i];
        }
        double correlation =
            inverse[i] == 0 && inverse[j] == 0 ? 1 : covariance * inverse[i] * inverse[j];
        if (correlation > nearest[j]) {
          nearest[j] = correlation;
        }
      }
    }
    for (int j = WINDOW; j < n; j++) {
      scores[j + WINDOW - 1] = Math.sqrt(Math.max(0, 1 - Math.min(1, nearest[j])));
    }
    return scores;
  }

  private static double[] filled(double[] series) {
    double[] x = series.clone();
    double last = 0;
    for (int i = 0; i < x.length; i++) {
      if (Double.isNaN(x[i])) {
        x[i] = last;
      }
      last = x[i];
    }
    return x;
  }

  /** Mean and 1 / (deviation times root of the length) of each stretch; 0 where it is flat. */
  private static void stretches(double[] x, double[] mean, double[] inverse) {
    for (int i = 0; i < mean.length; i++) {
      double sum = 0;
      for (int k = i; k < i + WINDOW; k++) {
        sum += x[k];
      }
      mean[i] = sum / WINDOW;
      double squares = 0;
      for (int k = i; k < i + WINDOW; k++) {
        squares += (x[k] - mean[i]) * (x[k] - mean[i]);
      }
      double flat = 1e-6 * Math.abs(mean[i]) + 1e-9;
      inverse[i] = squares > flat * flat * WINDOW ? 1 / Math.sqrt(squares) : 0;
    }
  }
}
