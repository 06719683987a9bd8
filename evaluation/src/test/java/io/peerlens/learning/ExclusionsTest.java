package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.learning.Exclusions.Trouble;
import io.peerlens.learning.HourCells.Window;
import io.peerlens.maintenance.MaintenanceWindows.Occurrences;
import io.peerlens.maintenance.Span;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExclusionsTest {

  private static final Instant BEGIN = Instant.parse("2026-11-02T00:00:00Z");
  private static final long FIRST = BEGIN.getEpochSecond() / 3600;
  private static final int HOURS = 10 * 24;
  private static final MetricGroup NET =
      new MetricGroup(1, new ObjectKind("VMWARE", "HostSystem"), "net", List.of("in", "out"));

  // Two network cards of one host, and the aggregate of another.
  private static final SetRange RANGE =
      new SetRange(
          NET,
          new int[] {5, 6, 9},
          new int[] {1, 1, 2},
          new String[] {"vmnic0", "vmnic1", ""},
          0,
          2);

  private static Instant hour(double hour) {
    return BEGIN.plusSeconds((long) (hour * 3600));
  }

  /** Hours that are left of a series in which every hour has a value. */
  private static int[] left(
      int set, int metric, List<Trouble> troubles, List<Occurrences> windows) {
    HourCells cells = new HourCells(RANGE, FIRST, HOURS);
    for (int hour = 0; hour < HOURS; hour++) {
      cells.put(set, metric, hour, 1, 2, 3);
    }
    new Exclusions(NET, troubles, windows, hour(HOURS)).apply(cells);
    Window window = new Window(HOURS);
    cells.copy(set, metric, FIRST, window);
    return IntStream.range(0, HOURS)
        .filter(i -> !Float.isNaN(window.min()[i]) && !Float.isNaN(window.max()[i]))
        .toArray();
  }

  private static int[] hoursWithout(int from, int to) {
    return IntStream.range(0, HOURS).filter(i -> i < from || i >= to).toArray();
  }

  @Test
  void everyHourOfAnAlertIsExcludedForItsMetricAlone() {
    List<Trouble> one = List.of(new Trouble(1, "net:vmnic1|out", hour(20.5), hour(23.1)));
    assertThat(left(1, 1, one, List.of())).isEqualTo(hoursWithout(20, 24));
    assertThat(left(1, 0, one, List.of())).hasSize(HOURS);
    assertThat(left(0, 1, one, List.of())).hasSize(HOURS);
    assertThat(left(2, 1, one, List.of())).hasSize(HOURS);
    List<Trouble> aggregate = List.of(new Trouble(2, "net|out", hour(0), hour(1)));
    assertThat(left(2, 1, aggregate, List.of())).isEqualTo(hoursWithout(0, 1));
  }

  @Test
  void alertsOfOtherMetricsAndHoursExcludeNothing() {
    List<Trouble> others =
        List.of(
            new Trouble(2, "cpu|out", hour(0), hour(9)),
            new Trouble(2, "net|dropped", hour(0), hour(9)),
            new Trouble(2, "net|out", hour(-30), hour(-1)),
            new Trouble(2, "net|out", hour(HOURS), hour(HOURS + 1)));
    assertThat(left(2, 1, others, List.of())).hasSize(HOURS);
  }

  @Test
  void anAlertThatLastsLongerThanADayExcludesNothing() {
    List<Trouble> day = List.of(new Trouble(2, "net|out", hour(24), hour(48)));
    assertThat(left(2, 1, day, List.of())).isEqualTo(hoursWithout(24, 48));
    List<Trouble> more = List.of(new Trouble(2, "net|out", hour(24), hour(48.1)));
    assertThat(left(2, 1, more, List.of())).hasSize(HOURS);
  }

  @Test
  void alertsThatComeBackWithinADayForLongerThanTwoExcludeNothing() {
    Trouble first = new Trouble(2, "net|out", hour(33), hour(40));
    Trouble second = new Trouble(2, "net|out", hour(57), hour(64));
    Trouble third = new Trouble(2, "net|out", hour(80), hour(88));
    assertThat(left(2, 1, List.of(second, first), List.of())).hasSize(HOURS - 14);
    assertThat(left(2, 1, List.of(second, third, first), List.of())).hasSize(HOURS);
    Trouble elsewhere = new Trouble(2, "net|in", hour(57), hour(64));
    assertThat(left(2, 1, List.of(first, elsewhere, third), List.of())).hasSize(HOURS - 15);
  }

  @Test
  void alertsMoreThanADayApartAreEachExcluded() {
    List<Trouble> apart =
        List.of(
            new Trouble(2, "net|out", hour(10), hour(12)),
            new Trouble(2, "net|out", hour(37), hour(39)),
            new Trouble(2, "net|out", hour(64), hour(66)));
    assertThat(left(2, 1, apart, List.of())).hasSize(HOURS - 6);
  }

  @Test
  void anOpenAlertIsAsLongAsWhatIsLearnedFrom() {
    List<Trouble> since = List.of(new Trouble(2, "net|out", hour(HOURS - 24), null));
    assertThat(left(2, 1, since, List.of())).isEqualTo(hoursWithout(HOURS - 24, HOURS));
    List<Trouble> older = List.of(new Trouble(2, "net|out", hour(HOURS - 25), null));
    assertThat(left(2, 1, older, List.of())).hasSize(HOURS);
  }

  @Test
  void maintenanceLeavesOutAllMetricsOfTheObject() {
    Occurrences window =
        new Occurrences(
            List.of(new Span(hour(-5), hour(2)), new Span(hour(30), hour(30.25))), id -> id == 1);
    for (int set = 0; set < 2; set++) {
      for (int metric = 0; metric < 2; metric++) {
        assertThat(left(set, metric, List.of(), List.of(window)))
            .hasSize(HOURS - 3)
            .doesNotContain(0, 1, 30);
      }
    }
    assertThat(left(2, 0, List.of(), List.of(window))).hasSize(HOURS);
  }
}
