package io.peerlens.maintenance;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Times at which a maintenance window is active. */
sealed interface Schedule {

  /** The present occurrence at a moment, or else the next one; null = there is none any more. */
  @Nullable Span nextAt(Instant moment);

  /** Whether it is active at a moment. */
  default boolean isActive(Instant moment) {
    Span span = nextAt(moment);
    return span != null && span.contains(moment);
  }

  /** Once. */
  record OneOff(Span span) implements Schedule {
    @Override
    public @Nullable Span nextAt(Instant moment) {
      return moment.isBefore(span.to()) ? span : null;
    }
  }

  /**
   * On some days of the week. It begins at a clock time and lasts as long as it says, also where
   * the clocks change meanwhile.
   *
   * @param days on which it begins
   * @param duration at most a week
   * @param from first day, in the zone; null = always
   * @param until last day on which it begins; null = for ever
   */
  record Weekly(
      Set<DayOfWeek> days,
      LocalTime start,
      Duration duration,
      ZoneId zone,
      @Nullable LocalDate from,
      @Nullable LocalDate until)
      implements Schedule {

    /** The longest stay: an occurrence of a week ago may still go on. */
    static final Duration LONGEST = Duration.ofDays(7);

    public Weekly {
      days = Set.copyOf(days);
    }

    @Override
    public @Nullable Span nextAt(Instant moment) {
      LocalDate day = moment.minus(duration).atZone(zone).toLocalDate().minusDays(1);
      if (from != null && day.isBefore(from)) {
        day = from;
      }
      // A week and a day over finds every day of the week once, whatever clocks do.
      LocalDate last = day.plusDays(LONGEST.toDays() * 2 + 3);
      for (; !day.isAfter(last); day = day.plusDays(1)) {
        if (until != null && day.isAfter(until)) {
          return null;
        }
        if (days.contains(day.getDayOfWeek())) {
          Instant from = ClockTime.on(day, start, zone);
          Span span = new Span(from, from.plus(duration));
          if (moment.isBefore(span.to())) {
            return span;
          }
        }
      }
      return null;
    }
  }
}
