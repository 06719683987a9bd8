package io.peerlens.inventory;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the API says of objects.
 *
 * @param silentAfter an object whose newest sample is older than this is shown as silent; the
 *     default is three times the longest usual interval, the 300 s of historical vSphere metrics
 */
@ConfigurationProperties("peerlens.inventory")
public record InventoryProperties(@DefaultValue("15m") Duration silentAfter) {

  public InventoryProperties {
    if (silentAfter.isNegative() || silentAfter.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.inventory.silent-after must be longer than 0: " + silentAfter);
    }
  }
}
