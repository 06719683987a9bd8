package io.peerlens.series;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * Grid of the steps that a window touches, in milliseconds since 1970. Steps are of one width, but
 * for days of a time zone, of which those when clocks change have 23 or 25 hours.
 *
 * @param edges start of each step, and the end of the last; at least two
 * @param width of each step; 0 = they differ
 */
record Grid(long[] edges, long width) {

  /** A Monday, at which steps of whole weeks start in a time zone. */
  private static final LocalDate MONDAY = LocalDate.of(1969, 12, 29);

  /** Steps that start at multiples of the step since 1970 UTC. */
  static Grid even(long from, long to, long step) {
    long first = Math.floorDiv(from, step);
    int steps = Math.toIntExact(Math.ceilDiv(to, step) - first);
    long[] edges = new long[steps + 1];
    for (int i = 0; i <= steps; i++) {
      edges[i] = (first + i) * step;
    }
    return new Grid(edges, step);
  }

  /** Steps of so many days of a zone, each from midnight; those of whole weeks start on Mondays. */
  static Grid days(long from, long to, int days, ZoneId zone) {
    LocalDate first = day(from, zone);
    long back = Math.floorMod(first.toEpochDay() - MONDAY.toEpochDay(), (long) days);
    LocalDate start = first.minusDays(back);
    long last = day(to - 1, zone).toEpochDay();
    int steps = Math.toIntExact(Math.floorDiv(last - start.toEpochDay(), days) + 1);
    long[] edges = new long[steps + 1];
    for (int i = 0; i <= steps; i++) {
      edges[i] = start.plusDays((long) i * days).atStartOfDay(zone).toInstant().toEpochMilli();
    }
    return new Grid(edges, 0);
  }

  private static LocalDate day(long millis, ZoneId zone) {
    return Instant.ofEpochMilli(millis).atZone(zone).toLocalDate();
  }

  int steps() {
    return edges.length - 1;
  }

  long from() {
    return edges[0];
  }

  long to() {
    return edges[edges.length - 1];
  }

  /** Start of each step. */
  long[] times() {
    return Arrays.copyOf(edges, steps());
  }

  /** Which step a moment of the window lies in. */
  int of(long millis) {
    if (width > 0) {
      return (int) ((millis - from()) / width);
    }
    int at = Arrays.binarySearch(edges, millis);
    return at >= 0 ? at : -at - 2;
  }

  /** Whether all steps start and end at multiples of a width. */
  boolean fits(long bucket) {
    return Arrays.stream(edges).allMatch(edge -> edge % bucket == 0);
  }
}
