package io.peerlens.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.maintenance.Schedule.OneOff;
import io.peerlens.maintenance.Schedule.Weekly;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void aSingleWindowIsActiveFromItsStartToItsEnd() {
    OneOff once = new OneOff(span("2026-11-20T22:00:00Z", "2026-11-21T02:00:00Z"));

    assertThat(once.isActive(Instant.parse("2026-11-20T21:59:59Z"))).isFalse();
    assertThat(once.isActive(Instant.parse("2026-11-20T22:00:00Z"))).isTrue();
    assertThat(once.isActive(Instant.parse("2026-11-21T01:59:59Z"))).isTrue();
    assertThat(once.isActive(Instant.parse("2026-11-21T02:00:00Z"))).isFalse();
    assertThat(once.nextAt(Instant.parse("2026-11-21T02:00:00Z"))).isNull();
  }

  @Test
  void aWeeklyWindowContinuesPastMidnight() {
    Weekly saturday = weekly(Set.of(DayOfWeek.SATURDAY), "22:00", Duration.ofHours(4));

    // Saturday is the 21st; Berlin is an hour ahead in winter
    assertThat(next(saturday, "2026-11-20T12:00:00Z"))
        .isEqualTo(span("2026-11-21T21:00:00Z", "2026-11-22T01:00:00Z"));
    assertThat(saturday.isActive(Instant.parse("2026-11-22T00:59:00Z"))).isTrue();
    assertThat(next(saturday, "2026-11-22T01:00:00Z"))
        .isEqualTo(span("2026-11-28T21:00:00Z", "2026-11-29T01:00:00Z"));
  }

  @Test
  void aWindowKeepsItsClockTimeWhenTheClocksChange() {
    Weekly daily = weekly(EnumSet.allOf(DayOfWeek.class), "22:00", Duration.ofHours(2));

    assertThat(next(daily, "2026-03-28T12:00:00Z").from())
        .isEqualTo(Instant.parse("2026-03-28T21:00:00Z"));
    assertThat(next(daily, "2026-03-29T12:00:00Z").from())
        .isEqualTo(Instant.parse("2026-03-29T20:00:00Z"));
  }

  @Test
  void aSkippedClockTimeStartsAtTheClockChange() {
    // In the night to 29 March 2026 clocks go from 2 to 3.
    Weekly sunday = weekly(Set.of(DayOfWeek.SUNDAY), "02:30", Duration.ofHours(1));

    assertThat(next(sunday, "2026-03-28T12:00:00Z"))
        .isEqualTo(span("2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"));
  }

  @Test
  void theFirstOfARepeatedClockTimeCountsAndTheDurationStays() {
    // In the night to 25 October 2026 clocks go from 3 back to 2.
    Weekly sunday = weekly(Set.of(DayOfWeek.SUNDAY), "02:30", Duration.ofHours(2));

    assertThat(next(sunday, "2026-10-24T12:00:00Z"))
        .isEqualTo(span("2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"));
    assertThat(sunday.isActive(Instant.parse("2026-10-25T01:30:00Z"))).isTrue();
  }

  @Test
  void aWindowMayLastAWholeWeek() {
    Weekly monday = weekly(Set.of(DayOfWeek.MONDAY), "00:00", Duration.ofDays(7));

    assertThat(monday.isActive(Instant.parse("2026-11-21T08:00:00Z"))).isTrue();
    assertThat(monday.isActive(Instant.parse("2026-11-22T22:59:00Z"))).isTrue();
  }

  @Test
  void aWindowStartsOnItsDaysFromTheFirstToTheLast() {
    Weekly some =
        new Weekly(
            EnumSet.allOf(DayOfWeek.class),
            LocalTime.parse("08:00"),
            Duration.ofHours(1),
            ZoneId.of("UTC"),
            LocalDate.parse("2026-12-24"),
            LocalDate.parse("2026-12-25"));

    assertThat(next(some, "2026-11-20T12:00:00Z").from())
        .isEqualTo(Instant.parse("2026-12-24T08:00:00Z"));
    assertThat(next(some, "2026-12-24T09:00:00Z").from())
        .isEqualTo(Instant.parse("2026-12-25T08:00:00Z"));
    assertThat(some.nextAt(Instant.parse("2026-12-25T09:00:00Z"))).isNull();
  }

  @Test
  void everyMinuteOfTwoYearsAgreesWithLocalTime() {
    Weekly nights =
        weekly(Set.of(DayOfWeek.FRIDAY, DayOfWeek.SUNDAY), "23:15", Duration.ofMinutes(90));
    Instant end = Instant.parse("2028-01-01T00:00:00Z");
    for (Instant at = Instant.parse("2026-01-01T00:00:00Z");
        at.isBefore(end);
        at = at.plusSeconds(60 * 13)) {
      var wall = at.atZone(BERLIN);
      int minute = wall.getHour() * 60 + wall.getMinute();
      boolean evening = minute >= 23 * 60 + 15 && nights.days().contains(wall.getDayOfWeek());
      boolean morning = minute < 45 && nights.days().contains(wall.getDayOfWeek().minus(1));
      assertThat(nights.isActive(at)).as("%s", wall).isEqualTo(evening || morning);
    }
  }

  private static Weekly weekly(Set<DayOfWeek> days, String start, Duration duration) {
    return new Weekly(days, LocalTime.parse(start), duration, BERLIN, null, null);
  }

  private static Span next(Schedule schedule, String moment) {
    @Nullable Span span = schedule.nextAt(Instant.parse(moment));
    assertThat(span).isNotNull();
    return java.util.Objects.requireNonNull(span);
  }

  private static Span span(String from, String to) {
    return new Span(Instant.parse(from), Instant.parse(to));
  }
}
