package io.peerlens.store;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When roll-ups are computed.
 *
 * @param lag how long after its end a bucket of 5 minutes is rolled up; samples that come later are
 *     taken in too, at the price of computing the bucket again. At least 3 minutes, and the same on
 *     all nodes.
 * @param quiet how long no further late sample must have come for a bucket before it is computed
 *     again
 * @param every pause between two runs
 */
@ConfigurationProperties("peerlens.rollup")
public record RollUpProperties(
    @DefaultValue("10m") Duration lag,
    @DefaultValue("20s") Duration quiet,
    @DefaultValue("15s") Duration every) {

  public RollUpProperties {
    if (lag.compareTo(Duration.ofMinutes(3)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.rollup.lag is %s: give at least 3m".formatted(lag));
    }
    if (quiet.isNegative()) {
      throw new IllegalArgumentException("peerlens.rollup.quiet is negative: " + quiet);
    }
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.rollup.every is %s: give at least 1s".formatted(every));
    }
  }
}
