package io.peerlens.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadPropertiesTest {

  @Test
  void defaults() {
    LoadProperties defaults = Properties.defaults(LoadProperties.class);
    assertThat(defaults).isEqualTo(new LoadProperties(0, 48, Duration.ofSeconds(5), 24, 200));
    assertThat(defaults.heavyAtOnce()).isEqualTo(Runtime.getRuntime().availableProcessors() + 1);
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                LoadProperties.class,
                Map.of(
                    "peerlens.load.heavy-at-once", "7",
                    "peerlens.load.heavy-queue", "0",
                    "peerlens.load.heavy-wait", "1s",
                    "peerlens.load.heavy-per-token", "2",
                    "peerlens.load.requests-per-second", "3")))
        .isEqualTo(new LoadProperties(7, 0, Duration.ofSeconds(1), 2, 3));
  }

  @Test
  void invalidValuesAreRefused() {
    assertThatThrownBy(() -> new LoadProperties(1, 1, Duration.ZERO, 1, 1))
        .hasMessageContaining("peerlens.load.heavy-at-once");
    assertThatThrownBy(() -> new LoadProperties(0, 1, Duration.ofHours(1), 1, 1))
        .hasMessageContaining("peerlens.load.heavy-wait");
    assertThatThrownBy(() -> new LoadProperties(0, 1, Duration.ZERO, 1, 0))
        .hasMessageContaining("peerlens.load.requests-per-second");
  }
}
