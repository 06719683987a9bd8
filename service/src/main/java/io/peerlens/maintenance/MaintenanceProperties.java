package io.peerlens.maintenance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Maintenance windows.
 *
 * @param maxWindows how many may be stored
 */
@ConfigurationProperties("peerlens.maintenance")
public record MaintenanceProperties(@DefaultValue("1000") int maxWindows) {

  public MaintenanceProperties {
    if (maxWindows < 1) {
      throw new IllegalArgumentException(
          "peerlens.maintenance.max-windows is %d: give at least 1".formatted(maxWindows));
    }
  }
}
