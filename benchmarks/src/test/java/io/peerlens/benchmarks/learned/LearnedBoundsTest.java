package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.baselines.Sensitivity;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LearnedBoundsTest {

  private static final int DAYS = 30;

  /** Rows with an open event in a series of noise around 50, and what is added to it. */
  private static int[] open(int step, IntUnaryOperator added) {
    Random random = new Random(1);
    int rows = DAYS * 86_400 / step;
    long[] seconds = new long[rows];
    double[] values = new double[rows];
    for (int i = 0; i < rows; i++) {
      seconds[i] = (long) i * step;
      values[i] = 50 + random.nextGaussian() + added.applyAsInt(i);
    }
    boolean[] open =
        new LearnedBounds(LearnedBounds.MINIMUM_RELATIVE)
            .judge(seconds, values, step, Sensitivity.MEDIUM)
            .open();
    return IntStream.range(0, rows).filter(i -> open[i]).toArray();
  }

  @Test
  void threeOfFourValuesOfFiveMinutesOpenAnEventAndSixCloseIt() {
    int from = 20 * 288;
    assertThat(open(300, i -> i == from || i == from + 1 ? 60 : 0)).isEmpty();
    assertThat(open(300, i -> i >= from && i < from + 4 ? 60 : 0))
        .containsExactly(IntStream.range(from + 2, from + 9).toArray());
  }

  @Test
  void oneValueAnHourOpensAnEventAndOneClosesIt() {
    assertThat(open(3600, i -> i == 500 || i == 501 ? 60 : 0)).containsExactly(500, 501);
  }

  @Test
  void aLevelByDayIsLearnedThoughItsNightsAreAsBefore() {
    int[] open = open(3600, i -> i / 24 >= 15 && i % 24 >= 8 && i % 24 < 20 ? 60 : 0);
    assertThat(open).contains(15 * 24 + 8);
    assertThat(IntStream.of(open)).allMatch(i -> i / 24 < 20);
  }

  @Test
  void whatComesOnceInAWhileIsNotLearned() {
    int[] open = open(3600, i -> i / 24 >= 15 && i % 48 == 40 ? 60 : 0);
    assertThat(open).hasSize(8);
    assertThat(IntStream.of(open)).allMatch(i -> i % 48 == 40);
  }
}
