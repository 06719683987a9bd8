package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InventoryPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(InventoryProperties.class))
        .isEqualTo(new InventoryProperties(3, Duration.ofMinutes(5), Duration.ofMinutes(15)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                InventoryProperties.class,
                Map.of(
                    "peerlens.inventory.missed-intervals", "4",
                    "peerlens.inventory.silent-after-at-least", "1m",
                    "peerlens.inventory.silent-after", "1h")))
        .isEqualTo(new InventoryProperties(4, Duration.ofMinutes(1), Duration.ofHours(1)));
  }
}
