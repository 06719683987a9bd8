package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HabitsTest {

  private final Habits habits = new Habits();

  private double usual(int hour, double novelty) {
    return habits.usual(hour, hour % 24, novelty);
  }

  @Test
  void nothingIsUsualBeforeAnything() {
    assertThat(usual(0, 3)).isZero();
    assertThat(usual(0, 5)).isZero();
  }

  @Test
  void halfOfYesterdayAtTheSameHourIsUsual() {
    for (int hour = 0; hour < 24 * 10; hour++) {
      usual(hour, hour % 24 == 3 ? 4 : 0);
    }
    double other = usual(240, 0);
    for (int hour = 241; hour < 243; hour++) {
      usual(hour, 0);
    }
    double same = usual(243, 0);
    // The mean of the hours is a 24th of 4.
    assertThat(other).isCloseTo(4.0 / 24, within(0.1));
    assertThat(same).isCloseTo(2 + 4.0 / 24, within(0.1));
  }

  @Test
  void theHourBeforeKnowsOfTheNext() {
    for (int hour = 0; hour < 24; hour++) {
      usual(hour, hour == 3 ? 4 : 0);
    }
    assertThat(usual(26, 0)).isGreaterThan(2);
    assertThat(usual(28, 0)).isLessThan(1);
  }

  @Test
  void aRestlessSeriesIsRestlessAtAnyHour() {
    double usual = 0;
    for (int hour = 0; hour < 200; hour++) {
      usual = usual(hour, hour % 2);
    }
    assertThat(usual).isGreaterThan(0.9);
  }
}
