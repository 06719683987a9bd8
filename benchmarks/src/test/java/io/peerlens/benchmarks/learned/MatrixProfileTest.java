package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MatrixProfileTest {

  private static final int WINDOW = 24;

  /** By its definition. */
  private static double nearest(double[] x, int end) {
    int j = end - WINDOW + 1;
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i + WINDOW <= j; i++) {
      best = Math.min(best, distance(standardised(x, i), standardised(x, j)));
    }
    return best;
  }

  private static double distance(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return Math.sqrt(sum / (2 * a.length));
  }

  private static double[] standardised(double[] x, int from) {
    double mean = 0;
    double squares = 0;
    for (int k = from; k < from + WINDOW; k++) {
      mean += x[k] / WINDOW;
    }
    for (int k = from; k < from + WINDOW; k++) {
      squares += (x[k] - mean) * (x[k] - mean) / WINDOW;
    }
    double[] z = new double[WINDOW];
    for (int k = 0; k < WINDOW; k++) {
      z[k] = (x[from + k] - mean) / Math.sqrt(squares);
    }
    return z;
  }

  @Test
  void scoresAreTheDistancesToTheNearestStretchBefore() {
    Random random = new Random(11);
    double[] x = new double[300];
    for (int i = 0; i < x.length; i++) {
      x[i] = 100 + 5 * Math.sin(i / 6.0) + random.nextGaussian();
    }
    double[] scores = MatrixProfile.score(x);
    for (int end = 2 * WINDOW - 1; end < x.length; end++) {
      assertThat(scores[end]).isCloseTo(nearest(x, end), within(1e-6));
    }
    assertThat(scores[2 * WINDOW - 2]).isZero();
  }

  @Test
  void laterValuesChangeNothing() {
    double[] x = new Random(12).doubles(200).toArray();
    double before = MatrixProfile.score(x)[150];
    x[151] = 1e6;
    assertThat(MatrixProfile.score(x)[150]).isEqualTo(before);
  }

  @Test
  void flatStretchesAreAlikeAndAMissingValueIsTheOneBefore() {
    double[] x = new double[150];
    java.util.Arrays.fill(x, 7);
    x[60] = Double.NaN;
    assertThat(MatrixProfile.score(x)).containsOnly(0);
    x[120] = 9;
    assertThat(MatrixProfile.score(x)[120]).isCloseTo(1, within(1e-9));
  }

  @Test
  void aSeriesThatIsTooShortHasNoScores() {
    assertThat(MatrixProfile.score(new double[30])).hasSize(30).containsOnly(0);
  }
}
