package io.peerlens.learning;

import io.peerlens.baselines.BandLearner;
import io.peerlens.store.SetPart;
import java.time.ZoneId;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of learning. All nodes of an installation need the same settings.
 *
 * @param enabled whether bounds are learned in the background
 * @param zone time zone of the hours of the week, such as {@code Europe/Berlin}; the hours follow
 *     its clock changes
 * @param historyDays how many days of the past bounds are learned from, 7 to 28
 * @param parts in how many parts bounds are learned; so many evaluators work at once, each at one
 *     of them. From 1 to 64
 */
@ConfigurationProperties("peerlens.learning")
public record LearningProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("UTC") ZoneId zone,
    @DefaultValue("28") int historyDays,
    @DefaultValue("4") int parts) {

  public LearningProperties {
    if (historyDays < BandLearner.LEARNING_DAYS || historyDays > BandLearner.HISTORY_DAYS) {
      throw new IllegalArgumentException(
          "peerlens.learning.history-days is %d: give %d to %d"
              .formatted(historyDays, BandLearner.LEARNING_DAYS, BandLearner.HISTORY_DAYS));
    }
    if (parts < 1 || parts > SetPart.MOST) {
      throw new IllegalArgumentException(
          "peerlens.learning.parts is %d: give 1 to %d".formatted(parts, SetPart.MOST));
    }
  }
}
