package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitReadingTest {

  private static final double UNKNOWN = Double.NaN;

  /** Steps: before the limit was set, at it, below it; counted as asked for. */
  private static DiskLimit disk(double... delayed) {
    return new DiskLimit(
        "disk",
        "",
        null,
        100,
        new double[] {400, 100, 60},
        new double[] {400, 50, 60},
        new double[] {8, 64, UNKNOWN},
        new double[] {2, 40, 2},
        delayed);
  }

  @Test
  void whatServedMoreThanTheLimitHadAnotherOne() {
    DiskLimit disk = disk(UNKNOWN, UNKNOWN, UNKNOWN);
    assertThat(LimitReading.bindsAt(disk, 0)).isFalse();
    assertThat(LimitReading.bindsAt(disk, 1)).isTrue();
    assertThat(LimitReading.bindsAt(disk, 2)).isFalse();
  }

  @Test
  void whatVsanDelayedCountsWhileTheLimitWasInForce() {
    DiskLimit disk = disk(30, 30, 0);
    assertThat(LimitReading.bindsAt(disk, 0)).isFalse();
    assertThat(LimitReading.bindsAt(disk, 1)).isTrue();
    assertThat(LimitReading.bindsAt(disk, 2)).isFalse();
  }
}
