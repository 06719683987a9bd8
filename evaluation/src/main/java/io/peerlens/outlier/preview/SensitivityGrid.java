package io.peerlens.outlier.preview;

import io.peerlens.api.model.LearnedSensitivity;
import io.peerlens.api.model.OutlierDirection;
import io.peerlens.api.model.OutlierEpisode;
import io.peerlens.api.model.OutlierGridStep;
import io.peerlens.api.model.OutlierGroupStep;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.Replay;
import io.peerlens.outliers.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Grid of sensitivities: how many events each would have given, and which. */
final class SensitivityGrid {

  private static final int MOST_EPISODES = 100;
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final double STEP = 0.5;
  private static final double FIRST = 1;
  private static final double LAST = 10;

  private final Settings settings;
  private final List<String> keys;
  private final Replay replay;
  private final long end;

  /**
   * @param keys of the metrics
   * @param end of the range, epoch milliseconds
   */
  SensitivityGrid(Settings settings, List<String> keys, Replay replay, long end) {
    this.settings = settings;
    this.keys = keys;
    this.replay = replay;
    this.end = end;
  }

  /** Events that one threshold would have given, the longest first. */
  record Step(double threshold, List<Event> events) {}

  /** The sensitivities that are tried, from 10 down; only the method's own where it has one. */
  List<Step> steps() {
    TreeSet<Double> thresholds = new TreeSet<>(Comparator.reverseOrder());
    thresholds.add(settings.threshold());
    if (settings.method() instanceof Method.Peers) {
      for (double one = LAST; one >= FIRST; one -= STEP) {
        thresholds.add(one);
      }
    }
    return thresholds.parallelStream()
        .map(
            threshold ->
                new Step(
                    threshold,
                    replay.events(threshold).stream()
                        .sorted(
                            Comparator.comparingLong((Event event) -> -lasted(event))
                                .thenComparing(Event::since)
                                .thenComparing(Event::member))
                        .toList()))
        .toList();
  }

  /** For how long a member was out, without the wait until the event closes. */
  private long lasted(Event event) {
    long until =
        event.closedAt() == 0
            ? end
            : event.closedAt() - (settings.closesAfter() - 1) * settings.bucketMillis();
    return until - begin(event);
  }

  private long begin(Event event) {
    return event.since() - settings.bucketMillis();
  }

  /** Members that any of the listed episodes is about. */
  static Set<Integer> listed(List<Step> steps) {
    return steps.stream()
        .flatMap(step -> step.events().stream().limit(MOST_EPISODES))
        .map(Event::member)
        .filter(member -> member != Event.GROUP)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * A step for the answer.
   *
   * @param ids of members by their ids within the database; null = it is gone
   */
  OutlierGridStep answer(Step step, double days, IntFunction<@Nullable UUID> ids) {
    List<OutlierEpisode> episodes = new ArrayList<>();
    step.events().stream()
        .limit(MOST_EPISODES)
        .forEach(
            event -> {
              UUID object = event.member() == Event.GROUP ? null : ids.apply(event.member());
              if (object != null || event.member() == Event.GROUP) {
                episodes.add(episode(event, object));
              }
            });
    int count = step.events().size();
    return new OutlierGridStep(
        step.threshold(),
        count,
        perWeek(count, days),
        (int) step.events().stream().filter(event -> lasted(event) > LONG.toMillis()).count(),
        (int)
            step.events().stream()
                .map(Event::member)
                .filter(member -> member != Event.GROUP)
                .distinct()
                .count(),
        episodes);
  }

  /** What one sensitivity of the event of the group as a whole would have given. */
  OutlierGroupStep answer(Sensitivity sensitivity, ShiftReplay.Found found, double days) {
    int count = found.events().size();
    return new OutlierGroupStep(
        LearnedSensitivity.valueOf(sensitivity.name()),
        count,
        perWeek(count, days),
        found.learned(),
        found.events().stream().limit(MOST_EPISODES).map(event -> episode(event, null)).toList());
  }

  private static double perWeek(int count, double days) {
    return days == 0 ? 0 : Math.rint(count / days * 7 * 100) / 100;
  }

  private OutlierEpisode episode(Event event, @Nullable UUID object) {
    List<String> made = new ArrayList<>();
    for (int m = 0; m < keys.size(); m++) {
      if ((event.metrics() >> m & 1) == 1) {
        made.add(keys.get(m));
      }
    }
    return new OutlierEpisode(
            begin(event),
            event.closedAt() == 0 ? null : event.closedAt(),
            Math.rint(event.peakScore() * 100) / 100,
            event.high() ? OutlierDirection.HIGH : OutlierDirection.LOW,
            made)
        .object(object);
  }
}
