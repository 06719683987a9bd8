package io.peerlens.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.job.Progress;
import io.peerlens.series.PercentileOrigin.From;
import io.peerlens.series.WindowStatistics.Precision;
import io.peerlens.series.WindowStatistics.Statistics;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.RollUps;
import io.peerlens.store.SampleReader;
import io.peerlens.store.Segment;
import io.peerlens.store.SetPart;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four days of samples each minute. Of the first half day only hours are left, without sketches; up
 * to the end of the first day there are means of 5 minutes, without sketches; from the third day on
 * there are raw samples.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PercentilesIT {
  private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
  private static final Instant FINER = START.plus(Duration.ofHours(12));
  private static final Instant SKETCHED = START.plus(Duration.ofDays(1));
  private static final Instant RAW = START.plus(Duration.ofDays(2));
  private static final Instant END = START.plus(Duration.ofDays(4));
  private static final int VMS = 7;
  private static final double ERROR = 0.01 * (1 + 1e-9);
  private static final List<MetricKey> METRICS =
      List.of(MetricKey.parse("cpu|usage"), MetricKey.parse("cpu|ready"));

  private final List<UUID> objects = new ArrayList<>();
  private final int[] sets = new int[VMS];

  /** Values by place of the object, then of the metric. */
  private final List<List<TreeMap<Instant, Double>>> truth = new ArrayList<>();

  private SampleData data;
  private SampleReader reader;
  private LevelStates levels;
  private SeriesService service;
  private TopObjects topObjects;
  private WindowStatistics statistics;

  @BeforeAll
  void fill() {
    data = SampleData.create();
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage", "idle", "ready"));
    Random random = new Random(11);
    SampleData.Samples rows = data.samples();
    for (int vm = 0; vm < VMS; vm++) {
      sets[vm] = data.set(data.object("VMWARE", "VirtualMachine", "vm" + vm), group, "");
      objects.add(SampleData.uuid("VirtualMachine", "vm" + vm));
      List<TreeMap<Instant, Double>> metrics = List.of(new TreeMap<>(), new TreeMap<>());
      truth.add(metrics);
      for (Instant time = START; time.isBefore(END); time = time.plusSeconds(60)) {
        if (random.nextInt(12) == 0) {
          continue;
        }
        Instant at = time.plusMillis(random.nextInt(60_000));
        double usage = 20 + vm * 3 + 8 * random.nextGaussian();
        double ready = random.nextInt(3) == 0 ? Double.NaN : Math.exp(random.nextGaussian() * 3);
        rows.add(at, sets[vm], usage, 1, ready);
        metrics.get(0).put(at, usage);
        if (!Double.isNaN(ready)) {
          metrics.get(1).put(at, ready);
        }
      }
    }
    rows.flush();
    reader = new SampleReader(data.dataSource());
    new RollUps(data.dataSource(), reader, Duration.ofMinutes(10), Duration.ZERO, SetPart.WHOLE)
        .run(END.plus(Duration.ofHours(2)), Progress.NONE);
    data.jdbc().sql("delete from sample where time < ?").param(SampleData.time(RAW)).update();
    data.jdbc().sql("delete from sample_5m where time < ?").param(SampleData.time(FINER)).update();
    data.jdbc()
        .sql("update sample_1h set sketches = null where time < ?")
        .param(SampleData.time(SKETCHED))
        .update();
    levels = new LevelStates(data.jdbc());
    levels.keptFrom("raw", RAW);
    levels.keptFrom("5m", FINER);
    SeriesStore store = new SeriesStore(data.jdbc());
    service = new SeriesService(store, levels, reader, new SeriesProperties(1_000_000));
    topObjects = new TopObjects(store, levels, reader, service);
    statistics = new WindowStatistics(levels, reader);
  }

  @AfterAll
  void close() {
    data.close();
  }

  private double[] values(int vm, int metric, Instant from, Instant to) {
    return truth.get(vm).get(metric).subMap(from, to).values().stream()
        .mapToDouble(value -> value)
        .toArray();
  }

  private double exact(int vm, int metric, Instant from, Instant to, double percent) {
    double[] sorted = values(vm, metric, from, to);
    Arrays.sort(sorted);
    // As in a textbook, and not as in Percentile.
    int rank = (int) Math.ceil(percent * sorted.length / 100 - 1e-9);
    return sorted.length == 0 ? Double.NaN : sorted[Math.max(1, rank) - 1];
  }

  private SeriesAnswer query(Instant from, Instant to, Duration step, double percent) {
    return service.query(
        new SeriesRequest(
            objects,
            METRICS,
            from,
            to,
            step,
            Aggregation.PERCENTILE,
            1000,
            true,
            null,
            Percentile.of(percent)));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 5, 50, 95, 99, 99.9, 99.9999})
  void stepsAreExactWhereRawSamplesAreKept(double percent) {
    for (Duration step :
        List.of(Duration.ofMinutes(1), Duration.ofMinutes(6), Duration.ofHours(6))) {
      SeriesAnswer answer =
          query(RAW, RAW.plus(step.multipliedBy(8).plusMinutes(1)), step, percent);
      assertThat(answer.level()).isEqualTo(Level.RAW);
      assertThat(answer.lines()).hasSize(2 * VMS);
      for (int i = 0; i < answer.lines().size(); i++) {
        SeriesAnswer.Line line = answer.lines().get(i);
        PercentileOrigin origin = Objects.requireNonNull(line.origin());
        assertThat(origin.from()).isEqualTo(From.RAW);
        assertThat(origin.relativeError()).isNull();
        for (int at = 0; at < answer.times().length; at++) {
          Instant begin = Instant.ofEpochMilli(answer.times()[at]);
          assertThat(Double.valueOf(line.values()[at]))
              .as("%s %s", line.metric(), begin)
              .isEqualTo(Double.valueOf(exact(i / 2, i % 2, begin, begin.plus(step), percent)));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 5, 50, 95, 99, 99.9, 99.9999})
  void stepsOfWholeHoursBeyondAreWithinTheErrorOfSketches(double percent) {
    for (Duration step : List.of(Duration.ofHours(1), Duration.ofHours(3), Duration.ofDays(1))) {
      SeriesAnswer answer = query(SKETCHED, RAW, step, percent);
      assertThat(answer.level()).isEqualTo(Level.ONE_HOUR);
      for (int i = 0; i < answer.lines().size(); i++) {
        SeriesAnswer.Line line = answer.lines().get(i);
        PercentileOrigin origin = Objects.requireNonNull(line.origin());
        assertThat(origin.from()).isEqualTo(From.SKETCH);
        assertThat(origin.relativeError()).isEqualTo(0.01);
        for (int at = 0; at < answer.times().length; at++) {
          Instant begin = Instant.ofEpochMilli(answer.times()[at]);
          double exact = exact(i / 2, i % 2, begin, begin.plus(step), percent);
          assertThat(line.values()[at]).isCloseTo(exact, within(Math.abs(exact) * ERROR));
          double[] all = values(i / 2, i % 2, begin, begin.plus(step));
          assertThat(Objects.requireNonNull(line.max())[at])
              .isEqualTo(Arrays.stream(all).max().orElseThrow());
        }
      }
    }
  }

  @Test
  void aWindowOfSketchesAndRawSamplesIsWithinTheErrorAndSaysSo() {
    TopAnswer answer = top(SKETCHED, END.minusSeconds(1234), 95);
    assertThat(Objects.requireNonNull(answer.origin()).from()).isEqualTo(From.SKETCH);
    assertThat(answer.entries()).hasSize(VMS);
    for (TopAnswer.Entry entry : answer.entries()) {
      int vm = objects.indexOf(entry.id());
      double exact = exact(vm, 0, SKETCHED, END.minusSeconds(1234), 95);
      assertThat(entry.value()).isCloseTo(exact, within(exact * ERROR));
      assertThat(Objects.requireNonNull(entry.origin()).from()).isEqualTo(From.SKETCH);
    }
  }

  @Test
  void aRankingWithinRawSamplesIsExactHoweverItCutsThroughHours() {
    Instant from = RAW.plusSeconds(1234);
    Instant to = END.minusSeconds(777);
    TopAnswer answer = top(from, to, 99);
    assertThat(Objects.requireNonNull(answer.origin()).from()).isEqualTo(From.RAW);
    assertThat(answer.entries())
        .allSatisfy(
            entry ->
                assertThat(entry.value())
                    .isEqualTo(exact(objects.indexOf(entry.id()), 0, from, to, 99)));
    assertThat(answer.entries())
        .extracting(TopAnswer.Entry::value)
        .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(answer.entries().getFirst().sparkline()).isNotNull();
  }

  private TopAnswer top(Instant from, Instant to, double percent) {
    return topObjects.top(
        new TopRequest(
            METRICS.getFirst(),
            "VirtualMachine",
            null,
            Aggregation.PERCENTILE,
            from,
            to,
            100,
            true,
            null,
            null,
            true,
            true,
            false,
            Percentile.of(percent)));
  }

  @Test
  void aWindowThatCutsAnHourBeyondRawSamplesTakesTheMeansOfThatPartAndSaysHowMany() {
    Instant from = SKETCHED.plus(Duration.ofMinutes(35));
    TopAnswer answer = top(from, RAW, 95);
    PercentileOrigin origin = Objects.requireNonNull(answer.origin());
    assertThat(origin.from()).isEqualTo(From.MEANS);
    assertThat(origin.relativeError()).isNull();
    assertThat(origin.meansShare()).isCloseTo(25.0 / (24 * 60 - 35), within(0.005));
    for (TopAnswer.Entry entry : answer.entries()) {
      double exact = exact(objects.indexOf(entry.id()), 0, from, RAW, 95);
      assertThat(entry.value()).isCloseTo(exact, within(exact * 0.03));
    }
  }

  @Test
  void hoursWithoutSketchesTakeTheMeansOfFiveMinutesEachAsOftenAsItHasValues() {
    SeriesAnswer answer = query(FINER, SKETCHED, Duration.ofHours(2), 70);
    for (int i = 0; i < answer.lines().size(); i++) {
      SeriesAnswer.Line line = answer.lines().get(i);
      PercentileOrigin origin = Objects.requireNonNull(line.origin());
      assertThat(origin.from()).isEqualTo(From.MEANS);
      assertThat(origin.meansShare()).isGreaterThan(0.95);
      for (int at = 0; at < answer.times().length; at++) {
        Instant begin = Instant.ofEpochMilli(answer.times()[at]);
        double expected =
            ofMeans(
                i / 2, i % 2, begin, begin.plus(Duration.ofHours(2)), Duration.ofMinutes(5), 70);
        assertThat(line.values()[at]).isCloseTo(expected, within(expected * 1e-9));
      }
    }
  }

  @Test
  void whereEvenFiveMinutesAreGoneTheMeansOfHoursAreTaken() {
    SeriesAnswer answer = query(START, FINER, Duration.ofHours(12), 50);
    for (int i = 0; i < answer.lines().size(); i++) {
      double expected = ofMeans(i / 2, i % 2, START, FINER, Duration.ofHours(1), 50);
      assertThat(answer.lines().get(i).values()[0]).isCloseTo(expected, within(expected * 1e-9));
      assertThat(Objects.requireNonNull(answer.lines().get(i).origin()).from())
          .isEqualTo(From.MEANS);
    }
  }

  /** Each value replaced by the mean of its bucket. */
  private double ofMeans(
      int vm, int metric, Instant from, Instant to, Duration bucket, double percent) {
    List<Double> all = new ArrayList<>();
    for (Instant time = from; time.isBefore(to); time = time.plus(bucket)) {
      double[] of = values(vm, metric, time, time.plus(bucket));
      double mean = Arrays.stream(of).sum() / of.length;
      for (int i = 0; i < of.length; i++) {
        all.add(mean);
      }
    }
    double[] sorted = all.stream().mapToDouble(value -> value).sorted().toArray();
    return Percentile.of(percent).in(sorted);
  }

  @Test
  void stepsShorterThanAnHourBeyondRawSamplesAreOfMeans() {
    SeriesAnswer answer =
        query(SKETCHED, SKETCHED.plus(Duration.ofHours(4)), Duration.ofMinutes(15), 95);
    assertThat(answer.level()).isEqualTo(Level.FIVE_MINUTES);
    assertThat(answer.lines())
        .allSatisfy(
            line -> assertThat(Objects.requireNonNull(line.origin()).from()).isEqualTo(From.MEANS));
  }

  @Test
  void aWindowWithoutSamplesHasNoPercentiles() {
    SeriesAnswer answer =
        query(END.plusSeconds(3600), END.plusSeconds(36_000), Duration.ofHours(1), 95);
    assertThat(answer.lines())
        .hasSize(2 * VMS)
        .allSatisfy(
            line -> {
              assertThat(line.values()).containsOnly(Double.NaN);
              assertThat(line.origin()).isNull();
            });
  }

  @Test
  void nothingIsAskedForAndNothingIsGiven() {
    assertThat(
            service
                .query(
                    new SeriesRequest(
                        objects,
                        List.of(MetricKey.parse("cpu|never")),
                        START,
                        END,
                        Duration.ofHours(1),
                        Aggregation.PERCENTILE,
                        1000,
                        false))
                .lines())
        .isEmpty();
    TopAnswer nobody =
        topObjects.top(
            new TopRequest(
                METRICS.getFirst(),
                "VirtualMachine",
                null,
                Aggregation.PERCENTILE,
                START,
                END,
                10,
                true,
                null,
                UUID.randomUUID(),
                true,
                true,
                false,
                null));
    assertThat(nobody.entries()).isEmpty();
    assertThat(nobody.origin()).isNull();
    assertThatCode(
            () ->
                statistics.percentiles(
                    new int[0],
                    new int[] {0},
                    START,
                    END,
                    List.of(Percentile.DEFAULT),
                    Precision.EXACT))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 97, 1000, 20_000})
  void whatIsReadInManySmallPiecesIsTheSame(int mostValues) {
    Coverage coverage = levels.read();
    long from = Level.micros(SKETCHED);
    long[] edges = new long[73];
    Arrays.setAll(edges, at -> from + at * Level.ONE_HOUR.widthMicros());
    List<PercentileReads.Place> places = new ArrayList<>();
    for (int set : sets) {
      places.add(new PercentileReads.Place(0, set, 0));
      places.add(new PercentileReads.Place(0, set, 2));
    }
    List<Percentile> wanted = List.of(Percentile.of(50), Percentile.of(95));
    List<Segment> plan =
        PercentileReads.exact(coverage, Level.ONE_HOUR, edges[0], edges[edges.length - 1]);
    PercentileReads.Answer whole =
        new PercentileReads(reader).read(places, edges, wanted, coverage, plan);
    PercentileReads.Answer pieces =
        new PercentileReads(reader, mostValues).read(places, edges, wanted, coverage, plan);
    assertThat(pieces.values()).isDeepEqualTo(whole.values());
    assertThat(pieces.counts()).isEqualTo(whole.counts());
    assertThat(pieces.origins()).isEqualTo(whole.origins());
  }

  @Test
  void aCellOfMoreValuesThanAreHeldAtOnceIsOfASketchAndSaysSo() {
    Coverage coverage = levels.read();
    long[] window = {Level.micros(RAW), Level.micros(END)};
    PercentileReads.Answer read =
        new PercentileReads(reader, 500)
            .read(
                List.of(
                    new PercentileReads.Place(0, sets[0], 0),
                    new PercentileReads.Place(0, sets[1], 0)),
                window,
                List.of(Percentile.DEFAULT),
                coverage,
                PercentileReads.exact(coverage, Level.ONE_HOUR, window[0], window[1]));
    for (int vm = 0; vm < 2; vm++) {
      double exact = exact(vm, 0, RAW, END, 95);
      assertThat(read.values()[0][vm]).isCloseTo(exact, within(exact * ERROR));
      assertThat(Objects.requireNonNull(read.origins().get(vm)).from()).isEqualTo(From.SKETCH);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void statisticsOfAWindowAreThoseOfItsSamples(boolean precise) {
    Instant from = RAW.plus(Duration.ofMinutes(20));
    Instant to = END.minus(Duration.ofMinutes(7));
    List<Percentile> wanted = List.of(Percentile.of(5), Percentile.of(95), Percentile.of(99.9));
    Statistics read =
        statistics.read(
            sets, new int[] {0, 2}, from, to, wanted, precise ? Precision.EXACT : Precision.QUICK);
    for (int vm = 0; vm < VMS; vm++) {
      for (int metric = 0; metric < 2; metric++) {
        double[] all = values(vm, metric, from, to);
        int set = sets[vm];
        assertThat(read.count(set, metric)).isEqualTo(all.length);
        assertThat(read.sum(set, metric)).isCloseTo(Arrays.stream(all).sum(), within(1e-5));
        assertThat(read.avg(set, metric))
            .isCloseTo(Arrays.stream(all).average().orElseThrow(), within(1e-8));
        assertThat(read.min(set, metric)).isEqualTo(Arrays.stream(all).min().orElseThrow());
        assertThat(read.max(set, metric)).isEqualTo(Arrays.stream(all).max().orElseThrow());
        assertThat(read.last(set, metric)).isEqualTo(all[all.length - 1]);
        for (Percentile percentile : wanted) {
          double exact = exact(vm, metric, from, to, percentile.percent());
          assertThat(read.percentile(set, metric, percentile))
              .isCloseTo(exact, within(precise ? 0 : Math.abs(exact) * ERROR));
        }
        assertThat(Objects.requireNonNull(read.origin(set, metric)).from())
            .isEqualTo(precise ? From.RAW : From.SKETCH);
      }
    }
    Statistics alone =
        statistics.percentiles(
            sets, new int[] {0, 2}, from, to, wanted, precise ? Precision.EXACT : Precision.QUICK);
    assertThat(alone.percentile(sets[2], 1, wanted.get(1)))
        .isEqualTo(read.percentile(sets[2], 1, wanted.get(1)));
    assertThat(alone.origin(sets[2], 1)).isEqualTo(read.origin(sets[2], 1));
    assertThat(alone.avg(sets[2], 1)).isNaN();
    assertThatThrownBy(() -> read.percentile(sets[0], 0, Percentile.of(50)))
        .hasMessage("p50.0 was not asked for");
    assertThatThrownBy(() -> read.avg(sets[0], 2)).hasMessageEndingWith("was not asked for");
  }

  @Test
  void statisticsOfNothingAreEmpty() {
    Statistics read =
        statistics.read(
            sets,
            new int[] {0},
            END.plusSeconds(60),
            END.plusSeconds(120),
            List.of(),
            Precision.EXACT);
    assertThat(read.count(sets[0], 0)).isZero();
    assertThat(read.avg(sets[0], 0)).isNaN();
    assertThat(read.origin(sets[0], 0)).isNull();
  }

  @Test
  void aSetWhoseHoursLackSketchesDoesNotChangeTheOthers() {
    data.jdbc()
        .sql("update sample_1h set sketches = null where set_id = ? and time >= ? and time < ?")
        .params(
            sets[6],
            SampleData.time(SKETCHED.plus(Duration.ofHours(3))),
            SampleData.time(SKETCHED.plus(Duration.ofHours(5))))
        .update();
    Map<UUID, From> found = new java.util.HashMap<>();
    TopAnswer answer = top(SKETCHED, SKETCHED.plus(Duration.ofHours(10)), 50);
    answer
        .entries()
        .forEach(one -> found.put(one.id(), Objects.requireNonNull(one.origin()).from()));
    assertThat(found.remove(objects.get(6))).isEqualTo(From.MEANS);
    assertThat(found.values()).containsOnly(From.SKETCH);
    for (TopAnswer.Entry entry : answer.entries()) {
      double exact =
          exact(objects.indexOf(entry.id()), 0, SKETCHED, SKETCHED.plus(Duration.ofHours(10)), 50);
      assertThat(entry.value()).isCloseTo(exact, within(exact * 0.05));
    }
  }
}
