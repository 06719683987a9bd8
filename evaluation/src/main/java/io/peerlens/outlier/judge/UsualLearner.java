package io.peerlens.outlier.judge;

import io.peerlens.baselines.Band;
import io.peerlens.baselines.BandLearner;
import io.peerlens.baselines.WeekSlots;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Learner of the usual range of the medians of a group on a day in UTC. That depends on nothing but
 * the hours that ended at the start of the day before, and the events of the group that had opened
 * by then: it does not matter when, where and how often it is computed. Not thread-safe.
 */
public final class UsualLearner {

  /** A change that lasts longer is how the group is now. */
  private static final Duration NOT_LEARNED = Duration.ofDays(3);

  private static final int DAY = 24;
  private static final long HOUR_MILLIS = 3_600_000L;

  private final BandLearner learner = new BandLearner();
  private final WeekSlots slots;
  private final int history; // hours

  /**
   * @param zone by whose clocks the hour of the week is counted
   * @param historyDays how many days are learned from
   */
  public UsualLearner(ZoneId zone, int historyDays) {
    slots = new WeekSlots(zone);
    history = historyDays * DAY;
  }

  /**
   * An event of the group as a whole. While it lasts nothing is learned, for three days at most.
   *
   * @param since start of its first bucket
   * @param openedAt end of the bucket that opened it
   * @param closedAt end of the bucket that closed it; {@link Instant#MAX} = it is open
   */
  public record Shifted(Instant since, Instant openedAt, Instant closedAt) {}

  /** Days since 1970 that a moment lies in. */
  public static long day(Instant moment) {
    return Math.floorDiv(moment.getEpochSecond(), 86_400L);
  }

  /** The hour before which a day is learned from. */
  public static long learnedUntil(long day) {
    return (day - 1) * DAY;
  }

  /** The first hour that a day is learned from. */
  public long learnedFrom(long day) {
    return learnedUntil(day) - history;
  }

  /**
   * Learns a day.
   *
   * @param hours those of {@link #learnedFrom} to {@link #learnedUntil}, or more of them; missing
   *     ones have no median
   */
  public UsualDay learn(MedianHours hours, Collection<Shifted> events, long day) {
    long from = learnedFrom(day);
    boolean[] without = excluded(events, from, learnedUntil(day));
    List<Band> bands = new ArrayList<>();
    for (int m = 0; m < hours.metrics(); m++) {
      bands.add(
          learner.learn(
              from,
              part(hours.low(m), hours.first(), from, without),
              part(hours.mean(m), hours.first(), from, without),
              part(hours.high(m), hours.first(), from, without),
              slots,
              day * DAY,
              DAY));
    }
    return new UsualDay(bands);
  }

  private boolean[] excluded(Collection<Shifted> events, long from, long until) {
    boolean[] excluded = new boolean[history];
    Instant end = Instant.ofEpochMilli(until * HOUR_MILLIS);
    for (Shifted event : events) {
      if (event.openedAt().isAfter(end)) {
        continue; // nobody knew of it then
      }
      Instant last = event.since().plus(NOT_LEARNED);
      last = event.closedAt().isBefore(last) ? event.closedAt() : last;
      long first = Math.floorDiv(event.since().toEpochMilli(), HOUR_MILLIS);
      long after = Math.ceilDiv((last.isBefore(end) ? last : end).toEpochMilli(), HOUR_MILLIS);
      for (long hour = Math.max(first, from); hour < after; hour++) {
        excluded[(int) (hour - from)] = true;
      }
    }
    return excluded;
  }

  private float[] part(float[] values, long first, long from, boolean[] without) {
    float[] part = new float[history];
    Arrays.fill(part, Float.NaN);
    for (int i = 0; i < history; i++) {
      long at = from + i - first;
      if (at >= 0 && at < values.length && !without[i]) {
        part[i] = values[(int) at];
      }
    }
    return part;
  }
}
