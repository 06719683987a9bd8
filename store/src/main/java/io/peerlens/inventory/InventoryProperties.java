package io.peerlens.inventory;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of what the API says of objects.
 *
 * @param missedIntervals an object is silent when it has missed this many of its own intervals, as
 *     its last samples show them
 * @param silentAfter an object that has reported only once, so that its interval is not known yet,
 *     is not silent before that sample is this old
 * @param silentAfterAtLeast an object is not silent before its newest sample is this old, however
 *     short its interval is
 */
@ConfigurationProperties("peerlens.inventory")
public record InventoryProperties(
    @DefaultValue("3") int missedIntervals,
    @DefaultValue("5m") Duration silentAfterAtLeast,
    @DefaultValue("15m") Duration silentAfter) {

  public InventoryProperties {
    if (missedIntervals < 1 || !silentAfterAtLeast.isPositive() || !silentAfter.isPositive()) {
      throw new IllegalArgumentException(
          "peerlens.inventory: missed-intervals must be at least 1, silent-after-at-least (%s) and silent-after (%s) longer than 0"
              .formatted(silentAfterAtLeast, silentAfter));
    }
  }
}
