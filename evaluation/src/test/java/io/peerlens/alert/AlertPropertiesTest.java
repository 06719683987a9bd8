package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AlertPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(AlertProperties.class))
        .isEqualTo(
            new AlertProperties(
                Duration.ofMinutes(30),
                Duration.ofDays(7),
                Duration.ofDays(90),
                Duration.ofDays(7),
                10_000,
                100,
                Duration.ofSeconds(1),
                500));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                AlertProperties.class,
                Map.of(
                    "peerlens.alerts.flap-window", "10m",
                    "peerlens.alerts.forget-after", "1d",
                    "peerlens.alerts.keep-canceled", "30d",
                    "peerlens.alerts.keep-outbox", "2d",
                    "peerlens.alerts.max-definitions", "7",
                    "peerlens.alerts.history", "8",
                    "peerlens.alerts.event-poll", "2s",
                    "peerlens.alerts.max-listeners", "9")))
        .isEqualTo(
            new AlertProperties(
                Duration.ofMinutes(10),
                Duration.ofDays(1),
                Duration.ofDays(30),
                Duration.ofDays(2),
                7,
                8,
                Duration.ofSeconds(2),
                9));
  }

  @Test
  void invalidValuesAreRefusedWithTheirKey() {
    assertThatThrownBy(
            () -> Properties.with(AlertProperties.class, Map.of("peerlens.alerts.history", "0")))
        .rootCause()
        .hasMessageContaining("peerlens.alerts.history is 0: give at least 1");
    assertThatThrownBy(
            () ->
                Properties.with(
                    AlertProperties.class, Map.of("peerlens.alerts.keep-canceled", "1m")))
        .rootCause()
        .hasMessageContaining("peerlens.alerts.keep-canceled");
  }
}
