package io.peerlens.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MaintenancePropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(MaintenanceProperties.class))
        .isEqualTo(new MaintenanceProperties(1000, 100));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                MaintenanceProperties.class,
                Map.of(
                    "peerlens.maintenance.max-windows", "5", "peerlens.maintenance.history", "6")))
        .isEqualTo(new MaintenanceProperties(5, 6));
  }

  @Test
  void invalidValuesAreRefusedWithTheirKey() {
    assertThatThrownBy(() -> new MaintenanceProperties(0, 1))
        .hasMessageContaining("peerlens.maintenance.max-windows is 0");
    assertThatThrownBy(() -> new MaintenanceProperties(1, 0))
        .hasMessageContaining("peerlens.maintenance.history is 0");
  }
}
