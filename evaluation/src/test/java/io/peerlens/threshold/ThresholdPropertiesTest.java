package io.peerlens.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThresholdPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(ThresholdProperties.class))
        .isEqualTo(
            new ThresholdProperties(
                10_000, 100, Duration.ofHours(1), 3000, 10_100_000, Duration.ofSeconds(30)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                ThresholdProperties.class,
                Map.of(
                    "peerlens.thresholds.max-count", "5",
                    "peerlens.thresholds.history", "6",
                    "peerlens.thresholds.stale-after", "7m",
                    "peerlens.thresholds.preview-moments", "8",
                    "peerlens.thresholds.preview-values", "80",
                    "peerlens.thresholds.preview-time", "9s")))
        .isEqualTo(
            new ThresholdProperties(5, 6, Duration.ofMinutes(7), 8, 80, Duration.ofSeconds(9)));
  }

  @Test
  void invalidValuesAreRefusedWithTheirKey() {
    assertThatThrownBy(
            () ->
                Properties.with(
                    ThresholdProperties.class, Map.of("peerlens.thresholds.stale-after", "0s")))
        .rootCause()
        .hasMessageContaining("peerlens.thresholds.stale-after");
  }

  @Test
  void fewObjectsAreJudgedAtMoreMoments() {
    ThresholdProperties properties = Properties.defaults(ThresholdProperties.class);
    assertThat(properties.moments(0)).isEqualTo(10_100_000);
    assertThat(properties.moments(1000)).isEqualTo(10_100).isGreaterThan(7 * 24 * 60);
    assertThat(properties.moments(100_000)).isEqualTo(3000);
  }
}
