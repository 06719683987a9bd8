package io.peerlens.sizing;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.Set;

/**
 * Hours in which people work with a system.
 *
 * @param days of the week, at least one
 * @param from first minute, in local time
 * @param to first minute after; midnight = until the end of the day. Before {@code from} = it ends
 *     on the next day
 */
public record BusinessHours(Set<DayOfWeek> days, LocalTime from, LocalTime to) {

  /** Monday to Friday from 8 to 18 h. */
  public static final BusinessHours USUAL =
      new BusinessHours(
          EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY),
          LocalTime.of(8, 0),
          LocalTime.of(18, 0));

  /** All hours of all days: no hour is more important than another. */
  public static final BusinessHours ALWAYS =
      new BusinessHours(EnumSet.allOf(DayOfWeek.class), LocalTime.MIN, LocalTime.MIN);

  /**
   * Business hours.
   *
   * @throws IllegalArgumentException no day is given
   */
  public BusinessHours {
    if (days.isEmpty()) {
      throw new IllegalArgumentException("Business hours have no day. Name at least one.");
    }
    days = Set.copyOf(days);
  }

  /** Whether a moment of the week is among them. */
  public boolean holds(DayOfWeek day, LocalTime time) {
    if (from.equals(to)) {
      return days.contains(day);
    }
    if (to.equals(LocalTime.MIN) || from.isBefore(to)) {
      return days.contains(day)
          && !time.isBefore(from)
          && (to.equals(LocalTime.MIN) || time.isBefore(to));
    }
    return (days.contains(day) && !time.isBefore(from))
        || (days.contains(day.minus(1)) && time.isBefore(to));
  }
}
