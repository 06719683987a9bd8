package io.peerlens.benchmarks.learned;

import java.util.Arrays;

/** How the scores of the metrics of a machine become one. */
enum Combination {
  HIGHEST("the highest"),
  THIRD("the third highest"),
  MEAN("the mean");

  /** Scores that are not limited, as numbers of standard deviations, are cut here for the mean. */
  private static final double CUT = 10;

  final String text;

  Combination(String text) {
    this.text = text;
  }

  double[] of(double[][] scores) {
    if (scores.length == 1) {
      return scores[0];
    }
    double[] one = new double[scores[0].length];
    double[] row = new double[scores.length];
    for (int i = 0; i < one.length; i++) {
      double sum = 0;
      for (int m = 0; m < row.length; m++) {
        row[m] = scores[m][i];
        sum += Math.min(CUT, row[m]);
      }
      if (this == MEAN) {
        one[i] = sum / row.length;
      } else {
        Arrays.sort(row);
        one[i] = row[row.length - (this == HIGHEST ? 1 : Math.min(3, row.length))];
      }
    }
    return one;
  }
}
