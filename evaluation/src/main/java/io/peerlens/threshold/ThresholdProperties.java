package io.peerlens.threshold;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on thresholds.
 *
 * @param maxCount how many thresholds may be stored
 * @param history how many versions of each threshold are kept
 * @param staleAfter a value whose sample is older counts as unknown
 * @param previewMoments how many moments a preview may judge, however many objects there are
 * @param previewValues how many values a preview may judge where that is more moments: 1,000
 *     objects for a week of minutes
 * @param previewTime how long a preview computes at most
 */
@ConfigurationProperties("peerlens.thresholds")
public record ThresholdProperties(
    @DefaultValue("10000") int maxCount,
    @DefaultValue("100") int history,
    @DefaultValue("1h") Duration staleAfter,
    @DefaultValue("3000") int previewMoments,
    @DefaultValue("10100000") int previewValues,
    @DefaultValue("30s") Duration previewTime) {

  public ThresholdProperties {
    atLeast("max-count", maxCount, 1);
    atLeast("history", history, 1);
    atLeast("preview-moments", previewMoments, 1);
    atLeast("preview-values", previewValues, 1);
    positive("stale-after", staleAfter);
    positive("preview-time", previewTime);
  }

  /** How many moments a preview of so many objects judges at most. */
  int moments(int objects) {
    return Math.max(previewMoments, previewValues / Math.max(1, objects));
  }

  private static void atLeast(String key, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "peerlens.thresholds.%s is %d: give at least %d".formatted(key, value, least));
    }
  }

  private static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.thresholds.%s is %s: give more than 0s".formatted(key, value));
    }
  }
}
