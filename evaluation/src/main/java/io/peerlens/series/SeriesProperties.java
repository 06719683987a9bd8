package io.peerlens.series;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of series queries.
 *
 * @param maxValues how many values one answer may hold: objects x metrics x steps
 */
@ConfigurationProperties("peerlens.series")
public record SeriesProperties(@DefaultValue("1000000") int maxValues) {

  public SeriesProperties {
    if (maxValues < 1000 || maxValues > 20_000_000) {
      throw new IllegalArgumentException(
          "peerlens.series.max-values is " + maxValues + ": give 1000 to 20000000");
    }
  }
}
