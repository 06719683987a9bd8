package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimeRemainingTest {

  private static double[] days(int count, IntToDoubleFunction value) {
    return IntStream.range(0, count).mapToDouble(value).toArray();
  }

  private static TimeRemaining of(double[] daily, double limit) {
    return Objects.requireNonNull(TimeRemaining.of(daily, limit));
  }

  @Test
  void steadyGrowthReachesTheLimitWhenItMust() {
    TimeRemaining left = of(days(28, i -> 100 + 2 * i), 200);
    // The level is that of the day before the last, 152.
    assertThat(left.days()).isCloseTo(24, within(1e-9));
    assertThat(left.earliest()).isCloseTo(24, within(1e-9));
    assertThat(left.latest()).isCloseTo(24, within(1e-9));
    assertThat(left.perDay()).isCloseTo(2, within(1e-9));
  }

  @Test
  void aSeriesWithoutGrowthHasMoreThanAYear() {
    TimeRemaining left = of(days(28, i -> 50 + (i * 7 % 5)), 100);
    assertThat(left.days()).isEqualTo(TimeRemaining.MOST_DAYS);
    assertThat(left.latest()).isEqualTo(TimeRemaining.MOST_DAYS);
    assertThat(of(days(28, i -> 100 - i), 200).days()).isEqualTo(TimeRemaining.MOST_DAYS);
    assertThat(of(days(28, i -> 100), 200).days()).isEqualTo(TimeRemaining.MOST_DAYS);
  }

  @Test
  void aFullResourceHasZeroDays() {
    assertThat(of(days(28, i -> 250 + i % 3), 200).days()).isZero();
    assertThat(of(days(28, i -> 250 + i), 200).earliest()).isZero();
  }

  @Test
  void aCleanUpDoesNotReverseTheGrowth() {
    TimeRemaining left = of(days(28, i -> 100 + 2 * i - (i >= 20 ? 15 : 0)), 200);
    assertThat(left.perDay()).isBetween(1.0, 2.0);
    assertThat(left.days()).isBetween(30.0, 70.0);
  }

  @Test
  void sevenDaysAreNeededAndOneOfTheLastThree() {
    assertThat(TimeRemaining.of(days(6, i -> i), 100)).isNull();
    assertThat(TimeRemaining.of(days(7, i -> i), 100)).isNotNull();
    assertThat(TimeRemaining.of(days(28, i -> i < 25 ? i : Double.NaN), 100)).isNull();
    assertThat(TimeRemaining.of(days(28, i -> i < 26 ? i : Double.NaN), 100)).isNotNull();
    assertThat(TimeRemaining.of(days(28, i -> i), Double.NaN)).isNull();
  }

  @Test
  void daysWithoutValuesAreLeftOut() {
    TimeRemaining left = of(days(28, i -> i % 4 == 1 ? Double.NaN : 100 + 2 * i), 200);
    assertThat(left.perDay()).isCloseTo(2, within(1e-9));
  }

  @Test
  void onlyTheLastFourWeeksCount() {
    assertThat(of(days(60, i -> i < 32 ? 500 - i : 2 * i), 400))
        .isEqualTo(of(days(28, i -> 2 * (i + 32)), 400));
  }

  /** The interval is of the growth; it should hold the real one nine times in ten. */
  @Test
  void theIntervalHoldsTheRealGrowthAsOftenAsItSays() {
    assertThat(held(0)).isBetween(0.86, 0.98);
    assertThat(held(0.5)).isBetween(0.80, 0.98);
  }

  private static double held(double alike) {
    Random random = new Random(1);
    int held = 0;
    int trials = 2000;
    for (int trial = 0; trial < trials; trial++) {
      double[] noise = new double[1];
      TimeRemaining left =
          of(
              days(
                  28,
                  i -> {
                    noise[0] = alike * noise[0] + random.nextGaussian();
                    return 0.3 * i + noise[0];
                  }),
              1000);
      held += left.perDayLeast() <= 0.3 && left.perDayMost() >= 0.3 ? 1 : 0;
    }
    return held / (double) trials;
  }
}
