package io.peerlens.benchmarks;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Bound;
import io.peerlens.threshold.Condition;
import io.peerlens.threshold.Level;
import io.peerlens.threshold.Operator;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Symptoms;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.ThresholdStage;
import io.peerlens.threshold.Trigger;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What it costs to judge thresholds over a frame that is loaded, in processor time: on a machine
 * that others use too, time by the clock says more about them. One thread judges.
 *
 * <p>Of ten thresholds six hold a metric against numbers, two of these with clearing levels and
 * three of five samples; one is about a tenth of the objects and has an override; one holds a
 * metric against another; one asks for missing data; one compares the text of a property. All of it
 * a second time with those six, and the one about a part, held against learned bounds.
 *
 * <p>Arguments: number of objects, number of thresholds, percent of values that violate.
 */
public final class ThresholdTicks {

  private static final int WARM_UP = 60;
  private static final int TICKS = 60;
  private static final int METRICS = 25;
  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  private static final String STATE = "summary|guest|toolsRunningStatus";

  private ThresholdTicks() {}

  /** Measures; see the class. */
  public static void main(String[] arguments) {
    System.out.println(
        "| bounds | objects | thresholds | violating | open | rows a tick | ms CPU, median | least | bytes |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    boolean some = arguments.length == 3;
    int objects = some ? Integer.parseInt(arguments[0]) : 100_000;
    int count = some ? Integer.parseInt(arguments[1]) : 200;
    double[] shares =
        some ? new double[] {Double.parseDouble(arguments[2])} : new double[] {0, 0.1, 1, 10};
    for (boolean learned : new boolean[] {false, true}) {
      for (double percent : shares) {
        measure(objects, count, percent, learned);
      }
    }
  }

  private static void measure(int objects, int count, double percent, boolean learned) {
    ObjectGraph.Builder builder = ObjectGraph.builder();
    for (int i = 0; i < objects; i++) {
      builder.object(i + 1, VM, "vm-" + i);
    }
    ObjectGraph graph = builder.build();
    List<Threshold> thresholds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      thresholds.add(threshold(i, learned));
    }
    Map<Scope, boolean[]> members = new HashMap<>();
    ScopeFlags scopes =
        (scope, kind, of) ->
            scope.equals(Scope.ALL) ? null : members.computeIfAbsent(scope, s -> flags(s, objects));
    ThresholdStage stage =
        new ThresholdStage(
            null,
            scopes,
            () -> new Bands(objects),
            Duration.ofDays(1),
            Duration.ofHours(1),
            System::nanoTime);
    stage.assign(thresholds);

    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().threadId();
    Instant tick = Instant.parse("2026-11-20T14:00:00Z");
    World world = new World(graph, objects, percent / 100);
    long[] nanos = new long[TICKS];
    long bytes = 0;
    long open = 0;
    long rows = 0;
    for (int i = -WARM_UP; i < TICKS; i++) {
      tick = tick.plusSeconds(60);
      world.move(tick.toEpochMilli());
      long allocated = threads.getThreadAllocatedBytes(thread);
      long start = threads.getCurrentThreadCpuTime();
      Symptoms symptoms = stage.run(world, thresholds, tick);
      if (i >= 0) {
        nanos[i] = threads.getCurrentThreadCpuTime() - start;
        bytes += threads.getThreadAllocatedBytes(thread) - allocated;
        rows += symptoms.rows();
      }
      if (i == TICKS - 1) {
        open = thresholds.stream().mapToLong(one -> symptoms.open(one.id()).size()).sum();
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %,d | %s %% | %,d | %,d | %.1f | %.1f | %,d |%n",
        learned ? "learned" : "static",
        objects,
        count,
        percent,
        open,
        rows / TICKS,
        nanos[TICKS / 2] / 1e6,
        nanos[0] / 1e6,
        bytes / TICKS);
  }

  private static boolean[] flags(Scope scope, int objects) {
    boolean[] flags = new boolean[objects];
    for (int i = 0; i < objects; i++) {
      flags[i] = Math.floorMod(i * 31 + scope.hashCode(), 10) == 0;
    }
    return flags;
  }

  private static Threshold threshold(int i, boolean learned) {
    String key = "group|metric" + i % METRICS;
    Scope scope = Scope.ALL;
    List<Threshold.Special> special = List.of();
    Trigger trigger = Trigger.AT_ONCE;
    Condition condition =
        new Condition(
            Condition.Type.METRIC,
            key,
            false,
            Operator.GT,
            learned
                ? List.of(usual(Severity.WARNING))
                : List.of(level(Severity.WARNING, 90, 85), level(Severity.CRITICAL, 95, 90)));
    switch (i % 10) {
      case 0, 1 -> trigger = new Trigger(3, 5, Duration.ZERO, 2);
      case 6 -> {
        scope = tagged("app=" + i);
        special =
            List.of(
                new Threshold.Special(
                    "test",
                    tagged("env=" + i),
                    true,
                    List.of(learned ? usual(Severity.WARNING) : level(Severity.WARNING, 95, 90)),
                    null));
      }
      case 7 ->
          condition =
              new Condition(
                  Condition.Type.METRIC,
                  key,
                  false,
                  Operator.GT,
                  List.of(
                      new Level(
                          Severity.WARNING,
                          new Bound.OfKey(false, "group|metric" + (i + 7) % METRICS, 3, 80),
                          null,
                          null,
                          null,
                          null,
                          null)));
      case 8 ->
          condition =
              new Condition(
                  Condition.Type.NO_DATA,
                  key,
                  false,
                  null,
                  List.of(
                      new Level(
                          Severity.WARNING, null, null, null, null, null, Duration.ofMinutes(10))));
      case 9 ->
          condition =
              new Condition(
                  Condition.Type.PROPERTY,
                  STATE,
                  false,
                  Operator.NE,
                  List.of(
                      new Level(
                          Severity.WARNING, null, null, null, null, "guestToolsRunning", null)));
      default -> {}
    }
    return new Threshold(
        new UUID(1, i),
        "threshold " + i,
        "",
        true,
        VM,
        scope,
        condition,
        trigger,
        special,
        null,
        Duration.ofMinutes(1),
        1);
  }

  private static Level level(Severity severity, double bound, double clear) {
    return new Level(
        severity, new Bound.Fixed(bound), null, new Bound.Fixed(clear), null, null, null);
  }

  private static Level usual(Severity severity) {
    return new Level(
        severity, new Bound.Learned(Sensitivity.MEDIUM, 1, 0.05), null, null, null, null, null);
  }

  private static Scope tagged(String tag) {
    return new Scope(
        new ScopeCondition(
            List.of(), List.of(), List.of(tag), List.of(), null, List.of(), List.of()),
        List.of());
  }

  /** Bounds that are others in each hour; how they are read is measured by {@link LearningLoad}. */
  private static final class Bands implements LearnedBands {
    private final int objects;
    private final Map<String, LearnedRange> ofHour = new HashMap<>();
    private long hour;

    Bands(int objects) {
      this.objects = objects;
    }

    @Override
    public LearnedRange at(ObjectKind kind, String key, ObjectGraph graph, long millis) {
      if (millis / 3_600_000 != hour) {
        hour = millis / 3_600_000;
        ofHour.clear();
      }
      return ofHour.computeIfAbsent(key, k -> range());
    }

    @Override
    public @Nullable LearnedRange at(
        ObjectKind kind, Instances instances, ObjectGraph graph, long millis) {
      return null;
    }

    private LearnedRange range() {
      float[] lower = new float[objects];
      float[] upper = new float[objects];
      float[] spread = new float[objects];
      Arrays.fill(lower, 15 + hour % 3);
      Arrays.fill(upper, 80 - hour % 3);
      Arrays.fill(spread, 2);
      return new LearnedRange(lower, upper, spread);
    }
  }

  /**
   * Values that change from tick to tick; the share that violates stays, and so do most of them.
   */
  private static final class World implements Frame {
    private final ObjectGraph graph;
    private final double share;
    private final Random random = new Random(1);
    private final Map<String, Column> columns = new HashMap<>();
    private final double[] bad;
    private long time;

    World(ObjectGraph graph, int objects, double share) {
      this.graph = graph;
      this.share = share;
      this.bad = new double[objects];
      for (int i = 0; i < objects; i++) {
        bad[i] = random.nextDouble();
      }
      @Nullable String[] texts = new String[objects];
      for (int i = 0; i < objects; i++) {
        texts[i] = bad[i] < share ? "guestToolsNotRunning" : "guestToolsRunning";
      }
      columns.put(STATE, Column.of(texts));
    }

    void move(long now) {
      time = now;
      for (int metric = 0; metric < METRICS; metric++) {
        double[] values = new double[bad.length];
        long[] times = new long[bad.length];
        for (int i = 0; i < values.length; i++) {
          boolean violates = bad[i] < share && random.nextInt(20) > 0;
          values[i] = (violates ? 91 : 20) + random.nextDouble() * 8;
          times[i] = now - 10_000;
        }
        columns.put("group|metric" + metric, new Column(values, null, null, times));
      }
    }

    @Override
    public long time() {
      return time;
    }

    @Override
    public ObjectGraph objects() {
      return graph;
    }

    @Override
    public @Nullable Column column(ObjectKind kind, String key) {
      return columns.get(key);
    }

    @Override
    public @Nullable Instances instances(ObjectKind kind, String attribute) {
      return null;
    }
  }
}
