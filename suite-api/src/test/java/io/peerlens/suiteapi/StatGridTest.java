package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class StatGridTest {

  private static final long HOUR = 3_600_000;

  private static long at(String time) {
    return Instant.parse(time).toEpochMilli();
  }

  @Test
  void theIntervalsThatAWindowTouchesLieOnTheClock() {
    StatGrid grid = StatGrid.of(at("2026-11-20T10:20:00Z"), at("2026-11-20T12:10:00Z"), "hours", 1);
    assertThat(grid.edges())
        .containsExactly(
            at("2026-11-20T10:00:00Z"),
            at("2026-11-20T11:00:00Z"),
            at("2026-11-20T12:00:00Z"),
            at("2026-11-20T13:00:00Z"));
    assertThat(grid.size()).isEqualTo(3);
    assertThat(grid.fits(HOUR / 12)).isTrue();
    assertThat(grid.fits(HOUR * 24)).isFalse();
  }

  @Test
  void aValueOnAnEdgeBelongsToTheIntervalThatItEnds() {
    StatGrid grid = StatGrid.of(0, 3 * HOUR, "HOURS", 1);
    assertThat(grid.endingAt(HOUR * 1000)).isZero();
    assertThat(grid.endingAt(HOUR * 1000 + 1)).isOne();
    assertThat(grid.startingAt(HOUR * 1000)).isOne();
    assertThat(grid.startingAt(HOUR * 1000 - 1)).isZero();
  }

  @Test
  void weeksBeginOnMondaysAndMonthsWithTheirFirstDay() {
    StatGrid weeks =
        StatGrid.of(at("2026-11-26T08:00:00Z"), at("2026-11-27T08:00:00Z"), "WEEKS", 1);
    assertThat(weeks.edges())
        .containsExactly(at("2026-11-23T00:00:00Z"), at("2026-11-30T00:00:00Z"));
    StatGrid months =
        StatGrid.of(at("2026-01-15T00:00:00Z"), at("2026-03-02T00:00:00Z"), "MONTHS", 1);
    assertThat(months.edges())
        .containsExactly(
            at("2026-01-01T00:00:00Z"),
            at("2026-02-01T00:00:00Z"),
            at("2026-03-01T00:00:00Z"),
            at("2026-04-01T00:00:00Z"));
    assertThat(months.endingAt(at("2026-02-01T00:00:00Z") * 1000)).isZero();
    assertThat(months.startingAt(at("2026-02-01T00:00:00Z") * 1000)).isOne();
    StatGrid years =
        StatGrid.of(at("2025-06-01T00:00:00Z"), at("2026-06-01T00:00:00Z"), "YEARS", 2);
    assertThat(years.edges())
        .containsExactly(at("2025-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z"));
  }

  @Test
  void anEmptyWindowHasOneIntervalAndAMillionIsTheMost() {
    assertThat(StatGrid.of(HOUR, HOUR, "HOURS", 1).size()).isOne();
    assertThatThrownBy(() -> StatGrid.of(0, 1_000_001_000L, "SECONDS", 1))
        .isInstanceOf(SuiteException.class)
        .hasMessageContaining("1000001 intervals");
  }
}
