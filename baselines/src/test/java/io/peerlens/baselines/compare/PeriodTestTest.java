package io.peerlens.baselines.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class PeriodTestTest {

  private static final int HOUR = 12;
  private static final int DAY = 24 * HOUR;

  /** From Monday 0 o'clock plus some hours on. */
  private static Period period(int firstHour, int steps, IntToDoubleFunction value) {
    double[] values = new double[steps];
    int[] slots = new int[steps];
    for (int i = 0; i < steps; i++) {
      values[i] = value.applyAsDouble(i);
      slots[i] = (firstHour + i / HOUR) % 168;
    }
    return new Period(values, slots);
  }

  private static IntToDoubleFunction noise(long seed, double level) {
    Random random = new Random(seed);
    return i -> level + random.nextGaussian();
  }

  @Test
  void aShiftIsReportedWithItsSize() {
    PeriodTest.Result result =
        PeriodTest.compare(period(0, DAY, noise(1, 20)), period(24, DAY, noise(2, 22)));

    assertThat(result.pairing()).isEqualTo(Pairing.DAY_TYPE_AND_HOUR);
    assertThat(result.shift()).isCloseTo(2, within(0.2));
    assertThat(result.low()).isBetween(1.0, 2.0);
    assertThat(result.high()).isBetween(2.0, 3.0);
    assertThat(result.level().p()).isLessThan(0.001);
    assertThat(result.level().effect()).isBetween(0.4, 0.5);
    assertThat(result.medianA()).isCloseTo(20, within(0.3));
    assertThat(result.medianB()).isCloseTo(22, within(0.3));
  }

  @Test
  void twoPeriodsOfTheSameNoiseDoNotDiffer() {
    int told = 0;
    for (int seed = 0; seed < 200; seed++) {
      PeriodTest.Result result =
          PeriodTest.compare(
              period(0, DAY, noise(2 * seed, 20)), period(24, DAY, noise(2 * seed + 1, 20)));
      assertThat(result.low()).isLessThanOrEqualTo(result.shift());
      assertThat(result.high()).isGreaterThanOrEqualTo(result.shift());
      told += result.level().p() <= 0.05 ? 1 : 0;
    }

    assertThat(told).isLessThanOrEqualTo(10);
  }

  @Test
  void autocorrelatedValuesDoNotCauseFalseDifferences() {
    int told = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      double[] walk = new double[2 * DAY];
      for (int i = 1; i < walk.length; i++) {
        walk[i] = 0.97 * walk[i - 1] + random.nextGaussian();
      }
      PeriodTest.Result result =
          PeriodTest.compare(period(0, DAY, i -> walk[i]), period(24, DAY, i -> walk[DAY + i]));
      told += result.level().p() <= 0.05 ? 1 : 0;
      assertThat(result.effectiveA()).isLessThan(DAY);
    }

    // Of about four independent values each; a t test over the points tells of most of these.
    assertThat(told).isLessThanOrEqualTo(16);
  }

  @Test
  void valuesAreComparedWithThoseOfTheSameHour() {
    IntToDoubleFunction cycle =
        i -> 50 + 40 * Math.sin(2 * Math.PI * (i / HOUR) / 24) + i % 7 * 0.2;
    // Three days against a day and a half: the latter has more of the morning.
    PeriodTest.Result result =
        PeriodTest.compare(
            period(0, 3 * DAY, cycle), period(72, DAY + DAY / 2, i -> cycle.applyAsDouble(i) + 1));

    assertThat(result.shift()).isCloseTo(1, within(0.1));
    assertThat(result.level().p()).isLessThan(0.01);
  }

  @Test
  void periodsWithoutCommonHoursCompareAllValues() {
    PeriodTest.Result result =
        PeriodTest.compare(period(0, 6 * HOUR, noise(1, 20)), period(12, 6 * HOUR, noise(2, 20)));

    assertThat(result.pairing()).isEqualTo(Pairing.NONE);
    assertThat(result.countA()).isEqualTo(6 * HOUR);
  }

  @Test
  void hoursOfTheWeekArePairedWhenBothPeriodsAreWeeks() {
    assertThat(
            PeriodTest.compare(period(0, 7 * DAY, noise(1, 20)), period(0, 7 * DAY, noise(2, 20)))
                .pairing())
        .isEqualTo(Pairing.HOUR_OF_WEEK);
  }

  @Test
  void hoursOfTheDayArePairedWhenAWeekendFollowsAWorkingDay() {
    assertThat(
            PeriodTest.compare(period(4 * 24, DAY, noise(1, 20)), period(5 * 24, DAY, noise(2, 20)))
                .pairing())
        .isEqualTo(Pairing.HOUR_OF_DAY);
  }

  @Test
  void aGrowingTailIsReportedThoughTheMedianStays() {
    Random random = new Random(3);
    PeriodTest.Result result =
        PeriodTest.compare(
            period(0, 3 * DAY, noise(1, 20)),
            period(
                72, 3 * DAY, i -> 20 + random.nextGaussian() + (random.nextInt(5) == 0 ? 15 : 0)));

    assertThat(result.tail().p()).isLessThan(0.01);
    assertThat(result.tail().effect()).isPositive();
    assertThat(result.p95B()).isGreaterThan(result.p95A() + 5);
    assertThat(result.medianB()).isCloseTo(result.medianA(), within(0.5));
  }

  @Test
  void aConstantThatStaysIsTheSameAndOneThatMovesIsNot() {
    Period five = period(0, DAY, i -> 5);

    assertThat(PeriodTest.compare(five, period(24, DAY, i -> 5)).level().p()).isEqualTo(1);
    PeriodTest.Result moved = PeriodTest.compare(five, period(24, DAY, i -> 6));
    assertThat(moved.level().p()).isLessThan(0.01);
    assertThat(moved.shift()).isEqualTo(1);
    assertThat(moved.low()).isEqualTo(1);
    assertThat(moved.high()).isEqualTo(1);
  }

  @Test
  void aPeriodWithoutValuesHasNoResult() {
    Period few = period(0, DAY, i -> i < PeriodTest.FEWEST - 1 ? 1 : Double.NaN);
    PeriodTest.Result result = PeriodTest.compare(few, period(24, DAY, noise(1, 20)));
    PeriodTest.Result none =
        PeriodTest.compare(period(0, DAY, i -> Double.NaN), period(24, DAY, i -> Double.NaN));

    assertThat(result.enough()).isFalse();
    assertThat(result.shift()).isNaN();
    assertThat(none.enough()).isFalse();
    assertThat(none.medianA()).isNaN();
  }

  @Test
  void tooFewValuesGiveNotEnoughData() {
    PeriodTest.Result result =
        PeriodTest.compare(period(0, 7, noise(1, 1)), period(0, 7, noise(2, 100)));

    assertThat(result.enough()).isFalse();
    assertThat(result.shift()).isCloseTo(99, within(2.0));
    assertThat(result.low()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(result.high()).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void missingValuesAreLeftOut() {
    IntToDoubleFunction whole = noise(1, 20);
    double[] values = period(0, 2 * DAY, whole).values();
    Arrays.fill(values, DAY / 2, DAY, Double.NaN);
    PeriodTest.Result result =
        PeriodTest.compare(period(0, 2 * DAY, i -> values[i]), period(48, 2 * DAY, noise(2, 25)));

    assertThat(result.countA()).isEqualTo(2 * DAY - DAY / 2);
    assertThat(result.shift()).isCloseTo(5, within(0.3));
  }

  @Test
  void theResultIsDeterministicAndMirroredForTheOtherOrder() {
    Period a = period(0, 2 * DAY, noise(1, 20));
    Period b = period(48, 2 * DAY, noise(2, 21));
    PeriodTest.Result once = PeriodTest.compare(a, b);
    PeriodTest.Result back = PeriodTest.compare(b, a);

    assertThat(PeriodTest.compare(a, b)).isEqualTo(once);
    assertThat(back.level().effect()).isCloseTo(-once.level().effect(), within(1e-12));
    assertThat(back.level().p()).isCloseTo(once.level().p(), within(1e-12));
    assertThat(back.shift()).isCloseTo(-once.shift(), within(0.01));
  }

  @Test
  void slotsMustMatchTheValues() {
    assertThatThrownBy(() -> new Period(new double[3], new int[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 values and 2 slots");
  }
}
