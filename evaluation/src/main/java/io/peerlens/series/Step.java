package io.peerlens.series;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Widths of steps, in milliseconds, and how they are written: {@code 20s}, {@code 5m}, {@code 1d}.
 */
public final class Step {
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  static final long DAY = 24 * HOUR;

  /** Widths that people like to read, in ascending order. */
  public static final List<Long> USUAL =
      List.of(
          SECOND,
          5 * SECOND,
          10 * SECOND,
          20 * SECOND,
          30 * SECOND,
          MINUTE,
          5 * MINUTE,
          10 * MINUTE,
          15 * MINUTE,
          30 * MINUTE,
          HOUR,
          2 * HOUR,
          6 * HOUR,
          12 * HOUR,
          DAY);

  private Step() {}

  /**
   * The smallest usual step that divides the window into few enough; whole days where even a day is
   * too fine.
   *
   * @param atLeast no finer than this, in milliseconds
   * @param multipleOf the step is a multiple of this, in milliseconds
   * @param maxSteps how many steps the window may have, at least 1
   */
  public static long fitting(
      long fromMillis, long toMillis, long atLeast, long multipleOf, long maxSteps) {
    for (long step : USUAL) {
      if (step >= atLeast
          && step % multipleOf == 0
          && count(fromMillis, toMillis, step) <= maxSteps) {
        return step;
      }
    }
    long days = Math.max(1, Math.ceilDiv(toMillis - fromMillis, DAY * maxSteps));
    while (count(fromMillis, toMillis, days * DAY) > maxSteps
        && days * DAY <= toMillis - fromMillis) {
      days++;
    }
    return days * DAY;
  }

  /** The smallest usual step that makes so few steps of the window; empty when none does. */
  static OptionalLong usual(long fromMillis, long toMillis, long maxSteps) {
    return USUAL.stream()
        .mapToLong(Long::longValue)
        .filter(step -> count(fromMillis, toMillis, step) <= maxSteps)
        .findFirst();
  }

  /** How many steps of the grid the window touches. */
  static long count(long fromMillis, long toMillis, long step) {
    return Math.ceilDiv(toMillis, step) - Math.floorDiv(fromMillis, step);
  }

  /** For instance {@code 90s} or {@code 2h}: the largest unit that leaves nothing over. */
  static String text(long millis) {
    if (millis % DAY == 0) {
      return millis / DAY + "d";
    }
    if (millis % HOUR == 0) {
      return millis / HOUR + "h";
    }
    if (millis % MINUTE == 0) {
      return millis / MINUTE + "m";
    }
    if (millis % SECOND == 0) {
      return millis / SECOND + "s";
    }
    return Duration.ofMillis(millis).toString();
  }
}
