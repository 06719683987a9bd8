package io.peerlens.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DemandSummaryTest {

  @Test
  void percentilesAreThoseOfBusinessHours() {
    double[] column =
        Traces.trace(Traces.GRID, at -> at.getHour() >= 8 && at.getHour() < 18 ? 3 : 1);
    DemandSummary of = DemandSummary.of(Traces.GRID, column, 4, 1);
    assertThat(of.p50()).isEqualTo(3);
    assertThat(of.p99()).isEqualTo(3);
    assertThat(of.regretMost()).isZero();
  }

  @Test
  void theIntervalHoldsTheHoursAndIsWiderWhereDaysDiffer() {
    // An hour over the size each day: every week that might have been has seven.
    double[] daily = Traces.trace(Traces.GRID, at -> at.getHour() == 9 ? 5 : 1);
    DemandSummary same = DemandSummary.of(Traces.GRID, daily, 4, 1);
    assertThat(same.regretLeast()).isCloseTo(7, within(1e-9));
    assertThat(same.regretMost()).isCloseTo(7, within(1e-9));
    // Seven hours on one day a week are as many, but a month that might have been has fewer or
    // more.
    double[] weekly =
        Traces.trace(
            Traces.GRID, at -> at.getDayOfWeek().getValue() == 1 && at.getHour() < 7 ? 5 : 1);
    DemandSummary differ = DemandSummary.of(Traces.GRID, weekly, 4, 1);
    assertThat(differ.regretLeast()).isLessThan(5).isPositive();
    assertThat(differ.regretMost()).isGreaterThan(9);
  }

  @Test
  void withoutValuesNothingIsKnown() {
    double[] nothing = new double[Traces.GRID.length()];
    Arrays.fill(nothing, Double.NaN);
    DemandSummary of = DemandSummary.of(Traces.GRID, nothing, 4, 1);
    assertThat(of.p95()).isNaN();
    assertThat(of.regretMost()).isNaN();
  }
}
