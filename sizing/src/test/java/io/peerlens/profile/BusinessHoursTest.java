package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.profile.Grid.Bucket;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BusinessHoursTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static List<Instant> within(BusinessHours hours, Grid grid) {
    boolean[] mask = hours.mask(grid);
    return IntStream.range(0, mask.length).filter(i -> mask[i]).mapToObj(grid::at).toList();
  }

  @Test
  void theyFollowDaylightSavingTime() {
    BusinessHours hours = BusinessHours.weekdays(LocalTime.of(8, 0), LocalTime.of(10, 0), BERLIN);
    // Friday before and Monday after the clocks went forward on 30 March 2025.
    Grid grid = new Grid(Instant.parse("2025-03-28T00:00:00Z"), Bucket.HOUR, 96);
    assertThat(within(hours, grid))
        .containsExactly(
            Instant.parse("2025-03-28T07:00:00Z"),
            Instant.parse("2025-03-28T08:00:00Z"),
            Instant.parse("2025-03-31T06:00:00Z"),
            Instant.parse("2025-03-31T07:00:00Z"));
  }

  @Test
  void aNightBelongsToTheDayOnWhichItBegins() {
    BusinessHours nights =
        new BusinessHours(
            EnumSet.of(DayOfWeek.FRIDAY), LocalTime.of(23, 0), LocalTime.of(1, 0), ZoneId.of("Z"));
    Grid grid = new Grid(Instant.parse("2025-03-28T00:00:00Z"), Bucket.HOUR, 72);
    assertThat(within(nights, grid))
        .containsExactly(
            Instant.parse("2025-03-28T23:00:00Z"), Instant.parse("2025-03-29T00:00:00Z"));
  }

  @Test
  void fromMidnightToMidnightIsTheWholeDay() {
    BusinessHours days =
        BusinessHours.weekdays(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneId.of("Asia/Kolkata"));
    Grid grid = new Grid(Instant.parse("2025-03-28T00:00:00Z"), Bucket.HOUR, 96);
    // Until Friday 18:30 UTC, and from Sunday 18:30 UTC on: hours count by their start.
    assertThat(within(days, grid)).hasSize(19 + 29);
  }

  @Test
  void withoutDaysTheyAreRefused() {
    assertThatThrownBy(
            () -> new BusinessHours(Set.of(), LocalTime.NOON, LocalTime.MIDNIGHT, BERLIN))
        .hasMessageContaining("no days");
  }
}
