package io.peerlens.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.job.Progress;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.RollUps;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SetPart;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sample every quarter of an hour, over the week in which clocks change in Europe. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeriesGridIT {

  private static final Instant START = Instant.parse("2026-10-22T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofDays(7));
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final Duration DAY = Duration.ofDays(1);

  private SampleData data;
  private SeriesService service;
  private UUID vm;

  @BeforeAll
  void fill() {
    data = SampleData.create();
    int set =
        data.set(
            data.object("VMWARE", "VirtualMachine", "vm"),
            data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage")),
            "");
    vm = SampleData.uuid("VirtualMachine", "vm");
    int value = 0;
    for (Instant time = START; time.isBefore(END); time = time.plus(QUARTER)) {
      data.sample(time, set, value++);
    }
    SampleReader reader = new SampleReader(data.dataSource());
    new RollUps(data.dataSource(), reader, Duration.ofMinutes(10), Duration.ZERO, SetPart.WHOLE)
        .run(END, Progress.NONE);
    service =
        new SeriesService(
            new SeriesStore(data.jdbc()),
            new LevelStates(data.jdbc()),
            reader,
            new SeriesProperties(1_000_000));
  }

  @AfterEach
  void keepsAll() {
    data.sql("update level_state set kept_from = '-infinity'");
  }

  @AfterAll
  void close() {
    data.close();
  }

  private SeriesAnswer sums(Instant from, Instant to, Duration step, @Nullable ZoneId zone) {
    return service.query(
        new SeriesRequest(
            List.of(vm),
            List.of(MetricKey.parse("cpu|usage")),
            from,
            to,
            step,
            Aggregation.SUM,
            1000,
            false,
            zone,
            null));
  }

  private static double sum(Instant from, Instant to) {
    double sum = 0;
    int value = 0;
    for (Instant time = START; time.isBefore(END); time = time.plus(QUARTER)) {
      sum += time.isBefore(from) || !time.isBefore(to) ? 0 : value;
      value++;
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "UTC"})
  void daysAreThoseOfTheZone(String name) {
    ZoneId zone = ZoneId.of(name);
    LocalDate first = LocalDate.of(2026, 10, 23);
    LocalDate last = LocalDate.of(2026, 10, 27);

    SeriesAnswer answer =
        sums(
            first.atStartOfDay(zone).toInstant().plusSeconds(7),
            last.plusDays(1).atStartOfDay(zone).toInstant(),
            DAY,
            zone);

    List<Long> begins = new ArrayList<>();
    List<Double> sums = new ArrayList<>();
    for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
      Instant begin = day.atStartOfDay(zone).toInstant();
      begins.add(begin.toEpochMilli());
      sums.add(sum(begin, day.plusDays(1).atStartOfDay(zone).toInstant()));
    }
    assertThat(answer.times()).containsExactly(begins.stream().mapToLong(l -> l).toArray());
    assertThat(answer.lines().getFirst().values())
        .containsExactly(sums.stream().mapToDouble(d -> d).toArray());
    assertThat(answer.step()).isEqualTo(DAY.toMillis());
  }

  @Test
  void theDayOnWhichClocksGoBackHasAnHourMore() {
    SeriesAnswer answer =
        sums(
            Instant.parse("2026-10-24T22:00:00Z"),
            Instant.parse("2026-10-25T23:00:00Z"),
            DAY,
            ZoneId.of("Europe/Berlin"));

    assertThat(answer.times()).hasSize(1);
    assertThat(answer.to() - answer.from()).isEqualTo(Duration.ofHours(25).toMillis());
    assertThat(answer.level()).isEqualTo(Level.ONE_HOUR);
  }

  @Test
  void weeksOfAZoneStartOnMonday() {
    SeriesAnswer answer = sums(START, END, Duration.ofDays(7), ZoneId.of("Europe/Berlin"));

    assertThat(answer.times())
        .containsExactly(
            Instant.parse("2026-10-18T22:00:00Z").toEpochMilli(),
            Instant.parse("2026-10-25T23:00:00Z").toEpochMilli());
  }

  @Test
  void aStepFinerThanWhatIsKeptBecomesAsWideAsThat() {
    data.sql("update level_state set kept_from = '2026-10-24T00:00:00Z' where level = 'raw'");
    Instant from = Instant.parse("2026-10-23T00:00:00Z");

    SeriesAnswer fine = sums(from, from.plus(DAY), Duration.ofMinutes(1), null);

    assertThat(fine.step()).isEqualTo(Duration.ofMinutes(5).toMillis());
    assertThat(fine.level()).isEqualTo(Level.FIVE_MINUTES);
    assertThat(fine.times()).hasSize(288);
    assertThat(sums(from, from.plus(DAY), Duration.ofMinutes(15), null).lines().getFirst().values())
        .doesNotContain(Double.NaN);
    Instant later = Instant.parse("2026-10-25T00:00:00Z");
    assertThat(sums(later, later.plus(DAY), Duration.ofMinutes(1), null).step())
        .as("of this time all samples are there")
        .isEqualTo(Duration.ofMinutes(1).toMillis());
  }
}
