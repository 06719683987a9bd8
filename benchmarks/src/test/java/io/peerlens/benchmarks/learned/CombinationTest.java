package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.baselines.ObjectScore;
import org.junit.jupiter.api.Test;

class CombinationTest {

  private static final double[][] SCORES = {{0, 12, 0, 0}, {1, 3, 1, 1}, {2, 2, 2, 2}};

  @Test
  void theHighestScoresOfARowAreSummed() {
    assertThat(Combination.HIGHEST.of(SCORES)).containsExactly(2, 12, 2, 2);
    assertThat(Combination.TWO.of(SCORES)).containsExactly(3, 13, 3, 3);
    assertThat(Combination.ALL.of(SCORES)).containsExactly(3, 15, 3, 3);
  }

  @Test
  void oneScoreStaysAsItIs() {
    double[] one = {0, 42, 0, 1};
    assertThat(Combination.HIGHEST.of(new double[][] {one})).containsExactly(one);
    assertThat(Combination.ALL.of(new double[][] {one})).containsExactly(one);
  }

  @Test
  void halfAnHourIsTheMeanOfSixRows() {
    double[] step = new double[12];
    java.util.Arrays.fill(step, 4, 12, 6);
    double[] mean = Combination.ALL_HALF_HOUR.of(new double[][] {step});
    assertThat(mean[3]).isZero();
    assertThat(mean[4]).isCloseTo(6.0 / 5, within(1e-9));
    assertThat(mean[6]).isCloseTo(3, within(1e-9));
    assertThat(mean[9]).isCloseTo(6, within(1e-9));
  }

  @Test
  void objectIsWhatPeerlensDoes() {
    double[][] scores = new double[3][60];
    scores[1][55] = 7;
    ObjectScore object = new ObjectScore();
    double[] combined = Combination.OBJECT.of(scores);
    for (int i = 0; i < 60; i++) {
      assertThat(combined[i])
          .isEqualTo(object.next(new double[] {scores[0][i], scores[1][i], scores[2][i]}));
    }
    assertThat(combined[55]).isPositive();
  }
}
