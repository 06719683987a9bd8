package io.peerlens.learning;

import io.peerlens.baselines.BandLearner;
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
 */
@ConfigurationProperties("peerlens.learning")
public record LearningProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("UTC") ZoneId zone,
    @DefaultValue("28") int historyDays) {

  public LearningProperties {
    if (historyDays < BandLearner.LEARNING_DAYS || historyDays > BandLearner.HISTORY_DAYS) {
      throw new IllegalArgumentException(
          "peerlens.learning.history-days is %d: give %d to %d"
              .formatted(historyDays, BandLearner.LEARNING_DAYS, BandLearner.HISTORY_DAYS));
    }
  }
}
