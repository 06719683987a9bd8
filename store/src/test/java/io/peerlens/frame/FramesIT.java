package io.peerlens.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.job.Progress;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.RollUps;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SetPart;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FramesIT {

  private static final Instant START = Instant.parse("2026-11-01T10:00:00Z");
  private static final Duration AGE = Duration.ofHours(2);
  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  private static final int VMS = 12;
  private static final Set<Input> INPUTS =
      Set.of(
          new Input(VM, "cpu|usage_average", false, true),
          new Input(VM, "cpu|ready_summation", false, false),
          new Input(VM, "cpu:1|usage_average", false, false),
          new Input(VM, "cpu|usage_average", true, false),
          new Input(VM, "net|usage_average", true, false),
          new Input(VM, "net:Aggregate of all instances|usage_average", false, false),
          new Input(VM, "MEM|Usage_average", false, false),
          new Input(VM, "config|hardware|num_Cpu", false, false),
          new Input(VM, "config|name", false, false),
          new Input(new ObjectKind("VMWARE", "*"), "cpu|usage_average", false, false));

  /** What was stored: values by metric key, then object, then time. */
  private final Map<String, Map<Integer, TreeMap<Instant, Double>>> truth = new HashMap<>();

  private SampleData data;
  private Frames frames;
  private final List<Integer> vms = new ArrayList<>();
  private final Map<String, Integer> sets = new HashMap<>();

  @BeforeAll
  void store() {
    data = SampleData.create();
    int cpu =
        data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready_summation"));
    int mem = data.group("VMWARE", "VirtualMachine", "mem", List.of("usage_average"));
    int net = data.group("VMWARE", "VirtualMachine", "net", List.of("usage_average"));
    for (int i = 0; i < VMS; i++) {
      int vm = data.object("VMWARE", "VirtualMachine", "vm" + i);
      vms.add(vm);
      for (String instance : List.of("", "0", "1")) {
        sets.put("cpu" + instance + "/" + vm, data.set(vm, cpu, instance));
        sets.put("net" + instance + "/" + vm, data.set(vm, net, instance));
      }
      sets.put("mem/" + vm, data.set(vm, mem, ""));
    }
    data.jdbc()
        .sql("update object set properties = '{\"config|hardware|num_Cpu\": \"4\"}' where id = ?")
        .param(vms.get(3))
        .update();
    frames =
        new Frames(
            data.jdbc(),
            new SampleReader(data.dataSource()),
            new LevelStates(data.jdbc()),
            new FrameProperties(AGE, 1_000_000),
            Duration.ofMinutes(11));
    Random random = new Random(7);
    for (int second = 0; second < 3 * 3600; second += 20) {
      write(START.plusSeconds(second), random);
    }
  }

  @AfterAll
  void close() {
    data.close();
  }

  /** Values of one moment: now and then a VM or a metric is silent; VM 0 stops early. */
  private void write(Instant time, Random random) {
    boolean all = time.getEpochSecond() % 300 == 0;
    SampleData.Samples rows = data.samples();
    for (int i = 0; i < VMS; i++) {
      int vm = vms.get(i);
      if (random.nextInt(10) == 0 || (i == 0 && time.isAfter(START.plusSeconds(1200)))) {
        continue;
      }
      for (String instance : List.of("", "0", "1")) {
        double usage = random.nextInt(4) == 0 ? Double.NaN : random.nextInt(100);
        double ready = instance.isEmpty() && random.nextBoolean() ? random.nextInt(9) : Double.NaN;
        if (!Double.isNaN(usage) || !Double.isNaN(ready)) {
          rows.add(time, sets.get("cpu" + instance + "/" + vm), usage, ready);
          note(key("cpu", instance, "usage_average"), vm, time, usage);
          note(key("cpu", instance, "ready_summation"), vm, time, ready);
        }
        if (all && !(i == 5 && !instance.isEmpty())) {
          double net = random.nextInt(50);
          rows.add(time, sets.get("net" + instance + "/" + vm), net);
          note(key("net", instance, "usage_average"), vm, time, net);
        }
      }
      if (all) {
        double mem = random.nextInt(100);
        rows.add(time, sets.get("mem/" + vm), mem);
        note("mem|usage_average", vm, time, mem);
      }
    }
    rows.flush();
  }

  private static String key(String group, String instance, String metric) {
    return group + (instance.isEmpty() ? "" : ":" + instance) + "|" + metric;
  }

  private void note(String key, int vm, Instant time, double value) {
    if (!Double.isNaN(value)) {
      truth
          .computeIfAbsent(key, k -> new HashMap<>())
          .computeIfAbsent(vm, v -> new TreeMap<>())
          .put(time, value);
    }
  }

  private double expected(String key, int vm, Instant tick) {
    Map.Entry<Instant, Double> newest =
        truth.getOrDefault(key, Map.of()).getOrDefault(vm, new TreeMap<>()).floorEntry(tick);
    return newest == null || !newest.getKey().isAfter(tick.minus(AGE))
        ? Double.NaN
        : newest.getValue();
  }

  private void compare(Frame frame, Instant tick) {
    compare(frame, tick, Duration.ZERO);
  }

  /**
   * @param width of the buckets that the times of samples may be known by only
   */
  private void compareTime(
      long @Nullable [] times, int at, String key, int vm, Instant tick, Duration width) {
    Map.Entry<Instant, Double> newest =
        truth.getOrDefault(key, Map.of()).getOrDefault(vm, new TreeMap<>()).floorEntry(tick);
    assertThat(times).isNotNull();
    if (newest == null) {
      assertThat(times[at]).isZero();
    } else if (times[at] != 0 || newest.getKey().isAfter(tick.minus(AGE))) {
      // what is older than the age may not have been read
      assertThat(times[at])
          .as("time of %s of %d at %s", key, vm, tick)
          .isBetween(newest.getKey().toEpochMilli(), newest.getKey().plus(width).toEpochMilli());
    }
  }

  private void compare(Frame frame, Instant tick, Duration width) {
    for (String key : List.of("cpu|usage_average", "cpu|ready_summation", "cpu:1|usage_average")) {
      Column column = frame.column(VM, key);
      assertThat(column).isNotNull();
      for (int vm : vms) {
        assertThat((Double) column.numbers()[frame.objects().number(VM, vm)])
            .as("%s of %d at %s", key, vm, tick)
            .isEqualTo((Double) expected(key, vm, tick));
        compareTime(column.times(), frame.objects().number(VM, vm), key, vm, tick, width);
      }
    }
    Column mem = frame.column(VM, "MEM|Usage_average");
    Column total = frame.column(VM, "net:Aggregate of all instances|usage_average");
    Instances cpus = frame.instances(VM, "cpu|usage_average");
    Instances cards = frame.instances(VM, "net|usage_average");
    for (int vm : vms) {
      int number = frame.objects().number(VM, vm);
      assertThat((Double) mem.numbers()[number])
          .isEqualTo((Double) expected("mem|usage_average", vm, tick));
      assertThat((Double) total.numbers()[number])
          .isEqualTo((Double) expected("net|usage_average", vm, tick));
      assertThat(instances(cpus, number))
          .isEqualTo(
              expected(
                  vm, tick, "cpu|usage_average", "cpu:0|usage_average", "cpu:1|usage_average"));
      for (int i = cpus.offsets()[number]; i < cpus.offsets()[number + 1]; i++) {
        compareTime(cpus.values().times(), i, cpus.keys()[i], vm, tick, width);
      }
      // where there are instances, the bare key of net is their total and no instance
      Map<String, Double> onCards =
          expected(vm, tick, "net:0|usage_average", "net:1|usage_average");
      boolean hasCards = !onCards.isEmpty();
      assertThat(instances(cards, number))
          .isEqualTo(hasCards ? onCards : expected(vm, tick, "net|usage_average"));
    }
  }

  private Map<String, Double> expected(int vm, Instant tick, String... keys) {
    Map<String, Double> values = new HashMap<>();
    for (String key : keys) {
      double value = expected(key, vm, tick);
      if (!Double.isNaN(value)) {
        values.put(key, value);
      }
    }
    return values;
  }

  private static Map<String, Double> instances(Instances of, int number) {
    Map<String, Double> values = new HashMap<>();
    for (int i = of.offsets()[number]; i < of.offsets()[number + 1]; i++) {
      values.put(of.keys()[i], of.values().numbers()[i]);
    }
    return values;
  }

  @Test
  void aFrameHoldsWhatWasNewestAtItsMoment() {
    for (int minute : List.of(1, 17, 60, 121, 179, 200, 290)) {
      Instant tick = START.plus(Duration.ofMinutes(minute));
      compare(frames.load(INPUTS, tick), tick);
    }
  }

  @Test
  void incrementalFramesEqualFramesFromScratch() {
    LiveFrames live = frames.live();
    for (int second = 4000; second < 7600; second += 60) {
      Instant tick = START.plusSeconds(second);
      compare(live.load(INPUTS, tick), tick);
    }
    Instant before = START.plusSeconds(5000);
    compare(live.load(INPUTS, before), before);
  }

  @Test
  void theTimeOfASampleThatIsTooOldToCountIsStillKnown() {
    int vm = vms.getFirst(); // it was silent from 1200 s on
    Instant newest = truth.get("cpu|usage_average").get(vm).lastKey();
    LiveFrames live = frames.live();
    live.load(INPUTS, newest.plus(AGE).minusSeconds(60));
    Frame frame = live.load(INPUTS, newest.plus(AGE).plusSeconds(60));
    int number = frame.objects().number(VM, vm);
    Column column = frame.column(VM, "cpu|usage_average");
    assertThat(column.numbers()[number]).isNaN();
    assertThat(column.times()[number]).isEqualTo(newest.toEpochMilli());
    Instances cards = frame.instances(VM, "net|usage_average");
    assertThat(instances(cards, number)).isEmpty();
    Instances all = frame.instancesWithOld(VM, "net|usage_average");
    assertThat(instances(all, number))
        .isEqualTo(Map.of("net:0|usage_average", Double.NaN, "net:1|usage_average", Double.NaN));
    for (int i = all.offsets()[number]; i < all.offsets()[number + 1]; i++) {
      compareTime(
          all.values().times(),
          i,
          all.keys()[i],
          vm,
          newest.plus(AGE).plusSeconds(60),
          Duration.ZERO);
    }
    int other = frame.objects().number(VM, vms.get(1));
    assertThat(instances(all, other)).isEqualTo(instances(cards, other)).isNotEmpty();
  }

  @Test
  void aStretchOfThePastIsReadAtOnce() {
    Instant from = START.plus(Duration.ofMinutes(10));
    List<Instant> ticks = new ArrayList<>();
    frames.each(
        INPUTS,
        from,
        START.plus(Duration.ofMinutes(190)),
        Duration.ofSeconds(20),
        frame -> {
          Instant tick = Instant.ofEpochMilli(frame.time());
          ticks.add(tick);
          if (ticks.size() % 7 == 1) {
            compare(frame, tick);
          }
        });
    assertThat(ticks).hasSize(540).startsWith(from).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void propertiesAndNamesAreColumnsOfTexts() {
    Frame frame = frames.load(INPUTS, START.plusSeconds(3600));
    Column cpus = frame.column(VM, "config|hardware|num_Cpu");
    int number = frame.objects().number(VM, vms.get(3));
    assertThat(cpus.numbers()[number]).isEqualTo(4);
    assertThat(cpus.texts()[number]).isEqualTo("4");
    assertThat(frame.column(VM, "config|name").texts()).contains("vm0", "vm11");
    assertThat(frame.column(VM, "no|such_key")).isNull();
    assertThat(frame.instances(VM, "no|such_key")).isNull();
  }

  @Test
  void aValueIsFreshWhileItIsYoungerThanTheUsualSpacing() {
    Instant tick = START.plusSeconds(1220);
    Frame frame = frames.load(INPUTS, tick);
    boolean[] fresh = frame.column(VM, "cpu|usage_average").fresh();
    for (int vm : vms) {
      Map.Entry<Instant, Double> newest = truth.get("cpu|usage_average").get(vm).floorEntry(tick);
      boolean expected =
          Duration.between(newest.getKey(), tick).compareTo(Duration.ofSeconds(60)) < 0;
      assertThat(fresh[frame.objects().number(VM, vm)]).isEqualTo(expected);
    }
    Frame later = frames.load(INPUTS, START.plusSeconds(4000));
    assertThat(
            later.column(VM, "cpu|usage_average").fresh()[later.objects().number(VM, vms.get(0))])
        .isFalse();
  }

  @Test
  void theSameWithRollUps() {
    SampleData rolled = data;
    RollUps rollUps =
        new RollUps(
            rolled.dataSource(),
            new SampleReader(rolled.dataSource()),
            Duration.ofMinutes(10),
            Duration.ZERO,
            SetPart.WHOLE);
    rollUps.run(START.plus(Duration.ofMinutes(150)), Progress.NONE);
    try {
      for (int minute : List.of(130, 170, 200, 230)) {
        Instant tick = START.plus(Duration.ofMinutes(minute));
        compare(frames.load(INPUTS, tick), tick);
      }
      // without raw samples only the bucket is known, so moments whose oldest bucket is whole
      rolled.sql("update level_state set kept_from = '2026-11-01T12:00:00Z' where level = 'raw'");
      for (int minute : List.of(130, 230)) {
        Instant tick = START.plus(Duration.ofMinutes(minute));
        compare(frames.load(INPUTS, tick), tick, Level.FIVE_MINUTES.width());
      }
    } finally {
      rolled.sql("truncate sample_5m, sample_1h");
      rolled.sql("update level_state set rolled_until = null, kept_from = '-infinity'");
    }
  }

  /** Where only buckets are left, the past is read in stretches that do not end where they do. */
  @Test
  void aBucketThatEndsAfterThePeriodIsKnownFromItsEndOn() {
    new RollUps(
            data.dataSource(),
            new SampleReader(data.dataSource()),
            Duration.ofMinutes(10),
            Duration.ZERO,
            SetPart.WHOLE)
        .run(START.plus(Duration.ofMinutes(200)), Progress.NONE);
    data.sql("update level_state set kept_from = '2026-11-02T00:00:00Z' where level = 'raw'");
    try {
      Map<Instant, List<Double>> found = new TreeMap<>();
      Map<Instant, List<Double>> expected = new TreeMap<>();
      frames.each(
          INPUTS,
          START.plus(Duration.ofMinutes(130)),
          START.plus(Duration.ofMinutes(179)),
          Duration.ofSeconds(7), // 360 of them end within a bucket
          frame -> {
            Instant tick = Instant.ofEpochMilli(frame.time());
            Instant end = Instant.ofEpochSecond(tick.getEpochSecond() / 300 * 300);
            double[] numbers = frame.column(VM, "cpu|usage_average").numbers();
            for (int vm : vms.subList(1, VMS)) {
              double value = numbers[frame.objects().number(VM, vm)];
              found.computeIfAbsent(tick, t -> new ArrayList<>()).add(value);
              expected
                  .computeIfAbsent(tick, t -> new ArrayList<>())
                  .add(truth.get("cpu|usage_average").get(vm).lowerEntry(end).getValue());
            }
          });
      assertThat(found).hasSize(420).isEqualTo(expected);
    } finally {
      data.sql("truncate sample_5m, sample_1h");
      data.sql("update level_state set rolled_until = null, kept_from = '-infinity'");
    }
  }

  @Test
  void aReaderThatFailsLeavesItsConnectionUsable() {
    SampleReader reader = new SampleReader(data.dataSource());
    int[] all = sets.values().stream().mapToInt(Integer::intValue).sorted().toArray();
    for (int i = 0; i < 12; i++) {
      assertThatThrownBy(
              () ->
                  reader.read(
                      Level.RAW,
                      all,
                      new int[] {0},
                      Set.of(),
                      Level.micros(START),
                      Level.micros(START.plusSeconds(3600)),
                      row -> {
                        throw new IllegalStateException("the handler fails");
                      }))
          .hasMessage("the handler fails");
      assertThat(data.jdbc().sql("select 42").query(Integer.class).single()).isEqualTo(42);
    }
  }

  @Test
  void tooManyValuesAreRefusedWithAHint() {
    for (int vm : vms) {
      data.jdbc()
          .sql(
              """
              insert into sample (time, set_id, values)
              select timestamptz '2026-10-01' + make_interval(secs => n), ?, array[1, 2]
              from generate_series(1, 50000) n
              """)
          .param(sets.get("cpu/" + vm))
          .update();
    }
    assertThatThrownBy(
            () ->
                frames.each(
                    INPUTS,
                    Instant.parse("2026-10-01T00:00:00Z"),
                    Instant.parse("2026-10-01T14:00:00Z"),
                    Duration.ofMinutes(4),
                    frame -> {}))
        .isInstanceOf(Frames.TooManyValuesException.class)
        .hasMessageContaining("shorten the time range");
  }
}
