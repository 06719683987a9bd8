package io.peerlens.notify.dispatch;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the notification pipeline.
 *
 * @param url where people reach the pages, for links in notifications, unless it was set on the
 *     page Settings; empty = no links
 * @param poll how often a node polls for changes of alerts
 * @param batch how many events are decided on in one transaction
 * @param look how often a muted alert is checked again
 * @param flapOpenings an alert that was sent to a target this often within flap-window has to last
 *     for flap-lasting before it is sent again
 * @param flapWindow see flap-openings
 * @param flapLasting see flap-openings
 * @param inhibitingKinds an alert of an object of these kinds inhibits those of objects below it
 *     that have the same impact and are no worse, for targets that received the alert itself
 * @param speakingKinds the former name of inhibiting-kinds, still accepted
 */
@ConfigurationProperties("peerlens.notify")
public record PipelineProperties(
    @DefaultValue("") String url,
    @DefaultValue("250ms") Duration poll,
    @DefaultValue("500") int batch,
    @DefaultValue("30s") Duration look,
    @DefaultValue("3") int flapOpenings,
    @DefaultValue("30m") Duration flapWindow,
    @DefaultValue("5m") Duration flapLasting,
    @DefaultValue("VMWARE/HostSystem") Set<String> inhibitingKinds,
    @Nullable Set<String> speakingKinds) {

  public PipelineProperties {
    positive("poll", poll);
    positive("look", look);
    positive("flap-window", flapWindow);
    positive("flap-lasting", flapLasting);
    atLeastOne("batch", batch);
    atLeastOne("flap-openings", flapOpenings);
    inhibitingKinds = Set.copyOf(speakingKinds == null ? inhibitingKinds : speakingKinds);
  }

  /** How alerts that come and go are damped. */
  Flow.Damping damping() {
    return new Flow.Damping(flapOpenings, flapWindow, flapLasting);
  }

  private static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.notify.%s is %s: give more than 0s".formatted(key, value));
    }
  }

  private static void atLeastOne(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "peerlens.notify.%s is %d: give at least 1".formatted(key, value));
    }
  }
}
