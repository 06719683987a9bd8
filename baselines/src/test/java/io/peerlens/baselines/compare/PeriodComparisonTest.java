package io.peerlens.baselines.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PeriodComparisonTest {

  private static final int DAY = 288;

  private static Period day(long seed, double level, double noise) {
    Random random = new Random(seed);
    double[] values = new double[DAY];
    int[] slots = new int[DAY];
    for (int i = 0; i < DAY; i++) {
      values[i] = level + noise * random.nextGaussian();
      slots[i] = i / 12;
    }
    return new Period(values, slots);
  }

  private static PeriodComparison.Metric metric(Period before, Period after, Direction direction) {
    return new PeriodComparison.Metric(before, after, direction, 0.03, 0);
  }

  private static PeriodVerdict judge(PeriodComparison.Metric metric) {
    return PeriodComparison.compare(List.of(metric)).getFirst().judgement();
  }

  @Test
  void betterAndWorseAreReported() {
    Period low = day(1, 10, 0.5);
    Period high = day(2, 14, 0.5);

    assertThat(judge(metric(low, high, Direction.LOWER_IS_BETTER))).isEqualTo(PeriodVerdict.WORSE);
    assertThat(judge(metric(high, low, Direction.LOWER_IS_BETTER))).isEqualTo(PeriodVerdict.BETTER);
    assertThat(judge(metric(low, high, Direction.HIGHER_IS_BETTER)))
        .isEqualTo(PeriodVerdict.BETTER);
    assertThat(judge(metric(high, low, Direction.HIGHER_IS_BETTER))).isEqualTo(PeriodVerdict.WORSE);
    assertThat(judge(metric(low, high, Direction.NEITHER))).isEqualTo(PeriodVerdict.DIFFERENT);
  }

  @Test
  void anInsignificantChangeIsReportedAsTheSame() {
    Period before = day(1, 100, 0.1);
    Period after = day(2, 102, 0.1);

    assertThat(judge(metric(before, after, Direction.LOWER_IS_BETTER)))
        .isEqualTo(PeriodVerdict.SAME);
    assertThat(
            judge(new PeriodComparison.Metric(before, after, Direction.LOWER_IS_BETTER, 0.01, 0)))
        .isEqualTo(PeriodVerdict.WORSE);
    assertThat(
            judge(new PeriodComparison.Metric(before, after, Direction.LOWER_IS_BETTER, 0.01, 5)))
        .isEqualTo(PeriodVerdict.SAME);
  }

  @Test
  void aTailAloneCounts() {
    Random random = new Random(5);
    Period before = day(1, 10, 0.1);
    Period same = day(2, 10, 0.1);
    double[] values = same.values().clone();
    for (int i = 0; i < values.length; i++) {
      values[i] += random.nextInt(4) == 0 ? 20 : 0;
    }
    PeriodComparison.Outcome outcome =
        PeriodComparison.compare(
                List.of(
                    metric(before, new Period(values, same.slots()), Direction.LOWER_IS_BETTER)))
            .getFirst();

    assertThat(outcome.level()).isEqualTo(PeriodVerdict.SAME);
    assertThat(outcome.tail()).isEqualTo(PeriodVerdict.WORSE);
    assertThat(outcome.judgement()).isEqualTo(PeriodVerdict.WORSE);
  }

  @Test
  void withoutValuesThereIsNoJudgement() {
    Period none = new Period(new double[] {Double.NaN}, new int[] {0});

    assertThat(judge(metric(none, day(1, 10, 1), Direction.LOWER_IS_BETTER)))
        .isEqualTo(PeriodVerdict.NOT_ENOUGH_DATA);
    assertThat(PeriodComparison.compare(List.of())).isEmpty();
  }

  @Test
  void pValuesAreAdjustedForAllMetricsOfARequest() {
    // The example of Benjamini and Hochberg (1995), section 3.
    double[] p = {
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.0
    };
    double[] adjusted = FalseDiscovery.adjust(p);

    assertThat(adjusted).isSorted();
    assertThat(Arrays.stream(adjusted).filter(q -> q <= 0.05).count()).isEqualTo(4);
    assertThat(adjusted[0]).isCloseTo(0.0015, within(1e-12));
    assertThat(adjusted[14]).isEqualTo(1);
  }

  @Test
  void metricsWithoutEnoughDataDoNotCountInTheAdjustment() {
    assertThat(FalseDiscovery.adjust(new double[] {Double.NaN, 0.02, 0.04}))
        .containsExactly(Double.NaN, 0.04, 0.04);
  }

  @Test
  void theIndexIsFiftyWhenNothingChanged() {
    assertThat(index(day(1, 10, 0.5), day(2, 10, 0.5), Direction.LOWER_IS_BETTER)).isEqualTo(50);
  }

  @Test
  void theIndexIsAtItsEndsWhenEverythingIsTwiceAsGoodOrBad() {
    Period low = day(1, 10, 0.1);
    Period high = day(2, 25, 0.1);

    assertThat(index(high, low, Direction.LOWER_IS_BETTER)).isEqualTo(100);
    assertThat(index(low, high, Direction.LOWER_IS_BETTER)).isEqualTo(0);
    assertThat(index(low, high, Direction.HIGHER_IS_BETTER)).isEqualTo(100);
    assertThat(index(low, high, Direction.NEITHER)).isEqualTo(50);
  }

  @Test
  void theIndexFollowsTheSizeOfAChange() {
    // log2(20 / 14) = 0.51
    assertThat(index(day(1, 20, 0.1), day(2, 14, 0.1), Direction.LOWER_IS_BETTER))
        .isCloseTo(75.7, within(0.5));
  }

  @Test
  void thereIsNoIndexWithoutData() {
    Period none = new Period(new double[] {Double.NaN}, new int[] {0});

    assertThat(index(none, none, Direction.LOWER_IS_BETTER)).isNaN();
    assertThat(PerformanceIndex.of(List.of())).isNaN();
  }

  @Test
  void theIndexUsesTheWeightsOfMetrics() {
    Period low = day(1, 10, 0.1);
    Period high = day(2, 25, 0.1);
    PeriodComparison.Outcome better =
        PeriodComparison.compare(List.of(metric(high, low, Direction.LOWER_IS_BETTER))).getFirst();
    PeriodComparison.Outcome same =
        PeriodComparison.compare(List.of(metric(low, day(3, 10, 0.1), Direction.LOWER_IS_BETTER)))
            .getFirst();

    assertThat(
            PerformanceIndex.of(
                List.of(
                    new PerformanceIndex.Part(better, Direction.LOWER_IS_BETTER, 1),
                    new PerformanceIndex.Part(same, Direction.LOWER_IS_BETTER, 3))))
        .isCloseTo(62.5, within(1e-9));
  }

  private static double index(Period before, Period after, Direction direction) {
    PeriodComparison.Outcome outcome =
        PeriodComparison.compare(List.of(metric(before, after, direction))).getFirst();
    return PerformanceIndex.of(List.of(new PerformanceIndex.Part(outcome, direction, 1)));
  }
}
