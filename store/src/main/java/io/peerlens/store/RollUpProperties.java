package io.peerlens.store;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of roll-ups: when they are computed.
 *
 * @param lag how long after its end a bucket of 5 minutes is rolled up; later samples are included
 *     too, at the cost of computing the bucket again. At least 3 minutes, and the same on all nodes
 * @param quiet how long a bucket must be without further late samples before it is computed again
 * @param every pause between two runs
 * @param flowLag how long after its end a bucket of flows is rolled up and made into metrics; later
 *     flows are included too, at the same cost. At least 3 minutes; 3 minutes less than {@code
 *     lag}, otherwise samples that the metrics of flows fall into are rolled up twice
 * @param parts in how many parts samples are rolled up; so many evaluators, or threads of one, work
 *     at once. From 1 to 64, and the same on all nodes
 */
@ConfigurationProperties("peerlens.rollup")
public record RollUpProperties(
    @DefaultValue("10m") Duration lag,
    @DefaultValue("20s") Duration quiet,
    @DefaultValue("15s") Duration every,
    @DefaultValue("5m") Duration flowLag,
    @DefaultValue("2") int parts) {

  public RollUpProperties {
    atLeastThreeMinutes("lag", lag);
    atLeastThreeMinutes("flow-lag", flowLag);
    if (quiet.isNegative()) {
      throw new IllegalArgumentException("peerlens.rollup.quiet is negative: " + quiet);
    }
    if (parts < 1 || parts > SetPart.MOST) {
      throw new IllegalArgumentException(
          "peerlens.rollup.parts is %d: give 1 to %d".formatted(parts, SetPart.MOST));
    }
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.rollup.every is %s: give at least 1s".formatted(every));
    }
  }

  /**
   * When at the latest the flow metrics of a bucket are there, from its end, as long as nothing is
   * behind.
   */
  public Duration flowDelay() {
    return flowLag.plus(every).plusSeconds(45);
  }

  private static void atLeastThreeMinutes(String key, Duration lag) {
    if (lag.compareTo(Duration.ofMinutes(3)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.rollup.%s is %s: give at least 3m".formatted(key, lag));
    }
  }
}
