package io.peerlens.profile;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.EnumSet;
import java.util.Set;

/**
 * Business hours: days of the week and times of day in a time zone, with its daylight saving time.
 * A bucket belongs to them when its start does; so in zones that are half an hour off, an hour of
 * UTC belongs to the hour of the clock that it begins in.
 *
 * @param days on which they begin; not empty
 * @param from the first moment of a day
 * @param to the moment after the last; equal to or before {@code from} = on the next day, so that
 *     22 to 6 is the night after each of the days, and 0 to 0 whole days
 */
public record BusinessHours(Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) {

  public BusinessHours {
    if (days.isEmpty()) {
      throw new IllegalArgumentException("Business hours have no days: name at least one");
    }
    days = Set.copyOf(days);
  }

  /** Monday to Friday. */
  public static BusinessHours weekdays(LocalTime from, LocalTime to, ZoneId zone) {
    return new BusinessHours(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), from, to, zone);
  }

  /** Which buckets of a grid belong to them. */
  boolean[] mask(Grid grid) {
    boolean[] mask = new boolean[grid.count()];
    for (int i = 0; i < mask.length; i++) {
      ZonedDateTime at = grid.at(i).atZone(zone);
      mask[i] = holds(at.getDayOfWeek(), at.toLocalTime());
    }
    return mask;
  }

  /** Whether a moment of the week, as clocks of the zone show it, is among them. */
  public boolean holds(DayOfWeek day, LocalTime time) {
    if (from.isBefore(to)) {
      return days.contains(day) && !time.isBefore(from) && time.isBefore(to);
    }
    return !time.isBefore(from)
        ? days.contains(day)
        : time.isBefore(to) && days.contains(day.minus(1));
  }
}
