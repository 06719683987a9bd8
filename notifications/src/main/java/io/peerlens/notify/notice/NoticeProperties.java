package io.peerlens.notify.notice;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When the installation tells of itself.
 *
 * @param every how often troubles are looked for
 * @param rejected so many lines rejected within five minutes are told
 * @param lag so many records waiting in Kafka are told
 * @param silentAfter a collector that nothing was heard of for so long is told
 * @param forgetAfter and one that was silent for so long is not told any more
 * @param failingAfter a target whose attempts fail for so long is told through others
 */
@ConfigurationProperties("peerlens.notify.notices")
public record NoticeProperties(
    @DefaultValue("15s") Duration every,
    @DefaultValue("100") long rejected,
    @DefaultValue("1000000") long lag,
    @DefaultValue("15m") Duration silentAfter,
    @DefaultValue("7d") Duration forgetAfter,
    @DefaultValue("5m") Duration failingAfter) {

  public NoticeProperties {
    if (rejected < 1 || lag < 1) {
      throw new IllegalArgumentException(
          "peerlens.notify.notices: rejected (%d) and lag (%d) must be at least 1"
              .formatted(rejected, lag));
    }
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.notify.notices.every is %s: give at least 1s".formatted(every));
    }
    if (!silentAfter.isPositive() || !forgetAfter.isPositive() || !failingAfter.isPositive()) {
      throw new IllegalArgumentException(
          "peerlens.notify.notices: silent-after (%s), forget-after (%s) and failing-after (%s) must be longer than 0s"
              .formatted(silentAfter, forgetAfter, failingAfter));
    }
  }
}
