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
 * metric against another; one asks for missing data; one compares the text of a property.
 *
 * <p>Arguments: number of objects, number of thresholds, percent of values that violate; {@code
 * learned} as a fourth = all thresholds hold metrics against learned bounds, which are there.
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
        "| objects | thresholds | violating | open | rows a tick | ms CPU, median | least | bytes |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    if (arguments.length >= 3) {
      measure(
          Integer.parseInt(arguments[0]),
          Integer.parseInt(arguments[1]),
          Double.parseDouble(arguments[2]),
          arguments.length > 3 && arguments[3].equals("learned"));
      return;
    }
    for (double percent : new double[] {0, 0.1, 1, 10}) {
      measure(100_000, 200, percent, false);
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
      thresholds.add(learned ? learned(i) : threshold(i));
    }
    Map<Scope, boolean[]> members = new HashMap<>();
    ScopeFlags scopes =
        (scope, kind, of) ->
            scope.equals(Scope.ALL) ? null : members.computeIfAbsent(scope, s -> flags(s, objects));
    ThresholdStage stage =
        new ThresholdStage(
            null,
            scopes,
            () -> new Usual(objects),
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
      Symptoms symptoms = stage.run(world, thresholds, tick, Instant.MIN);
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
        "| %,d | %,d | %s %% | %,d | %,d | %.1f | %.1f | %,d |%n",
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

  /** Above what is usual, at two severities. */
  private static Threshold learned(int i) {
    Condition condition =
        new Condition(
            Condition.Type.METRIC,
            "group|metric" + i % METRICS,
            false,
            Operator.GT,
            List.of(
                new Level(
                    Severity.WARNING,
                    new Bound.Learned(Sensitivity.MEDIUM, 1, 0.1),
                    null,
                    null,
                    null,
                    null,
                    null),
                new Level(
                    Severity.CRITICAL,
                    new Bound.Learned(Sensitivity.LOW, 5, 0.1),
                    null,
                    null,
                    null,
                    null,
                    null)));
    return threshold(i, Scope.ALL, condition, Trigger.AT_ONCE, List.of());
  }

  private static Threshold threshold(int i) {
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
            List.of(level(Severity.WARNING, 90, 85), level(Severity.CRITICAL, 95, 90)));
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
                    List.of(level(Severity.WARNING, 95, 90)),
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
    return threshold(i, scope, condition, trigger, special);
  }

  private static Threshold threshold(
      int i, Scope scope, Condition condition, Trigger trigger, List<Threshold.Special> special) {
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

  private static Scope tagged(String tag) {
    return new Scope(
        new ScopeCondition(
            List.of(), List.of(), List.of(tag), List.of(), null, List.of(), List.of()),
        List.of());
  }

  /** The same is usual of all machines at all times. */
  private static final class Usual implements LearnedBands {
    private final LearnedRange range;

    Usual(int objects) {
      range = new LearnedRange(new float[objects], new float[objects], new float[objects]);
      Arrays.fill(range.upper(), 70);
      Arrays.fill(range.spread(), 2);
    }

    @Override
    public LearnedRange at(ObjectKind kind, String key, ObjectGraph objects, long millis) {
      return range;
    }

    @Override
    public @Nullable LearnedRange at(
        ObjectKind kind, Instances instances, ObjectGraph objects, long millis) {
      return null; // instances are not judged
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
