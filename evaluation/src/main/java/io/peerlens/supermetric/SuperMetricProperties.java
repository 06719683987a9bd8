package io.peerlens.supermetric;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on super metrics.
 *
 * @param maxCount how many super metrics may be stored
 * @param strictWhere whether several conditions in a text after {@code where=} are an error; if
 *     not, everything after the first operator is the text to compare with, as in vRealize
 *     Operations, where such a formula has no data
 * @param vocabularyAge how old the list of kinds and keys may be that formulas are checked against
 * @param history how many versions of each super metric are kept
 * @param previewMoments how many moments a preview computes at most
 * @param previewTime how long a preview computes at most
 * @param backfillTicks how many moments one backfill computes at most
 * @param explanationItems how many objects and values an explanation lists for each entry
 */
@ConfigurationProperties("peerlens.super-metrics")
public record SuperMetricProperties(
    @DefaultValue("10000") int maxCount,
    @DefaultValue("true") boolean strictWhere,
    @DefaultValue("2m") Duration vocabularyAge,
    @DefaultValue("100") int history,
    @DefaultValue("500") int previewMoments,
    @DefaultValue("30s") Duration previewTime,
    @DefaultValue("200000") int backfillTicks,
    @DefaultValue("100") int explanationItems) {

  public SuperMetricProperties {
    atLeast("max-count", maxCount, 1);
    atLeast("history", history, 1);
    atLeast("preview-moments", previewMoments, 1);
    atLeast("backfill-ticks", backfillTicks, 1);
    atLeast("explanation-items", explanationItems, 0);
    positive("vocabulary-age", vocabularyAge);
    positive("preview-time", previewTime);
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "peerlens.super-metrics." + key + " is below " + least + ": " + value);
    }
  }

  private static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.super-metrics." + key + " is not longer than 0s: " + value);
    }
  }
}
