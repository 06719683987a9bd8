package io.peerlens.outlier.preview;

import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.result.ResultFold;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.GroupShift;
import io.peerlens.outliers.GroupState;
import io.peerlens.outliers.Replay;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The part of a replay that somebody asked for, without the days that were learned from. */
final class Replayed {

  private final Replay replay;
  private final int from;
  private final int members;
  private final double threshold;
  private final long width;
  private final OutlierGroup.@Nullable GroupEvent groupEvent;
  private final ShiftReplay.@Nullable Found shifts;
  private final OutlierGroupState[] states;
  private final int[] counts;

  /**
   * @param from the first bucket that was asked for
   * @param width of a bucket in milliseconds
   * @param threshold what the band is drawn for
   * @param events at the threshold: events of the group say when it was group-wide
   * @param groupEvent by which its medians were held against what is usual; null = they were not
   * @param shifts what was found of that; null = nothing was looked for
   */
  Replayed(
      Replay replay,
      int from,
      int metrics,
      long width,
      double threshold,
      Iterable<Event> events,
      OutlierGroup.@Nullable GroupEvent groupEvent,
      ShiftReplay.@Nullable Found shifts) {
    this.groupEvent = groupEvent;
    this.shifts = shifts;
    this.replay = replay;
    this.from = from;
    members = replay.ids().length;
    this.width = width;
    this.threshold = threshold;
    states = new OutlierGroupState[replay.buckets() - from];
    counts = new int[states.length];
    for (int b = 0; b < states.length; b++) {
      for (int i = 0; i < members; i++) {
        counts[b] += Double.isNaN(replay.score(from + b, i)) ? 0 : 1;
      }
      states[b] = label(state(from + b, replay, metrics));
    }
    for (Event event : events) {
      if (event.member() == Event.GROUP) {
        groupWide(event);
      }
    }
    if (shifts != null) {
      shifts.events().forEach(this::groupWide);
    }
  }

  private void groupWide(Event event) {
    long end = event.closedAt() == 0 ? Long.MAX_VALUE : event.closedAt();
    for (int b = 0; b < states.length; b++) {
      long at = replay.end(from + b);
      if (at >= event.since() && at < end) {
        states[b] = OutlierGroupState.GROUP_WIDE;
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

  int buckets() {
    return states.length;
  }

  int members() {
    return members;
  }

  double value(int metric, int bucket, int member) {
    return replay.value(metric, from + bucket, member);
  }

  /** Places of the members with the farthest scores, the farthest first. */
  int[] farthest(int most) {
    double[] peak = new double[members];
    for (int b = from; b < replay.buckets(); b++) {
      for (int i = 0; i < members; i++) {
        double size = Math.abs(replay.score(b, i));
        if (size > peak[i]) {
          peak[i] = size;
        }
      }
    }
    return IntStream.range(0, members)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> -peak[i]).thenComparing(i -> i))
        .limit(most)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Puts all buckets into curves.
   *
   * @param listed places of the members in the order of the fold
   */
  void fold(ResultFold fold, int metrics, int[] listed) {
    double[] centre = new double[metrics];
    double[] lower = new double[metrics];
    double[] upper = new double[metrics];
    double[] usualLower = new double[metrics];
    double[] usualUpper = new double[metrics];
    Arrays.fill(usualLower, Double.NaN);
    Arrays.fill(usualUpper, Double.NaN);
    for (int b = 0; b < states.length; b++) {
      int at = from + b;
      for (int m = 0; m < metrics; m++) {
        centre[m] = replay.centre(m, at);
        lower[m] = replay.lower(m, at, threshold);
        upper[m] = replay.upper(m, at, threshold);
        if (shifts != null && groupEvent != null) {
          GroupShift.Usual usual = shifts.usual().get(b).get(m);
          usualLower[m] = usual.lower(groupEvent.rule());
          usualUpper[m] = usual.upper(groupEvent.rule());
        }
      }
      fold.add(
          Instant.ofEpochMilli(replay.end(at) - width),
          states[b],
          counts[b],
          centre,
          lower,
          upper,
          usualLower,
          usualUpper,
          (m, i) -> replay.value(m, at, listed[i]),
          (m, i) -> replay.score(m, at, listed[i]));
    }
  }
}
