package io.peerlens.learning;

import io.peerlens.store.Level;
import java.time.Duration;
import java.time.Instant;

/**
 * Days in UTC for which bounds are learned, and the hours that they are learned from. A day is the
 * number of days since 1970, an hour that of hours.
 */
final class Days {

  static final int HOURS = 24;

  private static final Duration DAY = Duration.ofDays(1);

  private Days() {}

  static long day(Instant moment) {
    return Math.floorDiv(moment.getEpochSecond(), DAY.toSeconds());
  }

  static Instant start(long day) {
    return Instant.ofEpochSecond(day * DAY.toSeconds());
  }

  static long firstHour(long day) {
    return day * HOURS;
  }

  /** The hour that a moment lies in. */
  static long hour(long millis) {
    return Math.floorDiv(millis, Duration.ofHours(1).toMillis());
  }

  static long micros(long hour) {
    return hour * Level.ONE_HOUR.widthMicros();
  }

  /**
   * The hour before which a day is learned from: the start of the day before it, so that all hours
   * are there a day ahead and it does not matter when exactly bounds are computed.
   */
  static long learnedUntil(long day) {
    return firstHour(day - 1);
  }
}
