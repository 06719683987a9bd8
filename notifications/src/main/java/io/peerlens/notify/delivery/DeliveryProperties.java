package io.peerlens.notify.delivery;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the delivery of notifications.
 *
 * @param poll how often a node looks for deliveries that are due
 * @param retryFirst longest wait after the first attempt; it doubles with each one
 * @param retryLongest longest wait between attempts
 * @param pause how long a target that does not accept our credentials is paused
 * @param breakerFailures this many failures in a row open the circuit breaker of a target
 * @param breakerWait how long an open breaker waits before it tries one delivery
 * @param keep how long finished deliveries and traces are kept
 */
@ConfigurationProperties("peerlens.notify.delivery")
public record DeliveryProperties(
    @DefaultValue("250ms") Duration poll,
    @DefaultValue("2s") Duration retryFirst,
    @DefaultValue("1h") Duration retryLongest,
    @DefaultValue("15m") Duration pause,
    @DefaultValue("5") int breakerFailures,
    @DefaultValue("30s") Duration breakerWait,
    @DefaultValue("30d") Duration keep) {

  public DeliveryProperties {
    positive("poll", poll);
    positive("retry-first", retryFirst);
    positive("retry-longest", retryLongest);
    positive("pause", pause);
    positive("breaker-wait", breakerWait);
    positive("keep", keep);
    if (breakerFailures < 1) {
      throw new IllegalArgumentException(
          "peerlens.notify.delivery.breaker-failures is %d: give at least 1"
              .formatted(breakerFailures));
    }
  }

  private static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.notify.delivery.%s is %s: give more than 0s".formatted(key, value));
    }
  }
}
