package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PrincipalComponentsTest {

  @Test
  void eigenvectorsAndValuesMakeTheMatrixAgain() {
    Random random = new Random(5);
    int n = 12;
    double[][] matrix = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = random.nextGaussian();
        matrix[j][i] = matrix[i][j];
      }
    }
    SymmetricEigen eigen = SymmetricEigen.of(matrix);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum += eigen.values()[k] * eigen.vectors()[k][i] * eigen.vectors()[k][j];
        }
        assertThat(sum).isCloseTo(matrix[i][j], within(1e-9));
      }
    }
    assertThat(eigen.values()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
  }

  @Test
  void valuesOfAKnownMatrix() {
    SymmetricEigen eigen = SymmetricEigen.of(new double[][] {{2, 1}, {1, 2}});
    assertThat(eigen.values()[0]).isCloseTo(3, within(1e-12));
    assertThat(eigen.values()[1]).isCloseTo(1, within(1e-12));
    assertThat(Math.abs(eigen.vectors()[0][0])).isCloseTo(Math.sqrt(0.5), within(1e-12));
  }

  /** Two metrics that go together, a third of its own and one that never changes. */
  private static Labelled machine() {
    Random random = new Random(7);
    int rows = 600;
    double[][] metrics = new double[4][rows];
    long[] seconds = new long[rows];
    for (int i = 0; i < rows; i++) {
      seconds[i] = 300L * i;
      metrics[0][i] = random.nextGaussian();
      metrics[1][i] = 10 * metrics[0][i] + 0.1 * random.nextGaussian();
      metrics[2][i] = random.nextGaussian();
      metrics[3][i] = 4;
    }
    return new Labelled("set", "machine", false, seconds, metrics, new int[0][], 300);
  }

  @Test
  void whatBreaksTheCorrelationHasTheLargestError() {
    Labelled machine = machine();
    machine.metrics()[0][400] = 1.5;
    machine.metrics()[1][400] = -15;
    double[] scores = new PrincipalComponents().scores(machine)[0];
    for (int i = 300; i < 600; i++) {
      assertThat(scores[i]).isLessThanOrEqualTo(scores[400]);
    }
    assertThat(scores[399]).isLessThan(scores[400] / 2);
    assertThat(scores[100]).isZero();
  }

  @Test
  void onlyRowsForLearningAreFitted() {
    Labelled machine = machine();
    double[] before = new PrincipalComponents().scores(machine)[0];
    for (int i = 450; i < 600; i++) {
      machine.metrics()[2][i] = 99;
    }
    double[] after = new PrincipalComponents().scores(machine)[0];
    assertThat(after[400]).isEqualTo(before[400]);
  }

  @Test
  void asManyComponentsAreKeptAsHoldNinetyPercent() {
    double[][] points = new double[1000][];
    Random random = new Random(9);
    for (int i = 0; i < points.length; i++) {
      double a = random.nextGaussian();
      double b = random.nextGaussian();
      points[i] = new double[] {a, a, a, a, b, b, b, b};
    }
    PrincipalComponents.Model model = PrincipalComponents.Model.fit(points, 0, points.length);
    assertThat(model.components()).hasNumberOfRows(2);
    assertThat(model.error(points[5])).isCloseTo(0, within(1e-9));
  }

  @Test
  void aSingleSeriesIsJudgedByItsLastValues() {
    int rows = 1500;
    double[] values = new double[rows];
    long[] seconds = new long[rows];
    for (int i = 0; i < rows; i++) {
      seconds[i] = 300L * i;
      values[i] = Math.sin(i / 5.0);
    }
    values[1000] += 1;
    Labelled series =
        new Labelled("set", "x", false, seconds, new double[][] {values}, new int[0][], 300);
    double[] scores = new PrincipalComponents().scores(series)[0];
    assertThat(scores[1000]).isGreaterThan(10 * scores[999]);
  }
}
