package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.ObjectScore;
import java.util.Arrays;
import java.util.List;

/**
 * How the scores of the metrics of a machine become one: a sum of the highest, of each row or as a
 * mean over half an hour, or what Peerlens does with them.
 */
enum Combination {
  HIGHEST("the highest", 1, 1),
  TWO("the two highest", 2, 1),
  FIVE("the five highest", 5, 1),
  ALL("all", Integer.MAX_VALUE, 1),
  HIGHEST_HALF_HOUR("the highest, half an hour", 1, 6),
  TWO_HALF_HOUR("the two highest, half an hour", 2, 6),
  FIVE_HALF_HOUR("the five highest, half an hour", 5, 6),
  ALL_HALF_HOUR("all, half an hour", Integer.MAX_VALUE, 6),
  OBJECT("`ObjectScore`", 5, 6);

  /** Those that look at each row by itself. */
  static final List<Combination> PLAIN = List.of(HIGHEST, TWO, FIVE, ALL);

  /** Scores that have no limit, as numbers of standard deviations, are cut here in a sum. */
  private static final double CUT = 10;

  final String text;
  private final int metrics;
  private final int rows;

  Combination(String text, int metrics, int rows) {
    this.text = text;
    this.metrics = metrics;
    this.rows = rows;
  }

  double[] of(double[][] scores) {
    double[] one = new double[scores[0].length];
    double[] row = new double[scores.length];
    double[] sums = new double[rows];
    ObjectScore object = new ObjectScore();
    for (int i = 0; i < one.length; i++) {
      for (int m = 0; m < row.length; m++) {
        row[m] = scores[m][i];
      }
      if (this == OBJECT) {
        one[i] = object.next(row);
      } else {
        sums[i % rows] = sumOfHighest(row);
        one[i] = Arrays.stream(sums).sum() / Math.min(i + 1, rows);
      }
    }
    return one;
  }

  private double sumOfHighest(double[] row) {
    Arrays.sort(row);
    double sum = 0;
    for (int k = Math.max(0, row.length - metrics); k < row.length; k++) {
      sum += row.length == 1 || metrics == 1 ? row[k] : Math.min(CUT, row[k]);
    }
    return sum;
  }
}
