package io.peerlens.frame;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of what is read for evaluating a moment.
 *
 * @param metricAge how old the last value of a metric may be to be still used; properties have no
 *     such limit
 * @param mostValues how many values a frame, or a period of a preview, may hold
 */
@ConfigurationProperties("peerlens.frames")
public record FrameProperties(
    @DefaultValue("1d") Duration metricAge, @DefaultValue("50000000") int mostValues) {

  public FrameProperties {
    if (metricAge.compareTo(Duration.ofMinutes(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.frames.metric-age is %s: give at least 1m".formatted(metricAge));
    }
    if (mostValues < 1_000_000) {
      throw new IllegalArgumentException(
          "peerlens.frames.most-values is %d: give at least 1000000".formatted(mostValues));
    }
  }
}
