package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

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
                Duration.ofHours(12), Duration.ofDays(7), 10, Duration.ofMinutes(5)));
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
                    "peerlens.security.sign-in-window", "1m")))
        .isEqualTo(
            new SecurityProperties(
                Duration.ofHours(1), Duration.ofDays(1), 3, Duration.ofMinutes(1)));
  }
}
