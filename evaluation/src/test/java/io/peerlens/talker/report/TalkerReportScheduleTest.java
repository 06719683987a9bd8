package io.peerlens.talker.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TalkerReportScheduleTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Set<DayOfWeek> DAILY = EnumSet.allOf(DayOfWeek.class);

  private static TalkerReportSchedule daily(String time, ZoneId zone) {
    return new TalkerReportSchedule(DAILY, LocalTime.parse(time), zone);
  }

  private static Instant at(String text) {
    return Instant.parse(text);
  }

  @Test
  void aReportIsDueOnItsDaysAtItsClockTime() {
    TalkerReportSchedule mondays =
        new TalkerReportSchedule(Set.of(DayOfWeek.MONDAY), LocalTime.of(7, 0), BERLIN);

    // 21 November 2026 is a Saturday.
    assertThat(mondays.next(at("2026-11-21T12:00:00Z"))).isEqualTo(at("2026-11-23T06:00:00Z"));
    assertThat(mondays.next(at("2026-11-23T05:59:59Z"))).isEqualTo(at("2026-11-23T06:00:00Z"));
    assertThat(mondays.next(at("2026-11-23T06:00:00Z"))).isEqualTo(at("2026-11-30T06:00:00Z"));
  }

  @Test
  void theDayIsThatOfTheZone() {
    TalkerReportSchedule mondays =
        new TalkerReportSchedule(
            Set.of(DayOfWeek.MONDAY), LocalTime.of(0, 30), ZoneId.of("Pacific/Auckland"));

    assertThat(mondays.next(at("2026-11-21T12:00:00Z"))).isEqualTo(at("2026-11-22T11:30:00Z"));
  }

  @Test
  void theClockTimeStaysWhenTheClocksChange() {
    TalkerReportSchedule seven = daily("07:00", BERLIN);

    assertThat(seven.due(at("2026-10-24T00:00:00Z"), at("2026-10-26T12:00:00Z"), 10))
        .containsExactly(
            at("2026-10-24T05:00:00Z"), at("2026-10-25T06:00:00Z"), at("2026-10-26T06:00:00Z"));
    assertThat(seven.due(at("2026-03-28T00:00:00Z"), at("2026-03-30T12:00:00Z"), 10))
        .containsExactly(
            at("2026-03-28T06:00:00Z"), at("2026-03-29T05:00:00Z"), at("2026-03-30T05:00:00Z"));
  }

  @Test
  void aSkippedClockTimeIsDueAtTheClockChange() {
    TalkerReportSchedule halfPastTwo = daily("02:30", BERLIN);

    assertThat(halfPastTwo.due(at("2026-03-28T12:00:00Z"), at("2026-03-30T12:00:00Z"), 10))
        .containsExactly(at("2026-03-29T01:00:00Z"), at("2026-03-30T00:30:00Z"));
  }

  @Test
  void aRepeatedClockTimeIsDueOnce() {
    TalkerReportSchedule halfPastTwo = daily("02:30", BERLIN);

    assertThat(halfPastTwo.due(at("2026-10-24T12:00:00Z"), at("2026-10-26T12:00:00Z"), 10))
        .containsExactly(at("2026-10-25T00:30:00Z"), at("2026-10-26T01:30:00Z"));
  }

  @Test
  void aReportIsDueOnceADayInEveryZoneAndSeason() {
    for (String zone :
        List.of(
            "UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Tehran")) {
      ZoneId of = ZoneId.of(zone);
      for (String time : List.of("00:00", "00:30", "01:59", "02:00", "02:30", "23:59")) {
        Instant from = at("2016-01-01T12:00:00Z");
        Instant to = at("2026-01-01T12:00:00Z");
        List<Instant> due = daily(time, of).due(from, to, Integer.MAX_VALUE);

        assertThat(due).as("%s %s", zone, time).isSorted().doesNotHaveDuplicates();
        assertThat(due.stream().map(moment -> moment.atZone(of).toLocalDate()).distinct().count())
            .as("%s %s", zone, time)
            .isEqualTo(due.size())
            .isEqualTo(Duration.between(from, to).toDays());
        assertThat(due)
            .as("%s %s: at the time, or when a gap ends", zone, time)
            .allSatisfy(
                moment -> {
                  ZonedDateTime local = moment.atZone(of);
                  if (!local.toLocalTime().equals(LocalTime.parse(time))) {
                    assertThat(
                            of.getRules()
                                .getTransition(local.toLocalDate().atTime(LocalTime.parse(time))))
                        .matches(change -> change != null && change.isGap());
                  }
                });
      }
    }
  }

  @Test
  void ofManyThatWereDueOnlyTheNewestAreKept() {
    assertThat(
            daily("07:00", BERLIN).due(at("2026-01-01T00:00:00Z"), at("2026-11-21T12:00:00Z"), 2))
        .containsExactly(at("2026-11-20T06:00:00Z"), at("2026-11-21T06:00:00Z"));
    assertThat(
            daily("07:00", BERLIN).due(at("2026-11-21T06:00:00Z"), at("2026-11-21T12:00:00Z"), 2))
        .isEmpty();
  }
}
