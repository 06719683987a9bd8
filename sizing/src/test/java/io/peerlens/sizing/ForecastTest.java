package io.peerlens.sizing;

import static io.peerlens.sizing.Traces.because;
import static io.peerlens.sizing.Traces.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.sizing.Amounts.Supply;
import io.peerlens.sizing.Forecast.Point;
import io.peerlens.sizing.Forecast.Trend;
import io.peerlens.sizing.Scenario.AddHosts;
import io.peerlens.sizing.Scenario.AddVms;
import io.peerlens.sizing.Scenario.Change;
import io.peerlens.sizing.Scenario.Grow;
import io.peerlens.sizing.Scenario.GrowPerYear;
import io.peerlens.sizing.Scenario.HostFailure;
import io.peerlens.sizing.Scenario.RemoveHosts;
import io.peerlens.sizing.Scenario.RemoveVms;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForecastTest {

  private static final LocalDate TODAY = LocalDate.of(2026, 11, 27);
  private static final Amounts HOST = new Amounts(100_000, 100, 0, 0);
  private static final Amounts VM = new Amounts(1000, 4, 0, 0);
  private static final Cluster THREE =
      new Cluster(List.of(HOST, HOST, HOST), Amounts.NONE, 1, Amounts.NONE);

  /** 200 GB are usable, 100 used, and each day takes 1. */
  private static final Map<Supply, Trend> LOAD =
      Map.of(Supply.CPU, Trend.flat(50_000), Supply.MEMORY, new Trend(100, 1, 0.8, 2));

  private static Forecast forecast(Change... changes) {
    return known(
        Forecast.compare(
                List.of(new Scenario("plan", List.of(changes))),
                THREE,
                LOAD,
                Collections.nCopies(8, VM),
                TODAY,
                7)
            .getFirst());
  }

  private static LocalDate in(int days) {
    return TODAY.plusDays(days);
  }

  private static Point at(Forecast forecast, int day) {
    return forecast.points().stream().filter(point -> point.day() == day).findFirst().orElseThrow();
  }

  @Test
  void growthGoesOnToTheLimitWithItsInterval() {
    Forecast it = forecast();
    assertThat(it.days()).isEqualTo(100);
    assertThat(it.earliest()).isEqualTo(50);
    assertThat(it.latest()).isEqualTo(125);
    assertThat(it.fullFirst()).isEqualTo(Supply.MEMORY);
    assertThat(it.reason())
        .isEqualTo(
            "100 days remain (from 50 to 125), then memory is full. Not known, and not judged: disk"
                + " space, IOPS.");
    assertThat(at(it, 0).vms()).isEqualTo(25);
    assertThat(at(it, 49).vms()).isEqualTo(12);
    assertThat(at(it, 49).least()).isZero();
    assertThat(at(it, 49).most()).isEqualTo(15);
    assertThat(at(it, 49).endsFirst()).isEqualTo(Supply.MEMORY);
  }

  @Test
  void aForecastBeginsWithWhatFitsToday() {
    Map<Supply, Trend> load =
        Map.of(
            Supply.CPU, new Trend(120_000, 0, 0, 0),
            Supply.MEMORY, new Trend(90, 0, 0, 0));
    List<Amounts> vms = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      vms.add(new Amounts(400 + 150 * (i % 7), 1 + i % 5 * 2.5, 0, 0));
    }
    VmsRemaining today =
        known(VmsRemaining.of(THREE, new Amounts(120_000, 90, Double.NaN, Double.NaN), vms, 7));
    Forecast it =
        known(
            Forecast.compare(
                    List.of(new Scenario("as it is", List.of())), THREE, load, vms, TODAY, 7)
                .getFirst());
    assertThat(it.points()).hasSizeGreaterThan(50);
    assertThat(it.points()).extracting(Point::vms).containsOnly(today.value());
    assertThat(today.value()).isPositive();
  }

  @Test
  void aFullClusterSaysSo() {
    VmsRemaining full =
        known(
            VmsRemaining.of(THREE, new Amounts(200_000, 90, 0, 0), Collections.nCopies(8, VM), 7));
    assertThat(full.value()).isZero();
    assertThat(full.reason())
        .startsWith("No further machine like the present ones fits: CPU has nothing left");
  }

  @Test
  void addedAndRemovedMachinesCountFromTheirDayOn() {
    assertThat(forecast(new AddVms(in(10), 5, VM)).days()).isEqualTo(80);
    assertThat(forecast(new AddVms(in(95), 5, VM)).days()).isEqualTo(95);
    assertThat(forecast(new AddVms(in(-5), 5, VM)).days()).isEqualTo(80);
    assertThat(forecast(new AddVms(in(10), 5, VM), new RemoveVms(in(20), 10, VM)).days())
        .isEqualTo(120);
    Forecast it = forecast(new AddVms(in(10), 5, VM));
    assertThat(at(it, 10).vms()).isEqualTo((200 - 110 - 20) / 4);
  }

  @Test
  void aFailureUsesUpWhatIsReservedForItAndASecondDoesNot() {
    assertThat(forecast(new HostFailure(in(5))).days()).isEqualTo(100);
    assertThat(forecast(new HostFailure(in(5)), new HostFailure(in(30))).days()).isEqualTo(30);
  }

  @Test
  void hostsComeAndGo() {
    assertThat(forecast(new AddHosts(in(60), 1, HOST)).days()).isEqualTo(200);
    assertThat(forecast(new AddHosts(in(101), 1, HOST)).days()).isEqualTo(100);
    assertThat(forecast(new RemoveHosts(in(3), 1)).days()).isEqualTo(3);
    assertThat(forecast(new RemoveHosts(in(3), 5)).days()).isEqualTo(3);
  }

  @Test
  void growthCanBePlanned() {
    assertThat(forecast(new Grow(in(0), 0.5)).days()).isEqualTo(34);
    // 73 % of 100 GB in a year are 0.2 a day.
    Forecast slow = forecast(new GrowPerYear(in(50), 0.73));
    assertThat(slow.days()).isEqualTo(300);
    assertThat(forecast(new GrowPerYear(in(0), 0)).fullFirst()).isNull();
  }

  @Test
  void whatIsNotCertainIsNoGrowthAndNoDeclineIsCountedOn() {
    Map<Supply, Trend> load =
        Map.of(Supply.MEMORY, new Trend(100, 0.2, -1, 4), Supply.CPU, new Trend(1, -5, -9, -1));
    Forecast it =
        known(
            Forecast.compare(
                    List.of(new Scenario("as it is", List.of())),
                    THREE,
                    load,
                    Collections.nCopies(8, VM),
                    TODAY,
                    7)
                .getFirst());
    assertThat(it.days()).isEqualTo(366);
    assertThat(it.fullFirst()).isNull();
    assertThat(it.earliest()).isEqualTo(25);
    assertThat(it.reason()).contains("more than a year", "25 days");
    assertThat(at(it, 357).vms()).isEqualTo(25);
  }

  @Test
  void plansStandSideBySideWithoutTouchingEachOther() {
    List<Answer<Forecast>> both =
        Forecast.compare(
            List.of(
                new Scenario("grow", List.of(new AddVms(in(1), 10, VM))),
                new Scenario("as it is", List.of())),
            THREE,
            LOAD,
            Collections.nCopies(8, VM),
            TODAY,
            7);
    assertThat(both).extracting(answer -> known(answer).days()).containsExactly(60.0, 100.0);
  }

  @Test
  void withoutALoadThereIsNoForecast() {
    assertThat(
            because(
                Forecast.compare(
                        List.of(new Scenario("x", List.of())), THREE, Map.of(), List.of(), TODAY, 7)
                    .getFirst()))
        .contains("Of no supply");
  }

  @Test
  void withoutMachinesOnlyTheirNumberIsNotKnown() {
    Forecast it =
        known(
            Forecast.compare(
                    List.of(new Scenario("x", List.of())), THREE, LOAD, List.of(), TODAY, 7)
                .getFirst());
    assertThat(it.days()).isEqualTo(100);
    assertThat(at(it, 0).vms()).isEqualTo(-1);
    assertThat(at(it, 0).endsFirst()).isNull();
  }

  @Test
  void absurdChangesAreRefused() {
    assertThatThrownBy(() -> new AddVms(TODAY, 0, VM)).hasMessageContaining("opposite change");
    assertThatThrownBy(() -> new AddVms(TODAY, 1, new Amounts(1, 1, Double.NaN, 1)))
        .hasMessageContaining("disk space of a machine is not known");
    assertThatThrownBy(() -> new Grow(TODAY, -2)).hasMessageContaining("0.2 for 20 %");
    assertThatThrownBy(
            () ->
                new Scenario(
                    "x", Collections.nCopies(Scenario.MOST_CHANGES + 1, new HostFailure(TODAY))))
        .hasMessageContaining("Join equal ones");
  }
}
