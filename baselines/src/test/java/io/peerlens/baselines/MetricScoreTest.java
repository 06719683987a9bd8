package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MetricScoreTest {

  private final MetricScore score = new MetricScore();

  /** A hundred values between 90 and 110, with a standard deviation of 10. */
  private void usual() {
    for (int i = 0; i < 100; i++) {
      score.next(i % 2 == 0 ? 90 : 110, 0);
    }
  }

  @Test
  void rarenessAndDistanceAddUp() {
    usual();
    assertThat(score.next(130, 5)).isCloseTo(5 + 0.2 * 3, within(1e-6));
  }

  @Test
  void downwardsCountsLikeUpwards() {
    usual();
    assertThat(score.next(70, 5)).isCloseTo(5 + 0.2 * 3, within(1e-6));
  }

  @Test
  void bothAreLimited() {
    usual();
    assertThat(score.next(100_000, 50)).isEqualTo(14);
  }

  @Test
  void withoutValueThereIsNone() {
    usual();
    assertThat(score.next(Double.NaN, Double.NaN)).isNaN();
    assertThat(score.next(100, 2)).isCloseTo(2, within(1e-6));
  }

  @Test
  void distanceNeedsAPast() {
    for (int i = 0; i < 50; i++) {
      score.next(i % 2, 0);
    }
    assertThat(score.next(1000, 3)).isEqualTo(3);
  }

  @Test
  void theLastDigitOfAConstantIsNotFarOff() {
    for (int i = 0; i < 100; i++) {
      score.next(1000, 0);
    }
    assertThat(score.next(1000.5, 0)).isCloseTo(0.2 * 0.5, within(1e-9));
  }
}
