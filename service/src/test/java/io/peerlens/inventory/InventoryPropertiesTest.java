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
        .isEqualTo(new InventoryProperties(Duration.ofMinutes(15)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                InventoryProperties.class, Map.of("peerlens.inventory.silent-after", "1h")))
        .isEqualTo(new InventoryProperties(Duration.ofHours(1)));
  }
}
