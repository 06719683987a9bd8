package io.peerlens.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ten hours of samples of 8 VMs; the last 90 minutes are not rolled up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeriesServiceIT {
  private static final Instant START = Instant.parse("2026-11-10T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofHours(10));
  private static final Instant ROLLED = END.minus(Duration.ofMinutes(80));
  private static final List<String> METRICS =
      List.of(
          "cpu|usage_average",
          "cpu|ready_summation",
          "net:vmnic0|usage_average",
          "net|usage_average");

  /** Values by object, then metric key. */
  private final Map<UUID, Map<String, TreeMap<Instant, Double>>> truth = new HashMap<>();

  private final List<UUID> objects = new ArrayList<>();
  private SampleData data;
  private SeriesService service;
  private LatestValues latestValues;
  private TopObjects topObjects;
  private int cluster;

  @BeforeAll
  void fill() {
    data = SampleData.create();
    int cpu =
        data.group(
            "VMWARE", "VirtualMachine", "cpu", List.of("idle", "usage_average", "ready_summation"));
    int net = data.group("VMWARE", "VirtualMachine", "net", List.of("usage_average"));
    cluster = data.object("VMWARE", "ClusterComputeResource", "cluster");
    Random random = new Random(7);
    SampleData.Samples rows = data.samples();
    for (int vm = 0; vm < 8; vm++) {
      String name = "vm" + vm;
      int object = data.object("VMWARE", "VirtualMachine", name);
      if (vm < 3) {
        data.jdbc()
            .sql("insert into relation (parent_id, child_id) values (?, ?)")
            .params(cluster, object)
            .update();
      }
      UUID uuid = SampleData.uuid("VirtualMachine", name);
      objects.add(uuid);
      int cpuSet = data.set(object, cpu, "");
      int nicSet = data.set(object, net, "vmnic0");
      int netSet = vm == 5 ? -1 : data.set(object, net, "");
      for (Instant time = START; time.isBefore(END); time = time.plusSeconds(60)) {
        if (random.nextInt(8) == 0 || (vm == 2 && time.isAfter(END.minusSeconds(7200)))) {
          continue;
        }
        Instant at = time.plusMillis(random.nextInt(60_000));
        double usage = random.nextInt(5) == 0 ? Double.NaN : random.nextDouble() * 100;
        double ready = random.nextGaussian();
        rows.add(at, cpuSet, 1, usage, ready);
        put(uuid, "cpu|usage_average", at, usage);
        put(uuid, "cpu|ready_summation", at, ready);
        double nic = random.nextInt(1000);
        rows.add(at, nicSet, nic);
        put(uuid, "net:vmnic0|usage_average", at, nic);
        if (netSet >= 0) {
          rows.add(at, netSet, nic * 2);
          put(uuid, "net|usage_average", at, nic * 2);
        }
      }
    }
    rows.flush();
    SampleReader reader = new SampleReader(data.dataSource());
    new RollUps(data.dataSource(), reader, Duration.ofMinutes(10), Duration.ZERO, SetPart.WHOLE)
        .run(ROLLED, Progress.NONE);
    SeriesStore store = new SeriesStore(data.jdbc());
    LevelStates levels = new LevelStates(data.jdbc());
    service = new SeriesService(store, levels, reader, new SeriesProperties(1_000_000));
    latestValues = new LatestValues(store, reader);
    topObjects = new TopObjects(store, levels, reader, service);
  }

  @AfterAll
  void close() {
    data.close();
  }

  private void put(UUID object, String metric, Instant time, double value) {
    if (!Double.isNaN(value)) {
      truth
          .computeIfAbsent(object, key -> new HashMap<>())
          .computeIfAbsent(metric, key -> new TreeMap<>())
          .put(time, value);
    }
  }

  private List<Double> values(UUID object, String metric, Instant from, Instant to) {
    return List.copyOf(
        truth
            .getOrDefault(object, Map.of())
            .getOrDefault(metric, new TreeMap<>())
            .subMap(from, to)
            .values());
  }

  private static double naive(Aggregation aggregation, List<Double> values) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return switch (aggregation) {
      case AVG -> sum / values.size();
      case SUM -> sum;
      case COUNT -> values.size();
      case MIN -> values.stream().min(Comparator.naturalOrder()).orElseThrow();
      case MAX -> values.stream().max(Comparator.naturalOrder()).orElseThrow();
      case LAST -> values.getLast();
      case PERCENTILE ->
          Percentile.DEFAULT.in(values.stream().mapToDouble(one -> one).sorted().toArray());
    };
  }

  private static void assertSame(double actual, double expected, String what) {
    if (Double.isNaN(expected)) {
      assertThat(actual).as(what).isNaN();
    } else {
      assertThat(actual).as(what).isCloseTo(expected, within(1e-6));
    }
  }

  private static SeriesRequest request(
      List<UUID> objects,
      List<String> metrics,
      Instant from,
      Instant to,
      Duration step,
      Aggregation a) {
    return new SeriesRequest(
        objects, metrics.stream().map(MetricKey::parse).toList(), from, to, step, a, 1000, true);
  }

  @ParameterizedTest
  @EnumSource(Aggregation.class)
  void everyStepEqualsTheSamplesInIt(Aggregation aggregation) {
    for (Duration step :
        List.of(
            Duration.ofSeconds(20),
            Duration.ofSeconds(90),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofHours(3))) {
      Instant from = START.plusSeconds(1234);
      Instant to = END.plusSeconds(400);
      SeriesAnswer answer = service.query(request(objects, METRICS, from, to, step, aggregation));

      assertThat(answer.step()).isEqualTo(step.toMillis());
      assertThat(answer.from()).isLessThanOrEqualTo(from.toEpochMilli());
      assertThat(answer.from() % step.toMillis()).isZero();
      assertThat(answer.to()).isGreaterThanOrEqualTo(to.toEpochMilli());
      assertThat(answer.times()).hasSize((int) ((answer.to() - answer.from()) / step.toMillis()));
      assertThat(answer.lines()).hasSize(8 * 4 - 1);
      for (SeriesAnswer.Line line : answer.lines()) {
        for (int i = 0; i < answer.times().length; i++) {
          Instant begin = Instant.ofEpochMilli(answer.times()[i]);
          List<Double> expected =
              values(line.object(), line.metric().toString(), begin, begin.plus(step));
          String what = line.metric() + " " + begin + " " + step;
          assertSame(line.values()[i], naive(aggregation, expected), what);
          assertSame(Objects.requireNonNull(line.min())[i], naive(Aggregation.MIN, expected), what);
          assertSame(Objects.requireNonNull(line.max())[i], naive(Aggregation.MAX, expected), what);
        }
      }
    }
  }

  @Test
  void linesComeInTheOrderOfTheRequest() {
    List<UUID> asked = List.of(objects.get(5), UUID.randomUUID(), objects.get(1), objects.get(5));
    List<String> metrics = List.of("net|usage_average", "cpu|usage_average", "cpu|no_such");
    SeriesAnswer answer =
        service.query(request(asked, metrics, START, END, Duration.ofHours(1), Aggregation.AVG));
    assertThat(answer.lines())
        .extracting(line -> line.object() + " " + line.metric())
        .containsExactly(
            objects.get(5) + " cpu|usage_average",
            objects.get(1) + " net|usage_average",
            objects.get(1) + " cpu|usage_average");
    assertThat(answer.lines())
        .extracting(SeriesAnswer.Line::unit)
        .containsExactly(null, "unit0", null);
    assertThat(answer.level()).isEqualTo(Level.ONE_HOUR);
  }

  @Test
  void aWindowWithoutSamplesGivesNulls() {
    SeriesAnswer answer =
        service.query(
            request(
                objects,
                METRICS,
                START.minus(Duration.ofDays(3)),
                START.minus(Duration.ofDays(2)),
                Duration.ofHours(1),
                Aggregation.COUNT));
    assertThat(answer.lines()).hasSize(31);
    assertThat(answer.lines())
        .allSatisfy(line -> assertThat(line.values()).containsOnly(Double.NaN));
  }

  @Test
  void theSmallestUsualStepWithinMaxPointsIsChosen() {
    SeriesRequest asked =
        new SeriesRequest(
            objects,
            List.of(MetricKey.parse("cpu|usage_average")),
            START,
            END,
            null,
            Aggregation.AVG,
            200,
            false);
    assertThat(service.query(asked).step()).isEqualTo(Duration.ofMinutes(5).toMillis());
    SeriesRequest brief =
        new SeriesRequest(
            objects,
            List.of(MetricKey.parse("cpu|usage_average")),
            START,
            START.plusSeconds(60),
            null,
            Aggregation.AVG,
            200,
            false);
    assertThat(service.query(brief).step()).isEqualTo(20_000);
  }

  @Test
  void tooManyPointsAreRefusedWithAStepThatFits() {
    SeriesService small =
        new SeriesService(
            new SeriesStore(data.jdbc()),
            new LevelStates(data.jdbc()),
            new SampleReader(data.dataSource()),
            new SeriesProperties(1000));
    SeriesRequest asked =
        new SeriesRequest(
            objects,
            METRICS.stream().map(MetricKey::parse).toList(),
            START,
            END,
            Duration.ofSeconds(20),
            Aggregation.AVG,
            1000,
            false);
    assertThatThrownBy(() -> small.query(asked))
        .isInstanceOfSatisfying(
            TooManyPointsException.class,
            e -> {
              assertThat(e.detail())
                  .isEqualTo(
                      "8 objects x 4 metrics x 1,800 steps are 57,600 values; the limit is 1,000.");
              assertThat(e.reason()).isEqualTo("20s is too fine for this window");
              assertThat(e.hint()).isEqualTo("Use a step of at least 30m, or fewer objects.");
            });
  }

  @Test
  void latestGivesTheNewestValueOfEachMetricUpToItsAge() {
    List<LatestValue> latest =
        latestValues.of(
            objects, METRICS.stream().map(MetricKey::parse).toList(), Duration.ofHours(1), END);
    Map<String, Double> expected = new TreeMap<>();
    for (UUID object : objects) {
      for (String metric : METRICS) {
        List<Double> values =
            values(object, metric, END.minus(Duration.ofHours(1)), END.plusSeconds(60));
        if (!values.isEmpty()) {
          expected.put(object + " " + metric, values.getLast());
        }
      }
    }
    Map<String, Double> actual = new TreeMap<>();
    latest.forEach(one -> actual.put(one.object() + " " + one.metric(), one.value()));
    assertThat(actual).isEqualTo(expected);
    assertThat(actual).hasSize(7 * 4 - 1); // vm2 is silent, vm5 has no aggregate
  }

  @ParameterizedTest
  @EnumSource(Aggregation.class)
  void topRanksByTheWholeWindowHoweverItCutsThroughBuckets(Aggregation aggregation) {
    Instant from = START.plusSeconds(1237);
    Instant to = END.minusSeconds(777);
    TopAnswer answer =
        topObjects.top(top("cpu|usage_average", aggregation, from, to, true, null, 5));
    List<Map.Entry<UUID, Double>> expected = new ArrayList<>();
    for (UUID object : objects) {
      double value = naive(aggregation, values(object, "cpu|usage_average", from, to));
      expected.add(Map.entry(object, value));
    }
    assertThat(answer.ranked()).isEqualTo(8);
    assertThat(answer.entries()).hasSize(5);
    expected.sort(Map.Entry.<UUID, Double>comparingByValue().reversed());
    for (int i = 0; i < 5; i++) {
      assertThat(answer.entries().get(i).rank()).isEqualTo(i + 1);
      assertSame(answer.entries().get(i).value(), expected.get(i).getValue(), "rank " + (i + 1));
    }
  }

  @Test
  void topCanLookBelowAnAncestorAndRankUpwards() {
    UUID ancestor = SampleData.uuid("ClusterComputeResource", "cluster");
    TopAnswer answer =
        topObjects.top(top("net|usage_average", Aggregation.AVG, START, END, false, ancestor, 10));
    assertThat(answer.entries()).hasSize(3);
    assertThat(answer.entries()).extracting(TopAnswer.Entry::value).isSorted();
    assertThat(answer.entries())
        .extracting(TopAnswer.Entry::name)
        .containsExactlyInAnyOrder("vm0", "vm1", "vm2");
    long[] times = Objects.requireNonNull(answer.sparklineTimes());
    assertThat(times).hasSizeLessThanOrEqualTo(60);
    assertThat(answer.entries())
        .allSatisfy(entry -> assertThat(entry.sparkline()).hasSize(times.length));
    assertThat(
            topObjects
                .top(
                    top(
                        "net|usage_average",
                        Aggregation.AVG,
                        START,
                        END,
                        true,
                        UUID.randomUUID(),
                        10))
                .entries())
        .isEmpty();
  }

  private static TopRequest top(
      String metric,
      Aggregation aggregation,
      Instant from,
      Instant to,
      boolean descending,
      @Nullable UUID ancestor,
      int limit) {
    return new TopRequest(
        MetricKey.parse(metric),
        "virtualmachine",
        null,
        aggregation,
        from,
        to,
        limit,
        descending,
        null,
        ancestor,
        true,
        true,
        false,
        null);
  }
}
