package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectScoreTest {

  private final ObjectScore score = new ObjectScore();

  private double next(double... metrics) {
    return score.next(metrics);
  }

  /** The same for 100 values: usual from then on. */
  private void usual(double... metrics) {
    for (int i = 0; i < 100; i++) {
      score.next(metrics);
    }
  }

  @Test
  void theUsualLevelOfTheObjectScoresZero() {
    usual(3, 3, 3, 3, 3, 3);
    assertThat(next(3, 3, 3, 3, 3, 3)).isCloseTo(0, within(1e-9));
    assertThat(next(1, 1, 1, 1, 1, 1)).isNegative();
  }

  @Test
  void theFourMetricsThatAreFarthestOffCount() {
    usual(0, 0, 0, 0, 0, 0, 0);
    // The last three are left out.
    assertThat(next(0.5, 1, 2, 3, 4, 5, 0.5)).isCloseTo(14, within(1e-9));
  }

  @Test
  void theContributionOfOneMetricIsLimited() {
    usual(0, 0);
    assertThat(next(0, 1000)).isCloseTo(14, within(1e-9));
  }

  @Test
  void whatGoesOnIsTheMeanOfHalfAnHour() {
    usual(0, 0);
    assertThat(next(4, 4)).isCloseTo(8, within(1e-9));
    assertThat(next(4, 4)).isCloseTo(8, within(0.1));
    // The mean of two of six values.
    assertThat(next(0, 0)).isCloseTo(16.0 / 6, within(0.2));
  }

  @Test
  void whatWasAsHighInTheLastDayCountsLess() {
    usual(0, 0);
    double first = next(9, 9);
    double fourth = 0;
    for (int i = 0; i < 3; i++) {
      fourth = next(9, 9);
    }
    assertThat(first).isCloseTo(18, within(1e-9));
    assertThat(fourth).isCloseTo(0.65 * 18, within(0.5));
    assertThat(next(13, 13)).isGreaterThan(first);
    for (int i = 0; i < 300; i++) {
      next(0, 0);
    }
    assertThat(next(9, 9)).isCloseTo(18, within(0.5));
  }

  @Test
  void metricsWithoutValueAreIgnored() {
    usual(1, 1);
    assertThat(next(Double.NaN, Double.NaN)).isNaN();
    double[] metrics = {9, Double.NaN, 1};
    double one = score.next(metrics);
    assertThat(one).isCloseTo(8, within(1e-9));
    assertThat(metrics).containsExactly(9, Double.NaN, 1);
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
    MetricScore[] scores = new MetricScore[metrics];
    Arrays.setAll(scores, m -> new MetricScore());
    double[] off = new double[metrics];
    double ofUsual = 0;
    double ofTrouble = 0;
    double rarestUsual = 0;
    double rarestTrouble = 0;
    for (int i = 0; i < 6 * 288; i++) {
      boolean trouble = i >= 6 * 288 - 6;
      for (int m = 0; m < metrics; m++) {
        double moved = trouble && m < 6 ? 3 : 0;
        double value = 100 + random.nextGaussian() + moved;
        streams[m].next(i * 300L, value, 0);
        off[m] = scores[m].next(value, streams[m].rareness());
        assertThat(off[m]).isNotNegative();
      }
      double rarest = Arrays.stream(off).max().orElseThrow();
      double now = score.next(off);
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
