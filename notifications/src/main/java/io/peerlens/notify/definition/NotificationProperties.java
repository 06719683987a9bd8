package io.peerlens.notify.definition;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of stored notification definitions.
 *
 * @param maxTemplates how many templates may be stored, built-in ones not counted
 * @param maxRules how many notification rules may be stored
 * @param maxTargets how many targets may be stored
 * @param maxSilences how many silences may be stored, those that are over too
 * @param maxLookups how many lookup tables may be stored
 * @param maxRelays how many relays may be stored
 * @param history how many versions of each are kept
 * @param silencesKept for how long a silence that is over is kept
 */
@ConfigurationProperties("peerlens.notify.definitions")
public record NotificationProperties(
    @DefaultValue("1000") int maxTemplates,
    @DefaultValue("2000") int maxRules,
    @DefaultValue("1000") int maxTargets,
    @DefaultValue("5000") int maxSilences,
    @DefaultValue("100") int maxLookups,
    @DefaultValue("200") int maxRelays,
    @DefaultValue("100") int history,
    @DefaultValue("30d") Duration silencesKept) {

  public NotificationProperties {
    atLeast("max-templates", maxTemplates, 0);
    atLeast("max-rules", maxRules, 0);
    atLeast("max-targets", maxTargets, 0);
    atLeast("max-silences", maxSilences, 0);
    atLeast("max-lookups", maxLookups, 0);
    atLeast("max-relays", maxRelays, 0);
    atLeast("history", history, 1);
    if (silencesKept.isNegative()) {
      throw new IllegalArgumentException(
          "peerlens.notify.definitions.silences-kept is %s: give 0s or more"
              .formatted(silencesKept));
    }
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "peerlens.notify.definitions.%s is %d: give %d or more".formatted(key, value, least));
    }
  }
}
