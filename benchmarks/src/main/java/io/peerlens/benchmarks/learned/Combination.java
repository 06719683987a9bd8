package io.peerlens.benchmarks.learned;

import java.util.Arrays;

/** How the scores of the metrics of a machine become one. */
enum Combination {
  HIGHEST("the highest", 1),
  TWO("the two highest", 2),
  FIVE("the five highest", 5),
  ALL("all", Integer.MAX_VALUE);

  /** Scores that have no limit, as numbers of standard deviations, are cut here in a sum. */
  private static final double CUT = 10;

  final String text;
  private final int metrics;

  Combination(String text, int metrics) {
    this.text = text;
    this.metrics = metrics;
  }

  double[] of(double[][] scores) {
    if (scores.length == 1) {
      return scores[0];
    }
    double[] one = new double[scores[0].length];
    double[] row = new double[scores.length];
    for (int i = 0; i < one.length; i++) {
      for (int m = 0; m < row.length; m++) {
        row[m] = this == HIGHEST ? scores[m][i] : Math.min(CUT, scores[m][i]);
      }
      Arrays.sort(row);
      for (int k = Math.max(0, row.length - metrics); k < row.length; k++) {
        one[i] += row[k];
      }
    }
    return one;
  }
}
