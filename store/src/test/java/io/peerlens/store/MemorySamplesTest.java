package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.store.SampleReader.Newest;
import io.peerlens.store.SampleReader.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemorySamplesTest {

  private static final long NOW = Level.micros(Instant.parse("2026-11-20T12:00:00Z"));
  private static final long MINUTE = MemorySamples.EVERY;
  private static final int[] FIRST = {0};

  private record Given(int set, long time, double value, int count) {}

  private static List<Given> read(MemorySamples samples, int[] sets, long from, long to) {
    List<Given> given = new ArrayList<>();
    samples.read(
        Level.RAW,
        sets,
        FIRST,
        EnumSet.allOf(Part.class),
        from,
        to,
        row -> given.add(new Given(row.setId(), row.time(), row.avg(0), row.count(0))));
    return given;
  }

  @Test
  void samplesOfTheWindowAreGivenOldestFirstAndTheEndIsNotPartOfIt() {
    MemorySamples samples =
        MemorySamples.builder()
            .samples(
                7,
                new long[] {NOW, NOW - 3 * MINUTE, NOW - MINUTE, NOW - 2 * MINUTE},
                new double[] {4, 1, 3, 2})
            .build();
    assertThat(read(samples, new int[] {7, 8}, NOW - 2 * MINUTE, NOW))
        .containsExactly(new Given(7, NOW - 2 * MINUTE, 2, 1), new Given(7, NOW - MINUTE, 3, 1));
    assertThat(read(samples, new int[] {8}, NOW - 2 * MINUTE, NOW)).isEmpty();
  }

  @Test
  void aValueThatHoldsHasASampleAtEachMinuteOfTheWindow() {
    MemorySamples samples = MemorySamples.builder().holding(1, 5, NOW).build();
    List<Given> given = read(samples, new int[] {1}, NOW - 60 * MINUTE, NOW);
    assertThat(given).hasSize(60).allMatch(one -> one.value() == 5 && one.count() == 1);
    assertThat(given.getFirst().time()).isEqualTo(NOW - 60 * MINUTE);
    assertThat(given.getLast().time()).isEqualTo(NOW - MINUTE);
    assertThat(read(samples, new int[] {1}, NOW, NOW + MINUTE)).isEmpty();
    assertThat(read(samples, new int[] {1}, NOW - MINUTE, NOW + MINUTE)).hasSize(1);
  }

  @Test
  void aLongWindowOfAValueThatHoldsCountsAllItsSamplesInFewRows() {
    MemorySamples samples = MemorySamples.builder().holding(1, 5, NOW).build();
    long minutes = 1830L * 24 * 60;
    List<Given> given = read(samples, new int[] {1}, NOW - minutes * MINUTE, NOW);
    assertThat(given).hasSizeBetween(9_000, 10_002);
    assertThat(given.stream().mapToLong(Given::count).sum()).isEqualTo(minutes);
    assertThat(given.getLast().time()).isEqualTo(NOW - MINUTE);
    assertThat(given.stream().map(Given::time)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void theNewestValueLiesInTheWindowOrThereIsNone() {
    MemorySamples samples =
        MemorySamples.builder()
            .samples(1, new long[] {NOW - 10 * MINUTE, NOW - 5 * MINUTE}, new double[] {1, 2})
            .holding(2, 9, NOW)
            .build();
    int[] sets = {1, 2, 3};
    Newest found = samples.newest(sets, new int[3], NOW - 60 * MINUTE, NOW);
    assertThat(found.values()).containsExactly(2, 9, Double.NaN);
    assertThat(found.times()).startsWith(NOW - 5 * MINUTE, NOW - MINUTE);
    Newest before = samples.newest(sets, new int[3], NOW - 60 * MINUTE, NOW - 5 * MINUTE);
    assertThat(before.values()).containsExactly(1, 9, Double.NaN);
    Newest late = samples.newest(sets, new int[3], NOW - 2 * MINUTE, NOW);
    assertThat(late.values()).containsExactly(Double.NaN, 9, Double.NaN);
  }

  @Test
  void aReaderIsInterruptedAndAskedForNothingButRawSamples() {
    MemorySamples samples =
        MemorySamples.builder()
            .holding(1, 9, NOW)
            .interrupt(
                () -> {
                  throw new IllegalStateException("late");
                })
            .build();
    assertThatThrownBy(() -> read(samples, new int[] {1}, NOW - MINUTE, NOW)).hasMessage("late");
    assertThatThrownBy(
            () ->
                samples.read(
                    Level.ONE_HOUR, new int[] {1}, FIRST, EnumSet.of(Part.AVG), 0, NOW, row -> {}))
        .hasMessage("only raw samples are held, not 1h");
  }
}
