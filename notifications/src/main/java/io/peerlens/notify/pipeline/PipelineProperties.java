package io.peerlens.notify.pipeline;

import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How alerts become notifications.
 *
 * @param url where people reach the pages, for links in notifications, unless it was set on the
 *     page Settings; empty = no links
 * @param poll how often a node looks for what happened to alerts
 * @param batch how much is decided on in one transaction
 * @param look how often something that is kept back is looked at again
 * @param flapOpenings an alert that a target was told of so often within flap-window has to last
 *     for flap-lasting before it is told again
 * @param flapWindow see flap-openings
 * @param flapLasting see flap-openings
 * @param speakingKinds an alert of an object of these kinds speaks for those below it: what is of
 *     the same impact and no worse is not told, where the alert itself was
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
    @DefaultValue("VMWARE/HostSystem") Set<String> speakingKinds) {

  public PipelineProperties {
    positive("poll", poll);
    positive("look", look);
    positive("flap-window", flapWindow);
    positive("flap-lasting", flapLasting);
    atLeastOne("batch", batch);
    atLeastOne("flap-openings", flapOpenings);
    speakingKinds = Set.copyOf(speakingKinds);
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
