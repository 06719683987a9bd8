package io.peerlens.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  @Test
  void theSmallestUsualStepThatFitsIsTaken() {
    assertThat(Step.fitting(0, HOUR, 20_000, 1, 1000)).isEqualTo(20_000);
    assertThat(Step.fitting(0, 6 * HOUR, 20_000, 1, 1000)).isEqualTo(30_000);
    assertThat(Step.fitting(0, 14 * DAY, 20_000, 1, 1000)).isEqualTo(HOUR / 2);
  }

  @Test
  void partialStepsAreCounted() {
    assertThat(Step.count(1, 60_001, 60_000)).isEqualTo(2);
    assertThat(Step.fitting(1, 60_001, 60_000, 1, 1)).isEqualTo(300_000);
  }

  @Test
  void stepsAreMultiplesOfTheKeptResolution() {
    assertThat(Step.fitting(0, HOUR, 20_000, 300_000, 1000)).isEqualTo(300_000);
  }

  @Test
  void longWindowsUseWholeDays() {
    assertThat(Step.fitting(0, 700 * DAY, 20_000, 1, 10)).isEqualTo(70 * DAY);
    assertThat(Step.fitting(1, 700 * DAY + 1, 20_000, 1, 10)).isEqualTo(71 * DAY);
  }

  @Test
  void stepsAreWrittenInTheirLargestUnit() {
    assertThat(Step.text(90_000)).isEqualTo("90s");
    assertThat(Step.text(300_000)).isEqualTo("5m");
    assertThat(Step.text(2 * HOUR)).isEqualTo("2h");
    assertThat(Step.text(3 * DAY)).isEqualTo("3d");
  }
}
