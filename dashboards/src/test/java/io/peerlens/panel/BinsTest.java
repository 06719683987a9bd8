package io.peerlens.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Means of equal steps, and the line through them. */
class BinsTest {

  private static final long HOUR = 3_600_000_000L;
  private static final long DAY = 24 * HOUR;

  @Test
  void stepsHaveAWidthThatBucketsFill() {
    assertThat(MetricReads.bins(1, 0, DAY, 60).stepMillis()).isEqualTo(1_800_000);
    assertThat(MetricReads.bins(1, 0, HOUR, 60).stepMillis()).isEqualTo(60_000);
    assertThat(MetricReads.bins(1, 0, 30 * DAY, 60).stepMillis()).isEqualTo(43_200_000);
    assertThat(MetricReads.bins(1, 0, 400 * DAY, 60).stepMillis()).isEqualTo(7 * 86_400_000L);
    Bins odd = MetricReads.bins(1, HOUR + 1, 3 * HOUR + 7, 10);
    assertThat(odd.time(0) * 1000).isLessThanOrEqualTo(HOUR + 1);
    assertThat(odd.time(odd.steps()) * 1000).isGreaterThanOrEqualTo(3 * HOUR + 7);
  }

  @Test
  void theLineGoesThroughValuesThatGrowAndPassesOverABurst() {
    Bins bins = new Bins(1, 0, HOUR, 48);
    for (int step = 0; step < 48; step++) {
      bins.put(0, step, step == 20 ? 900 : 10 + (step + 0.5) / 24.0 * 3);
    }

    Bins.Trend trend = bins.trend(0);

    assertThat(trend.perDay()).isCloseTo(3, within(1e-9));
    assertThat(trend.end()).isCloseTo(16, within(1e-9));
  }

  @Test
  void twoValuesAreNoTrend() {
    Bins bins = new Bins(1, 0, HOUR, 48);
    bins.put(0, 1, 5);
    bins.put(0, 40, 6);

    assertThat(bins.trend(0).perDay()).isNaN();
    assertThat(bins.mean(0, 0)).isNaN();
  }
}
