package io.peerlens.supermetric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuperMetricPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(SuperMetricProperties.class))
        .isEqualTo(
            new SuperMetricProperties(
                10_000,
                true,
                Duration.ofMinutes(2),
                100,
                500,
                Duration.ofSeconds(30),
                200_000,
                100));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                SuperMetricProperties.class,
                Map.of(
                    "peerlens.super-metrics.max-count", "5",
                    "peerlens.super-metrics.strict-where", "false",
                    "peerlens.super-metrics.vocabulary-age", "1s",
                    "peerlens.super-metrics.history", "6",
                    "peerlens.super-metrics.preview-moments", "7",
                    "peerlens.super-metrics.preview-time", "3s",
                    "peerlens.super-metrics.backfill-ticks", "8",
                    "peerlens.super-metrics.explanation-items", "9")))
        .isEqualTo(
            new SuperMetricProperties(
                5, false, Duration.ofSeconds(1), 6, 7, Duration.ofSeconds(3), 8, 9));
  }

  @Test
  void invalidValuesAreRefusedWithTheirKey() {
    assertThatThrownBy(
            () ->
                Properties.with(
                    SuperMetricProperties.class, Map.of("peerlens.super-metrics.history", "0")))
        .rootCause()
        .hasMessageContaining("peerlens.super-metrics.history");
  }
}
