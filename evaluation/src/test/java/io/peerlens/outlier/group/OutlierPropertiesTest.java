package io.peerlens.outlier.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutlierPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(OutlierProperties.class))
        .isEqualTo(
            new OutlierProperties(
                2000,
                100,
                Duration.ofDays(8),
                Duration.ofSeconds(10),
                Duration.ofDays(1),
                Duration.ofDays(35),
                6_000_000,
                Duration.ofSeconds(30)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                OutlierProperties.class,
                Map.of(
                    "peerlens.outliers.max-count", "7",
                    "peerlens.outliers.history", "8",
                    "peerlens.outliers.learn-from", "3d",
                    "peerlens.outliers.learn-time", "4s",
                    "peerlens.outliers.catch-up", "6h",
                    "peerlens.outliers.results", "5d",
                    "peerlens.outliers.preview-values", "9",
                    "peerlens.outliers.preview-time", "7s")))
        .isEqualTo(
            new OutlierProperties(
                7,
                8,
                Duration.ofDays(3),
                Duration.ofSeconds(4),
                Duration.ofHours(6),
                Duration.ofDays(5),
                9,
                Duration.ofSeconds(7)));
  }

  @Test
  void resultsThatATakeoverNeedsAreKept() {
    assertThatThrownBy(
            () ->
                Properties.with(OutlierProperties.class, Map.of("peerlens.outliers.results", "1d")))
        .hasRootCauseMessage(
            "peerlens.outliers.results is PT24H: give at least a day more than catch-up (PT24H)");
  }
}
