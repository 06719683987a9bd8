package io.peerlens.talker.report;

import io.peerlens.maintenance.ClockTime;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Schedule of a report: some days of the week at a clock time.
 *
 * @param days at least one
 */
public record TalkerReportSchedule(Set<DayOfWeek> days, LocalTime time, ZoneId zone) {

  public TalkerReportSchedule {
    days = Set.copyOf(days);
  }

  /** The first moment after one. */
  public Instant next(Instant after) {
    LocalDate day = after.atZone(zone).toLocalDate();
    while (true) {
      if (days.contains(day.getDayOfWeek())) {
        Instant due = ClockTime.on(day, time, zone);
        if (due.isAfter(after)) {
          return due;
        }
      }
      day = day.plusDays(1);
    }
  }

  /**
   * What was due after a moment, up to another.
   *
   * @param most older ones are left out
   * @return oldest first
   */
  public List<Instant> due(Instant after, Instant until, int most) {
    Deque<Instant> due = new ArrayDeque<>();
    for (Instant at = next(after); !at.isAfter(until); at = next(at)) {
      due.addLast(at);
      if (due.size() > most) {
        due.removeFirst();
      }
    }
    return List.copyOf(due);
  }
}
