package io.peerlens.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.profile.BusinessHours;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class GridTest {

  private static final int DAY = 24;

  private static Grid hourly(String from, int hours) {
    return new Grid(Instant.parse(from).getEpochSecond(), 3600, hours, Traces.HOURS);
  }

  @Test
  void aDayHasTheHoursThatTheClockGaveIt() {
    Grid spring = hourly("2026-03-29T00:00:00+01:00", 23);
    Grid autumn = hourly("2026-10-25T00:00:00+02:00", 25);
    assertThat(spring.days()).isEqualTo(1);
    assertThat(autumn.days()).isEqualTo(1);
    assertThat(autumn.hours()).isEqualTo(25);
    assertThat(autumn.hourOfWeek(2)).isEqualTo(6 * 24 + 2);
    assertThat(autumn.hourOfWeek(3)).isEqualTo(6 * 24 + 2);
    assertThat(spring.hourOfWeek(2)).isEqualTo(6 * 24 + 3);
  }

  @Test
  void hoursOfAZoneWithHalfAnHourAreItsOwn() {
    Grid grid =
        new Grid(
            Instant.parse("2026-06-01T00:00:00+05:30").getEpochSecond(),
            900,
            96,
            Traces.hours(ZoneId.of("Asia/Kolkata")));
    assertThat(grid.hours()).isEqualTo(24);
    assertThat(grid.hourOfWeek(0)).isZero();
    assertThat(grid.hour(3)).isZero();
    assertThat(grid.hour(4)).isEqualTo(1);
  }

  @Test
  void businessHoursAreThoseOfTheZone() {
    Grid grid = hourly("2026-06-01T00:00:00+02:00", 7 * DAY);
    assertThat(grid.business(7)).isFalse();
    assertThat(grid.business(8)).isTrue();
    assertThat(grid.business(17)).isTrue();
    assertThat(grid.business(18)).isFalse();
    assertThat(grid.business(5 * DAY + 12)).isFalse();
    assertThat(grid.businessShare()).isEqualTo(50.0 / 168);
  }

  @Test
  void businessHoursOfANightShiftEndOnTheNextDay() {
    BusinessHours night =
        new BusinessHours(
            EnumSet.of(DayOfWeek.FRIDAY), LocalTime.of(22, 0), LocalTime.of(6, 0), Traces.ZONE);
    assertThat(night.holds(DayOfWeek.FRIDAY, LocalTime.of(23, 0))).isTrue();
    assertThat(night.holds(DayOfWeek.SATURDAY, LocalTime.of(5, 59))).isTrue();
    assertThat(night.holds(DayOfWeek.SATURDAY, LocalTime.of(6, 0))).isFalse();
    assertThat(night.holds(DayOfWeek.FRIDAY, LocalTime.of(3, 0))).isFalse();
  }

  @Test
  void anHourIsTheMeanOfItsValuesAndNothingWithoutOne() {
    Grid grid = Traces.grid(1);
    double[] column = new double[grid.length()];
    java.util.Arrays.fill(column, Double.NaN);
    column[0] = 1;
    column[11] = 3;
    double[] hourly = grid.hourly(column);
    assertThat(hourly[0]).isEqualTo(2);
    assertThat(hourly[1]).isNaN();
  }

  @Test
  void badGridsAndColumnsAreRefusedWithWhatToDo() {
    assertThatThrownBy(() -> new Grid(0, 7, 10, Traces.HOURS))
        .hasMessageContaining("7 s does not divide an hour");
    assertThatThrownBy(() -> new Grid(0, 300, Grid.MOST + 1, Traces.HOURS))
        .hasMessageContaining("shorter period");
    assertThatThrownBy(() -> new Grid(10, 300, 10, Traces.HOURS))
        .hasMessageContaining("no multiple");
    assertThatThrownBy(() -> Traces.GRID.checked(new double[3], "CPU"))
        .hasMessageContaining("CPU has 3 values");
    double[] negative = Traces.all(1);
    negative[5] = -1;
    assertThatThrownBy(() -> Traces.GRID.checked(negative, "CPU"))
        .hasMessageContaining("-1.0 at step 5");
  }
}
