package io.peerlens.outlier.judge;

import static java.util.Objects.requireNonNull;

import io.peerlens.outlier.judge.UsualLearner.Shifted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Cache of the usual ranges of medians: groups get them for the days that are judged. Each day is
 * learned once for a group. Not thread-safe.
 */
public final class UsualMedians {

  /** So many groups learn their next day in a tick, so that they do not all do so at midnight. */
  private static final int AHEAD_AT_ONCE = 20;

  /** So many groups are read at once. */
  private static final int READ_AT_ONCE = 100;

  private final MedianQueries queries;
  private final UsualLearner learner;

  public UsualMedians(MedianQueries queries, UsualLearner learner) {
    this.queries = queries;
    this.learner = learner;
  }

  /**
   * Days of which a group needs to know what is usual: those of its buckets from one to another.
   */
  record Wanted(Watch watch, Instant first, Instant last) {}

  /** Learns what is missing, and forgets the days before. */
  void learn(Collection<Wanted> wanted) {
    Map<Long, List<Watch>> missing = new TreeMap<>();
    for (Wanted one : wanted) {
      Watch watch = one.watch();
      if (watch.rule == null || watch.isFresh) {
        continue;
      }
      long first = UsualLearner.day(one.first());
      watch.usual.keySet().removeIf(day -> day < first);
      for (long day = first; day <= UsualLearner.day(one.last()); day++) {
        if (!watch.usual.containsKey(day)) {
          missing.computeIfAbsent(day, d -> new ArrayList<>()).add(watch);
        }
      }
    }
    missing.forEach(this::learn);
  }

  /**
   * Some groups learn the day after that of the bucket that was judged and stored last: all that it
   * depends on is there.
   */
  void learnAhead(Collection<Watch> watches) {
    Map<Long, List<Watch>> missing = new TreeMap<>();
    int some = 0;
    for (Watch watch : watches) {
      Instant last = watch.last;
      if (watch.rule == null || watch.engine == null || last == null) {
        continue;
      }
      long next = UsualLearner.day(last) + 1;
      if (!watch.usual.containsKey(next) && some++ < AHEAD_AT_ONCE) {
        missing.computeIfAbsent(next, d -> new ArrayList<>()).add(watch);
      }
    }
    missing.forEach(this::learn);
  }

  private void learn(long day, List<Watch> watches) {
    for (int from = 0; from < watches.size(); from += READ_AT_ONCE) {
      List<Watch> some = watches.subList(from, Math.min(watches.size(), from + READ_AT_ONCE));
      Map<UUID, MedianHours> hours =
          queries.hours(
              some.stream()
                  .map(
                      watch ->
                          new MedianQueries.Of(
                              watch.group.id(), watch.basis, watch.group.metrics().size()))
                  .toList(),
              learner.learnedFrom(day),
              UsualLearner.learnedUntil(day));
      Map<UUID, List<Shifted>> events =
          queries.events(
              some.stream().map(watch -> watch.group.id()).toList(),
              learner.learnedFrom(day),
              UsualLearner.learnedUntil(day));
      for (Watch watch : some) {
        UUID id = watch.group.id();
        watch.usual.put(
            day,
            learner.learn(requireNonNull(hours.get(id)), events.getOrDefault(id, List.of()), day));
      }
    }
  }
}
