package io.peerlens.suiteapi;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Grid of the intervals that a window touches, in epoch milliseconds. Intervals of up to weeks lie
 * at multiples since 1970 UTC, weeks begin on Mondays, months and years as the calendar has them.
 *
 * @param edges of the intervals; the first is before the window or at its begin
 * @param width of each; 0 = they differ
 */
record StatGrid(long[] edges, long width) {

  static final List<String> TYPES =
      List.of("SECONDS", "MINUTES", "HOURS", "DAYS", "WEEKS", "MONTHS", "YEARS");

  private static final long MOST = 1_000_000;
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long WEEK = 7 * DAY;

  /** 1970 began on a Thursday; this Monday is before. */
  private static final long MONDAY = -3 * DAY;

  static StatGrid of(long begin, long end, String type, int quantifier) {
    return switch (type.toUpperCase(Locale.ROOT)) {
      case "SECONDS" -> even(begin, end, quantifier * SECOND, 0);
      case "MINUTES" -> even(begin, end, quantifier * MINUTE, 0);
      case "HOURS" -> even(begin, end, quantifier * HOUR, 0);
      case "DAYS" -> even(begin, end, quantifier * DAY, 0);
      case "WEEKS" -> even(begin, end, quantifier * WEEK, MONDAY);
      case "MONTHS" -> calendar(begin, end, quantifier, 1);
      default -> calendar(begin, end, quantifier, 12);
    };
  }

  /** One interval, which is the window. */
  static StatGrid whole(long begin, long end) {
    return new StatGrid(new long[] {begin, end}, 0);
  }

  private static StatGrid even(long begin, long end, long width, long origin) {
    long first = Math.floorDiv(begin - origin, width);
    long count = Math.max(1, Math.ceilDiv(end - origin, width) - first);
    if (count > MOST) {
      throw SuiteException.invalid(
          "intervalQuantifier", "is too small: the window has " + count + " intervals");
    }
    long[] edges = new long[(int) count + 1];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = origin + (first + i) * width;
    }
    return new StatGrid(edges, width);
  }

  private static StatGrid calendar(long begin, long end, int quantifier, int months) {
    LocalDate day = Instant.ofEpochMilli(begin).atOffset(ZoneOffset.UTC).toLocalDate();
    LocalDate from =
        day.with(
            months == 1 ? TemporalAdjusters.firstDayOfMonth() : TemporalAdjusters.firstDayOfYear());
    List<Long> edges = new ArrayList<>();
    edges.add(millis(from));
    while (edges.getLast() < end) {
      from = from.plusMonths((long) quantifier * months);
      edges.add(millis(from));
    }
    return new StatGrid(edges.stream().mapToLong(Long::longValue).toArray(), 0);
  }

  private static long millis(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  int size() {
    return edges.length - 1;
  }

  /** The interval with a moment in it, that is after its begin and not after its end. */
  int endingAt(long micros) {
    return of(Math.ceilDiv(micros, 1000) - 1);
  }

  /** The interval with a moment in it, that is not before its begin and before its end. */
  int startingAt(long micros) {
    return of(Math.floorDiv(micros, 1000));
  }

  private int of(long millis) {
    if (width > 0) {
      return (int) Math.floorDiv(millis - edges[0], width);
    }
    int at = Arrays.binarySearch(edges, millis);
    return at >= 0 ? at : -at - 2;
  }

  /** Whether all edges are multiples of a width. */
  boolean fits(long bucket) {
    return Arrays.stream(edges).allMatch(edge -> edge % bucket == 0);
  }
}
