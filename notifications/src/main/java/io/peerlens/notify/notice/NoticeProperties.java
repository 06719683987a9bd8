package io.peerlens.notify.notice;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the notices about the installation.
 *
 * @param every how often Peerlens checks for problems
 * @param rejected the number of lines rejected within five minutes from which on they are reported
 * @param lag the number of records waiting in Kafka from which on lag is reported
 * @param silentAfter a collector that has sent nothing for this long is reported
 * @param forgetAfter a collector that has been silent for this long is no longer reported
 * @param failingAfter a target whose attempts fail for this long is reported through other targets
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
