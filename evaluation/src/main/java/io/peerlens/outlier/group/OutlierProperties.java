package io.peerlens.outlier.group;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of outlier groups. All nodes of an installation need the same settings.
 *
 * @param maxCount how many groups may be stored
 * @param history how many versions of each group are kept
 * @param learnFrom how far back a new group learns from stored values
 * @param learnTime for how long a tick lets new groups learn; those that are left learn in the next
 * @param catchUp how far back missed buckets are judged in order; a group that missed more of them
 *     starts from the stored values
 * @param results how long judged buckets are kept; events are kept for ever
 * @param previewValues how many values a preview computes at most
 * @param previewTime how long a preview computes at most
 */
@ConfigurationProperties("peerlens.outliers")
public record OutlierProperties(
    @DefaultValue("2000") int maxCount,
    @DefaultValue("100") int history,
    @DefaultValue("8d") Duration learnFrom,
    @DefaultValue("10s") Duration learnTime,
    @DefaultValue("1d") Duration catchUp,
    @DefaultValue("35d") Duration results,
    @DefaultValue("6000000") int previewValues,
    @DefaultValue("30s") Duration previewTime) {

  public OutlierProperties {
    atLeastOne("max-count", maxCount);
    atLeastOne("history", history);
    positive("learn-from", learnFrom);
    positive("learn-time", learnTime);
    positive("catch-up", catchUp);
    positive("results", results);
    atLeastOne("preview-values", previewValues);
    positive("preview-time", previewTime);
    if (learnFrom.compareTo(Duration.ofDays(60)) > 0) {
      throw new IllegalArgumentException(
          "peerlens.outliers.learn-from is %s: give at most 60d".formatted(learnFrom));
    }
    if (results.compareTo(catchUp.plusDays(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.outliers.results is %s: give at least a day more than catch-up (%s)"
              .formatted(results, catchUp));
    }
  }

  private static void atLeastOne(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "peerlens.outliers.%s is %d: give at least 1".formatted(key, value));
    }
  }

  private static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "peerlens.outliers.%s is %s: give more than 0s".formatted(key, value));
    }
  }
}
