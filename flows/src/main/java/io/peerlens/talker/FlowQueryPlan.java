package io.peerlens.talker;

import io.peerlens.talker.TalkerQueries.Coverage;
import io.peerlens.talker.TalkerQueries.Stretch;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plan of a query over stored flows: by minutes, or in stretches of roll-ups. Seconds since 1970.
 *
 * @param minutesFrom start of what is read by the minute
 * @param minutesTo its end; no later = nothing is
 * @param from start of all
 * @param to end of all
 */
record FlowQueryPlan(
    List<Stretch> stretches, long minutesFrom, long minutesTo, long from, long to) {

  /** Longest window that is read by the minute. */
  static final Duration BY_MINUTE = Duration.ofHours(2);

  static final long MINUTE = 60;
  static final long DEDUPLICATED = FlowLevel.FIVE_MINUTES.seconds();

  /**
   * The same bounds as those of lists, so that a row and what is narrowed to it are of the same
   * time.
   */
  static FlowQueryPlan ofRanking(Coverage coverage, long from, long to) {
    List<Stretch> stretches =
        TalkerQueries.cover(from, to, TalkerQueries.longestFor(from, to), coverage.levels());
    if (stretches.isEmpty()) {
      return new FlowQueryPlan(stretches, 0, 0, 0, 0);
    }
    long begin = stretches.getFirst().from();
    long end = stretches.getLast().to();
    return to - from <= BY_MINUTE.toSeconds() && coverage.minutesFrom() <= begin
        ? new FlowQueryPlan(List.of(), begin, end, begin, end)
        : new FlowQueryPlan(stretches, 0, 0, begin, end);
  }

  /** A short window is read by the minute, of a long one what is not rolled up yet. */
  static FlowQueryPlan ofList(Coverage coverage, long from, long to) {
    long begin = Math.floorDiv(from, MINUTE) * MINUTE;
    long end = Math.ceilDiv(to, MINUTE) * MINUTE;
    if (to - from <= BY_MINUTE.toSeconds() && coverage.minutesFrom() <= begin) {
      return new FlowQueryPlan(List.of(), begin, end, begin, end);
    }
    List<Stretch> stretches = TalkerQueries.cover(from, to, FlowLevel.ONE_DAY, coverage.levels());
    long rolled = stretches.isEmpty() ? begin : stretches.getLast().to();
    long tail = Math.max(Math.max(rolled, coverage.rolledUntil()), coverage.minutesFrom());
    tail = Math.ceilDiv(tail, DEDUPLICATED) * DEDUPLICATED;
    boolean hasTail = tail < end;
    if (stretches.isEmpty() && !hasTail) {
      return new FlowQueryPlan(stretches, 0, 0, 0, 0);
    }
    return new FlowQueryPlan(
        stretches,
        hasTail ? tail : 0,
        hasTail ? end : 0,
        stretches.isEmpty() ? tail : stretches.getFirst().from(),
        hasTail ? end : stretches.getLast().to());
  }

  boolean hasMinutes() {
    return minutesFrom < minutesTo;
  }

  boolean isEmpty() {
    return stretches.isEmpty() && !hasMinutes();
  }

  Map<Long, Long> seconds() {
    Map<Long, Long> seconds = new LinkedHashMap<>();
    if (hasMinutes()) {
      seconds.put(MINUTE, minutesTo - minutesFrom);
    }
    stretches.forEach(s -> seconds.merge(s.level().seconds(), s.to() - s.from(), Long::sum));
    return seconds;
  }
}
