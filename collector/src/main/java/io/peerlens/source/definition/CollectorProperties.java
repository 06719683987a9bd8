package io.peerlens.source.definition;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of sources that Peerlens reads itself.
 *
 * @param maxSources how many sources may be stored
 * @param history how many versions of each source are kept
 * @param keepErrors how long errors of sources are kept
 */
@ConfigurationProperties("peerlens.collector")
public record CollectorProperties(
    @DefaultValue("200") int maxSources,
    @DefaultValue("100") int history,
    @DefaultValue("7d") Duration keepErrors) {

  public CollectorProperties {
    if (maxSources < 0) {
      throw new IllegalArgumentException(
          "peerlens.collector.max-sources is %d: give 0 or more".formatted(maxSources));
    }
    if (history < 1) {
      throw new IllegalArgumentException(
          "peerlens.collector.history is %d: give 1 or more".formatted(history));
    }
    if (!keepErrors.isPositive()) {
      throw new IllegalArgumentException(
          "peerlens.collector.keep-errors is %s: give more than 0s".formatted(keepErrors));
    }
  }
}
