package io.peerlens.alert;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The life of alerts. All nodes of an installation need the same settings.
 *
 * @param flapWindow an alert that fires again within this time of its end is the same alert; one
 *     that opens three times within it stays open until it has been quiet for as long
 * @param forgetAfter when an object has sent nothing for this long, its alerts are canceled
 * @param keepCanceled how long canceled alerts and their history are kept
 * @param keepOutbox how long outbox entries are kept that no notifier has taken
 * @param maxDefinitions how many alert definitions may be stored
 * @param history how many versions of each alert definition are kept
 * @param eventPoll how often a node polls for changes while a client listens for events
 * @param maxListeners how many clients of a node may listen for events at once
 */
@ConfigurationProperties("peerlens.alerts")
public record AlertProperties(
    @DefaultValue("30m") Duration flapWindow,
    @DefaultValue("7d") Duration forgetAfter,
    @DefaultValue("90d") Duration keepCanceled,
    @DefaultValue("7d") Duration keepOutbox,
    @DefaultValue("10000") int maxDefinitions,
    @DefaultValue("100") int history,
    @DefaultValue("1s") Duration eventPoll,
    @DefaultValue("500") int maxListeners) {

  public AlertProperties {
    positive("flap-window", flapWindow);
    positive("forget-after", forgetAfter);
    positive("keep-canceled", keepCanceled);
    positive("keep-outbox", keepOutbox);
    positive("event-poll", eventPoll);
    atLeastOne("max-definitions", maxDefinitions);
    atLeastOne("history", history);
    atLeastOne("max-listeners", maxListeners);
    if (keepCanceled.compareTo(flapWindow) < 0) {
      throw new IllegalArgumentException(
          "peerlens.alerts.keep-canceled is %s: give at least the flap-window, %s"
              .formatted(keepCanceled, flapWindow));
    }
  }

  private static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.alerts.%s is %s: give more than 0s".formatted(key, value));
    }
  }

  private static void atLeastOne(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "peerlens.alerts.%s is %d: give at least 1".formatted(key, value));
    }
  }
}
