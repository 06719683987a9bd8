package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.benchmarks.learned.NabScorer.Profile;
import io.peerlens.benchmarks.learned.NabScorer.Scored;
import java.util.List;
import org.junit.jupiter.api.Test;

class NabScorerTest {

  /** A hundred rows, of which 15 are for learning, with a window of ten rows from 40 to 49. */
  private static Scored with(int... detections) {
    double[] scores = new double[100];
    for (int row : detections) {
      scores[row] = 1;
    }
    return new Scored(new int[][] {{40, 49}}, 15, scores);
  }

  private static double raw(Scored scored) {
    return NabScorer.raw(scored, Profile.STANDARD, 1);
  }

  @Test
  void learningIsFifteenPercentAndAtMost750Rows() {
    assertThat(Sets.probation(100)).isEqualTo(15);
    assertThat(Sets.probation(4032)).isEqualTo(604);
    assertThat(Sets.probation(20_000)).isEqualTo(750);
  }

  @Test
  void aMissedWindowCostsItsWeight() {
    assertThat(raw(with())).isEqualTo(-1);
    assertThat(NabScorer.raw(with(), Profile.LOW_FN, 1)).isEqualTo(-2);
  }

  @Test
  void theLeftEdgeOfAWindowIsWorthOneAndTheRightAlmostNothing() {
    assertThat(raw(with(40))).isCloseTo(1, within(1e-12));
    // Right edge: y = -1/10; 2 / (1 + e^-0.5) - 1 = 0.244919, at the left edge 0.986614.
    assertThat(raw(with(49))).isCloseTo(0.244919 / 0.986614, within(1e-5));
    // Half: y = -5/10; 2 / (1 + e^-2.5) - 1 = 0.848284.
    assertThat(raw(with(45))).isCloseTo(0.848284 / 0.986614, within(1e-5));
  }

  @Test
  void onlyTheBestRowOfAWindowCounts() {
    assertThat(raw(with(45, 40, 49))).isEqualTo(raw(with(40)));
  }

  @Test
  void aFalsePositiveBeforeAnyWindowCostsAllOfItsWeight() {
    assertThat(raw(with(20, 40))).isCloseTo(1 - 0.11, within(1e-12));
    assertThat(NabScorer.raw(with(20, 40), Profile.LOW_FP, 1)).isCloseTo(1 - 0.22, within(1e-12));
  }

  @Test
  void aFalsePositiveRightBehindAWindowCostsLess() {
    // The first row behind: y = 1/9; 2 / (1 + e^(5/9)) - 1 = -0.270845.
    assertThat(raw(with(40, 50))).isCloseTo(1 - 0.11 * 0.270845, within(1e-5));
    // Three widths behind and more: all of it.
    assertThat(raw(with(40, 80))).isCloseTo(1 - 0.11, within(1e-12));
  }

  @Test
  void nothingCountsWhileLearning() {
    assertThat(raw(with(3, 14, 40))).isCloseTo(1, within(1e-12));
  }

  @Test
  void silenceIsZeroAndPerfectionAHundred() {
    assertThat(new NabSweep(List.of(with()), Profile.STANDARD).best().normalised()).isZero();
    for (Profile profile : Profile.values()) {
      assertThat(new NabSweep(List.of(with(40)), profile).best().normalised())
          .isCloseTo(100, within(1e-9));
    }
  }

  @Test
  void theThresholdIsOneForAllFilesAndTheBest() {
    double[] good = new double[100];
    good[40] = 0.9;
    good[20] = 0.5;
    double[] noisy = new double[100];
    for (int i = 15; i < 40; i++) {
      noisy[i] = 0.6;
    }
    noisy[44] = 0.6;
    int[][] window = {{40, 49}};
    NabSweep.Best best =
        new NabSweep(
                List.of(new Scored(window, 15, good), new Scored(window, 15, noisy)),
                Profile.STANDARD)
            .best();
    // At 0.6 the second window would be found, at the price of 25 false positives.
    assertThat(best.threshold()).isEqualTo(0.9);
    assertThat(best.raw()).isCloseTo(0, within(1e-12));
    assertThat(best.normalised()).isCloseTo(50, within(1e-9));
  }
}
