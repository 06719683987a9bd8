package io.peerlens.outlier.preview;

import static java.util.Objects.requireNonNull;

import io.peerlens.outlier.judge.MedianHours;
import io.peerlens.outlier.judge.UsualDay;
import io.peerlens.outlier.judge.UsualLearner;
import io.peerlens.outlier.judge.UsualLearner.Shifted;
import io.peerlens.outliers.Change;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.GroupShift;
import io.peerlens.outliers.GroupShift.Usual;
import io.peerlens.outliers.Replay;
import io.peerlens.outliers.Settings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The medians of a replay held against what was usual for them, by the classes that judge the
 * present: days are learned from what was before them, as they would have been then.
 */
final class ShiftReplay {

  private final Settings settings;
  private final Replay replay;
  private final int from;
  private final MedianHours hours;
  private final List<Shifted> before;
  private final UsualLearner learner;
  private final long width;

  /**
   * @param from the first bucket that may raise events
   * @param kept medians that were kept of the group; those of the replay are taken where there are
   *     none
   * @param before events of the group from before that bucket
   */
  ShiftReplay(
      Settings settings,
      Replay replay,
      int from,
      MedianHours kept,
      List<Shifted> before,
      UsualLearner learner) {
    this.settings = settings;
    this.replay = replay;
    this.from = from;
    this.before = before;
    this.learner = learner;
    width = settings.bucketMillis();
    hours = kept;
    long first = Math.floorDiv(begin(0), 3_600_000L);
    long last = Math.floorDiv(begin(replay.buckets() - 1), 3_600_000L);
    MedianHours.Builder own =
        new MedianHours.Builder(first, (int) (last - first + 1), settings.metrics().size());
    for (int b = 0; b < replay.buckets(); b++) {
      own.add(begin(b), replay.centres(b));
    }
    hours.fill(own.hours());
  }

  /**
   * Group events found at one sensitivity.
   *
   * @param events by start; those that go on at the end are open
   * @param usual what was usual in each bucket from the first that may raise events
   */
  record Found(List<Event> events, List<List<Usual>> usual) {

    /** In how many buckets it was known what is usual, of any metric. */
    int learned() {
      return (int)
          usual.stream()
              .filter(one -> one.stream().anyMatch(of -> !Double.isNaN(of.upper())))
              .count();
    }
  }

  /**
   * Goes through the time by one rule.
   *
   * @param others events of the group as a whole that were found at the same time
   */
  Found run(GroupShift.Rule rule, List<Event> others) {
    GroupShift shift = new GroupShift(settings, rule);
    Map<Long, Event> events = new LinkedHashMap<>(); // by their opening
    List<List<Usual>> usual = new ArrayList<>();
    UsualDay day = null;
    long of = Long.MIN_VALUE;
    for (int b = from; b < replay.buckets(); b++) {
      Instant bucket = Instant.ofEpochMilli(begin(b));
      if (UsualLearner.day(bucket) != of) {
        of = UsualLearner.day(bucket);
        List<Shifted> known = new ArrayList<>(before);
        others.forEach(event -> known.add(shifted(event)));
        events.values().forEach(event -> known.add(shifted(event)));
        day = learner.learn(hours, known, of);
      }
      List<Usual> now = requireNonNull(day).at(bucket);
      usual.add(now);
      for (Change change : shift.judge(replay.end(b), replay.centres(b), now)) {
        events.put(change.event().openedAt(), change.event());
      }
    }
    return new Found(List.copyOf(events.values()), usual);
  }

  private Shifted shifted(Event event) {
    return new Shifted(
        Instant.ofEpochMilli(event.since() - width),
        Instant.ofEpochMilli(event.openedAt()),
        event.closedAt() == 0 ? Instant.MAX : Instant.ofEpochMilli(event.closedAt()));
  }

  private long begin(int bucket) {
    return replay.end(bucket) - width;
  }
}
