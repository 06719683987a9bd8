package io.peerlens.maintenance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on maintenance windows.
 *
 * @param maxWindows how many may be stored
 * @param history how many versions of each are kept
 */
@ConfigurationProperties("peerlens.maintenance")
public record MaintenanceProperties(
    @DefaultValue("1000") int maxWindows, @DefaultValue("100") int history) {

  public MaintenanceProperties {
    if (maxWindows < 1) {
      throw new IllegalArgumentException(
          "peerlens.maintenance.max-windows is %d: give at least 1".formatted(maxWindows));
    }
    if (history < 1) {
      throw new IllegalArgumentException(
          "peerlens.maintenance.history is %d: give at least 1".formatted(history));
    }
  }
}
