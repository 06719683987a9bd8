package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecurityPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(SecurityProperties.class))
        .isEqualTo(
            new SecurityProperties(
                Duration.ofHours(12),
                Duration.ofDays(7),
                10,
                Duration.ofMinutes(5),
                Duration.ofDays(365),
                Duration.ofDays(730)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                SecurityProperties.class,
                Map.of(
                    "peerlens.security.session-idle", "1h",
                    "peerlens.security.session-lifetime", "1d",
                    "peerlens.security.sign-in-attempts", "3",
                    "peerlens.security.sign-in-window", "1m",
                    "peerlens.security.token-life", "30d",
                    "peerlens.security.token-longest-life", "90d")))
        .isEqualTo(
            new SecurityProperties(
                Duration.ofHours(1),
                Duration.ofDays(1),
                3,
                Duration.ofMinutes(1),
                Duration.ofDays(30),
                Duration.ofDays(90)));
  }

  @Test
  void theUsualLifeOfATokenIsNotAboveTheLongest() {
    assertThatThrownBy(
            () ->
                new SecurityProperties(
                    Duration.ofHours(1),
                    Duration.ofDays(1),
                    3,
                    Duration.ofMinutes(1),
                    Duration.ofDays(91),
                    Duration.ofDays(90)))
        .hasMessageContaining("peerlens.security.token-longest-life");
  }
}
