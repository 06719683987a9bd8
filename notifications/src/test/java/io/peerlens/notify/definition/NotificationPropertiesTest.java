package io.peerlens.notify.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotificationPropertiesTest {

  private static final String PREFIX = "peerlens.notify.definitions.";

  @Test
  void hasDefaults() {
    assertThat(Properties.defaults(NotificationProperties.class))
        .isEqualTo(
            new NotificationProperties(1000, 2000, 1000, 5000, 100, 200, 100, Duration.ofDays(30)));
  }

  @Test
  void everyKeyIsRead() {
    assertThat(
            Properties.with(
                NotificationProperties.class,
                Map.of(
                    PREFIX + "max-templates", "1",
                    PREFIX + "max-rules", "2",
                    PREFIX + "max-targets", "3",
                    PREFIX + "max-silences", "4",
                    PREFIX + "max-lookups", "5",
                    PREFIX + "max-relays", "6",
                    PREFIX + "history", "7",
                    PREFIX + "silences-kept", "7h")))
        .isEqualTo(new NotificationProperties(1, 2, 3, 4, 5, 6, 7, Duration.ofHours(7)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max-templates",
        "max-rules",
        "max-targets",
        "max-silences",
        "max-lookups",
        "max-relays",
        "history"
      })
  void invalidValuesAreRefusedWithTheirKey(String key) {
    assertThatThrownBy(
            () -> Properties.with(NotificationProperties.class, Map.of(PREFIX + key, "-1")))
        .rootCause()
        .hasMessageContaining(PREFIX + key);
  }
}
