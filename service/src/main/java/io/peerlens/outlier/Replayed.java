package io.peerlens.outlier;

import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.GroupState;
import io.peerlens.outliers.Replay;
import java.util.Arrays;

/** The part of a replay that somebody asked for, without the days that were learned from. */
final class Replayed implements Judged {

  private final Replay replay;
  private final int from;
  private final int members;
  private final double threshold;
  private final long width;
  private final OutlierGroupState[] states;
  private final int[] counts;

  /**
   * @param from the first bucket that was asked for
   * @param width of a bucket in milliseconds
   * @param threshold what the band is drawn for
   * @param events at the threshold: events of the group say when it was group-wide
   */
  Replayed(
      Replay replay, int from, int metrics, long width, double threshold, Iterable<Event> events) {
    this.replay = replay;
    this.from = from;
    members = replay.ids().length;
    this.width = width;
    this.threshold = threshold;
    states = new OutlierGroupState[replay.buckets() - from];
    counts = new int[states.length];
    for (int b = 0; b < states.length; b++) {
      for (int i = 0; i < members(); i++) {
        counts[b] += Double.isNaN(score(b, i)) ? 0 : 1;
      }
      states[b] = label(state(from + b, replay, metrics));
    }
    for (Event event : events) {
      if (event.member() == Event.GROUP) {
        long end = event.closedAt() == 0 ? Long.MAX_VALUE : event.closedAt();
        for (int b = 0; b < states.length; b++) {
          long at = replay.end(from + b);
          if (at >= event.since() && at < end) {
            states[b] = OutlierGroupState.GROUP_WIDE;
          }
        }
      }
    }
  }

  /** That of the first metric, unless another one was judged. */
  private static GroupState state(int bucket, Replay replay, int metrics) {
    GroupState state = replay.state(0, bucket);
    for (int m = 0; m < metrics; m++) {
      if (replay.state(m, bucket) == GroupState.JUDGED) {
        state = GroupState.JUDGED;
      }
    }
    return state;
  }

  static OutlierGroupState label(GroupState state) {
    return switch (state) {
      case JUDGED -> OutlierGroupState.ALIKE;
      case NO_DATA -> OutlierGroupState.NO_DATA;
      case TOO_FEW -> OutlierGroupState.TOO_FEW;
      case NO_MAJORITY -> OutlierGroupState.NO_MAJORITY;
      case SPLIT -> OutlierGroupState.SPLIT;
      case LEARNING -> OutlierGroupState.LEARNING;
      case GROUP_WIDE -> OutlierGroupState.GROUP_WIDE;
    };
  }

  /** In how many of the buckets with any values the group was in this state. */
  double share(OutlierGroupState wanted) {
    long some = Arrays.stream(states).filter(one -> one != OutlierGroupState.NO_DATA).count();
    return some == 0
        ? 0
        : Arrays.stream(states).filter(one -> one == wanted).count() / (double) some;
  }

  @Override
  public int buckets() {
    return states.length;
  }

  @Override
  public long begin(int bucket) {
    return replay.end(from + bucket) - width;
  }

  @Override
  public int members() {
    return members;
  }

  @Override
  public OutlierGroupState state(int bucket) {
    return states[bucket];
  }

  @Override
  public int judged(int bucket) {
    return counts[bucket];
  }

  @Override
  public double score(int bucket, int member) {
    return replay.score(from + bucket, member);
  }

  @Override
  public double score(int metric, int bucket, int member) {
    return replay.score(metric, from + bucket, member);
  }

  @Override
  public double value(int metric, int bucket, int member) {
    return replay.value(metric, from + bucket, member);
  }

  @Override
  public double centre(int metric, int bucket) {
    return replay.centre(metric, from + bucket);
  }

  @Override
  public double lower(int metric, int bucket) {
    return replay.lower(metric, from + bucket, threshold);
  }

  @Override
  public double upper(int metric, int bucket) {
    return replay.upper(metric, from + bucket, threshold);
  }
}
