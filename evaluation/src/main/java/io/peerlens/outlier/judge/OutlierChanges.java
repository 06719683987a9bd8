package io.peerlens.outlier.judge;

import io.peerlens.alert.Raised;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.api.model.OutlierUsual;
import io.peerlens.outlier.group.CloseReason;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Drift;
import io.peerlens.outliers.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes of outlier groups at a tick, for {@link OutlierStore#write}. */
public record OutlierChanges(
    List<Bucket> buckets,
    List<Learned> learned,
    List<HourOver> hours,
    List<HourLearned> past,
    List<Membership> membership,
    List<EventRow> events,
    List<DriftRow> drifted,
    List<Closed> closed,
    List<Step> steps,
    List<Differs> differs,
    List<Agrees> agrees,
    List<Failure> failures) {

  /**
   * A bucket that was judged. Arrays over metrics and members hold one metric after the other.
   *
   * @param bucket its start
   * @param basis what the group has learned by
   * @param bands members of the lower band of a split group, for each metric; 0 = it is not split
   * @param usualLower where what is usual for the median begins, for each metric; null = nobody
   *     asked
   * @param usualUpper where it ends
   * @param usual the same with what is known, if it is the last; null = nobody asked
   * @param isLast whether it is the last of the group in this tick
   */
  record Bucket(
      UUID group,
      Instant bucket,
      Duration width,
      String basis,
      String state,
      List<String> metrics,
      List<String> states,
      int[] members,
      int judged,
      int[] judgedOf,
      double[] centre,
      double[] lower,
      double[] upper,
      int[] bands,
      float[] values,
      float[] expected,
      float[] low,
      float[] high,
      float[] scores,
      float[] score,
      double @Nullable [] usualLower,
      double @Nullable [] usualUpper,
      @Nullable List<OutlierUsual> usual,
      long nanos,
      boolean isLast) {}

  /**
   * Learned state of a group up to a bucket.
   *
   * @param shift whether its median is where it usually is; null = nobody asked
   */
  record Learned(UUID group, String basis, Instant bucket, byte[] state, byte @Nullable [] shift) {}

  /** The last bucket of an hour of a group was judged. */
  record HourOver(UUID group, String basis, Instant hour) {}

  /** Medians of a group in an hour from before it was judged. */
  record HourLearned(UUID group, String basis, MedianHours.Hour hour) {}

  /**
   * Objects that came or went.
   *
   * @param members how many there are now
   */
  record Membership(UUID group, Instant at, boolean joined, int[] objects, int members) {}

  /**
   * An event that is not over, as it is now.
   *
   * @param event what the method says of it
   * @param metrics null = as they were
   * @param explanation null = as it was
   */
  record EventRow(
      UUID id,
      OutlierGroup group,
      Event event,
      Instant at,
      Instant peakAt,
      int judged,
      int members,
      @Nullable List<OutlierEventMetric> metrics,
      @Nullable OutlierExplanation explanation) {}

  /**
   * An event of configuration that is not over, as it is now.
   *
   * @param since start of the first bucket in which the member differed
   * @param bucket start of the last one
   * @param at its end
   * @param judged how many members were compared
   */
  record DriftRow(
      UUID id,
      OutlierGroup group,
      int object,
      Instant openedAt,
      Instant since,
      Instant bucket,
      Instant at,
      int judged,
      int members,
      List<OutlierEventProperty> properties,
      OutlierExplanation explanation) {}

  /** A difference in configuration, whether it has lasted or not. */
  record Differs(UUID group, Drift.Difference difference) {}

  /** A property in which a member differs no more. */
  record Agrees(UUID group, int object, String key) {}

  /** An event that is over. */
  record Closed(UUID id, Instant at, CloseReason reason) {}

  /**
   * A step in the life of an event.
   *
   * @param value of the metric that says most; null = it has none
   * @param metric key of that metric; null = there is none
   * @param unit unit of that metric; null = none, or not known
   */
  record Step(
      UUID event,
      Instant at,
      String kind,
      @Nullable Double score,
      @Nullable Double value,
      @Nullable String metric,
      @Nullable String unit,
      @Nullable String note,
      @Nullable String explanation) {}

  /**
   * A group that could not be judged.
   *
   * @param state as in the contract
   */
  record Failure(UUID group, String state, String error) {}

  /** What alerts of a group say; null = it raises none. */
  public static @Nullable Raised raised(OutlierGroup group) {
    OutlierGroup.Alert alert = group.alert();
    return alert == null
        ? null
        : new Raised(
            group.id(),
            group.name(),
            "outlier-group",
            group.kind(),
            alert.settings().impact(),
            alert.settings().recommendations(),
            alert.settings().type(),
            alert.settings().subType(),
            "/outliers/" + group.id());
  }
}
