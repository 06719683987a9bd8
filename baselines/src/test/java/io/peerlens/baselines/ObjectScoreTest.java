package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectScoreTest {

  private final ObjectScore score = new ObjectScore();

  private double next(double... rareness) {
    return score.next(rareness);
  }

  /** The same for 100 values: usual from then on. */
  private void usual(double... rareness) {
    for (int i = 0; i < 100; i++) {
      score.next(rareness);
    }
  }

  @Test
  void theUsualLevelOfTheObjectScoresZero() {
    usual(3, 3, 3, 3, 3, 3);
    assertThat(next(3, 3, 3, 3, 3, 3)).isCloseTo(0, within(1e-9));
    assertThat(next(1, 1, 1, 1, 1, 1)).isNegative();
  }

  @Test
  void theFiveRarestMetricsCount() {
    usual(0, 0, 0, 0, 0, 0, 0);
    // Three quarters of 5 + 4 + 3 + 2 + 1; the last two are left out.
    assertThat(next(0.5, 1, 2, 3, 4, 5, 0.5)).isCloseTo(0.75 * 15, within(1e-9));
  }

  @Test
  void theContributionOfOneMetricIsLimited() {
    usual(0, 0);
    assertThat(next(0, 1000)).isCloseTo(0.75 * 10, within(1e-9));
  }

  @Test
  void aLastingDeviationScoresHigherThanAShortOne() {
    usual(0, 0);
    double first = next(4, 4);
    double sixth = 0;
    for (int i = 0; i < 5; i++) {
      sixth = next(4, 4);
    }
    assertThat(first).isCloseTo(6, within(0.1));
    assertThat(sixth).isGreaterThan(7).isLessThanOrEqualTo(8);
    // The mean of half an hour ends slowly.
    assertThat(next(0, 0)).isBetween(5.0, 7.0);
  }

  @Test
  void metricsWithoutValueAreIgnored() {
    usual(1, 1);
    assertThat(next(Double.NaN, Double.NaN)).isNaN();
    double[] rareness = {9, Double.NaN, 1};
    double one = score.next(rareness);
    assertThat(one).isCloseTo(0.75 * 8, within(1e-9));
    assertThat(rareness).containsExactly(9, Double.NaN, 1);
    assertThat(next()).isNaN();
  }

  @Test
  void thereIsNoScoreInTheFirstFourHours() {
    for (int i = 0; i < 50; i++) {
      assertThat(next(i == 30 ? 9 : 1)).isZero();
    }
    assertThat(next(9)).isPositive();
  }

  @Test
  void aProblemOfSeveralMetricsStandsOutThoughNoneDoesAlone() {
    Random random = new Random(1);
    int metrics = 20;
    StreamScore[] streams = new StreamScore[metrics];
    Arrays.setAll(streams, m -> new StreamScore(new WeekSlots(ZoneOffset.UTC)));
    double[] rareness = new double[metrics];
    double ofUsual = 0;
    double ofTrouble = 0;
    double rarestUsual = 0;
    double rarestTrouble = 0;
    for (int i = 0; i < 6 * 288; i++) {
      boolean trouble = i >= 6 * 288 - 6;
      for (int m = 0; m < metrics; m++) {
        double off = trouble && m < 6 ? 3 : 0;
        streams[m].next(i * 300L, 100 + random.nextGaussian() + off, 0);
        rareness[m] = streams[m].rareness();
        assertThat(rareness[m]).isNotNegative();
      }
      double rarest = Arrays.stream(rareness).max().orElseThrow();
      double now = score.next(rareness);
      if (trouble) {
        ofTrouble = Math.max(ofTrouble, now);
        rarestTrouble = Math.max(rarestTrouble, rarest);
      } else if (i > 2 * 288) {
        ofUsual = Math.max(ofUsual, now);
        rarestUsual = Math.max(rarestUsual, rarest);
      }
    }
    assertThat(rarestTrouble).isLessThan(1.2 * rarestUsual);
    assertThat(ofTrouble).isGreaterThan(1.4 * ofUsual);
  }

  @Test
  void rarenessOfNoValueIsNone() {
    StreamScore stream = new StreamScore(new WeekSlots(ZoneOffset.UTC));
    stream.next(0, 1, 0);
    assertThat(stream.rareness()).isNotNegative();
    stream.next(300, Double.NaN, 0);
    assertThat(stream.rareness()).isNaN();
  }
}
