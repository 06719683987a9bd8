package io.peerlens.outlier.judge;

import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Judgement;
import io.peerlens.outliers.Settings;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Explanations of outlier events, in words and in parts. */
public interface OutlierExplanations {

  /**
   * Situation of a group when an event opens or goes on.
   *
   * @param judgement of the bucket; valid during the call only
   * @param member place of the member in it; negative = the event is of the whole group
   * @param metrics those that make the event, the most telling first
   * @param bucket start of the bucket
   */
  record Situation(
      OutlierGroup group,
      Settings settings,
      Judgement judgement,
      int member,
      Event event,
      List<OutlierEventMetric> metrics,
      ObjectGraph objects,
      Instant bucket) {}

  /**
   * An event that is open when a bucket is about to be judged.
   *
   * @param key the metric that said most so far
   * @param since start of its first bucket
   */
  record Ongoing(OutlierGroup group, String key, int object, Instant since, Instant bucket) {}

  /** A tick begins, in which these events will most likely be explained again. */
  void prepare(Collection<Ongoing> events);

  /** A bucket was judged: later explanations may refer to it. */
  void judged(OutlierGroup group, Instant bucket, Judgement judgement);

  /**
   * A member that differs from its peers in properties.
   *
   * @param member its name
   * @param properties in which it differs, at least one
   * @param at end of the bucket
   */
  record Differing(
      OutlierGroup group, String member, List<OutlierEventProperty> properties, Instant at) {}

  /** The explanation, without its subject, which is looked up when it is read. */
  OutlierExplanation of(Situation situation);

  /** The same for an event of configuration. */
  OutlierExplanation of(Differing differing);

  /** Factory of the explanations of a shard. */
  @FunctionalInterface
  interface Factory {
    OutlierExplanations create();
  }
}
