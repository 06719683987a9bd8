package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Several super metrics, ready to be computed together: in the order of what reads what, each step
 * once however many formulas need it. Immutable and thread-safe.
 *
 * <p>A super metric that reads another one sees what this run has computed for it. Those that read
 * one another in a circle see the last stored values.
 */
public final class Program {

  /**
   * Options of computing.
   *
   * @param emptyIsZero whether sum, avg, min and max over nothing are 0; if not, there is no value.
   *     What vROps does is not documented; a published formula makes sense only with 0.
   * @param formulaBudget how long one formula may compute; the clock is looked at between steps and
   *     within long ones
   * @param mostMembers how many instances the sets of one entry may hold over all objects
   * @param ticker a clock in nanoseconds, as {@link System#nanoTime}
   */
  public record Options(
      boolean emptyIsZero, Duration formulaBudget, int mostMembers, LongSupplier ticker) {

    /** Nothing over nothing, 10 seconds, 50 million instances. */
    public static final Options DEFAULT =
        new Options(false, Duration.ofSeconds(10), 50_000_000, System::nanoTime);
  }

  /** Objects for which a super metric is switched on. */
  @FunctionalInterface
  public interface Enabled {
    /** Switched on for all. */
    Enabled ALL = (id, kind) -> null;

    /** One flag for each object of the kind; null = all of them. */
    boolean @Nullable [] of(UUID id, ObjectKind kind);
  }

  private record Unit(Definition definition, ObjectKind kind, Node root, List<Node> lastUses) {}

  private final List<Unit> units;
  private final Set<Input> inputs;
  private final Dependencies dependencies;
  private final Options options;

  private Program(List<Unit> units, Set<Input> inputs, Dependencies dependencies, Options options) {
    this.units = List.copyOf(units);
    this.inputs = inputs;
    this.dependencies = dependencies;
    this.options = options;
  }

  /** Makes a program of super metrics. */
  public static Program of(Collection<Definition> definitions, Options options) {
    Map<UUID, Definition> byId = new HashMap<>();
    definitions.forEach(definition -> byId.put(definition.id(), definition));
    Dependencies dependencies = Dependencies.of(byId.values());
    Map<Node, Node> steps = Planner.steps();
    List<Unit> planned = new ArrayList<>();
    Set<Input> inputs = new LinkedHashSet<>();
    for (UUID id : dependencies.order()) {
      Definition definition = byId.get(id);
      if (definition == null) {
        continue;
      }
      Set<UUID> previous = dependencies.cycle(id);
      for (ObjectKind kind : definition.kinds()) {
        Node root = new Planner(steps, definition.formula(), id, kind, previous).plan();
        planned.add(new Unit(definition, kind, root, List.of()));
        for (Input input : Dependencies.inputs(definition.formula().tree(), kind)) {
          if (!isComputed(input, byId, previous)) {
            inputs.add(input);
          }
        }
      }
    }
    return new Program(withLastUses(planned), Set.copyOf(inputs), dependencies, options);
  }

  private static boolean isComputed(Input input, Map<UUID, Definition> byId, Set<UUID> previous) {
    UUID id = Keys.superMetric(input.key());
    Definition read = id == null ? null : byId.get(id);
    return read != null
        && !previous.contains(read.id())
        && !input.kind().isEvery()
        && read.kinds().contains(input.kind());
  }

  /** Notes behind which formula each step's column is needed no more. */
  private static List<Unit> withLastUses(List<Unit> planned) {
    Map<Node, Integer> last = new IdentityHashMap<>();
    for (int i = 0; i < planned.size(); i++) {
      int unit = i;
      Steps.walk(planned.get(i).root(), node -> last.put(node, unit));
    }
    List<List<Node>> released = new ArrayList<>();
    planned.forEach(unit -> released.add(new ArrayList<>()));
    last.forEach((node, unit) -> released.get(unit).add(node));
    List<Unit> units = new ArrayList<>();
    for (int i = 0; i < planned.size(); i++) {
      Unit unit = planned.get(i);
      units.add(
          new Unit(unit.definition(), unit.kind(), unit.root(), List.copyOf(released.get(i))));
    }
    return units;
  }

  /** Columns that a frame must hold; what the program computes itself is not among them. */
  public Set<Input> inputs() {
    return inputs;
  }

  /** What reads what, and in which order it is computed. */
  public Dependencies dependencies() {
    return dependencies;
  }

  /**
   * Computes everything. A formula that fails or takes too long has no values; the others go on.
   *
   * @param frame holds at least {@link #inputs}
   */
  public Results run(Frame frame, Enabled enabled) {
    return run(frame, enabled, new Workspace());
  }

  /** Arrays that one run leaves for the next; for one thread at a time. */
  public static final class Workspace {
    private final Buffers buffers = new Buffers();
    private int objects = -1;

    private Buffers buffers(Frame frame) {
      int now = frame.objects().size();
      if (now != objects) {
        buffers.clear();
        objects = now;
      }
      return buffers;
    }
  }

  /**
   * Computes everything with arrays that an earlier run has left.
   *
   * @param frame holds at least {@link #inputs}
   */
  public Results run(Frame frame, Enabled enabled, Workspace workspace) {
    Run run = new Run(frame, workspace.buffers(frame), options);
    List<Results.Result> results = new ArrayList<>();
    for (Unit unit : units) {
      results.add(compute(run, unit, enabled.of(unit.definition().id(), unit.kind())));
    }
    return new Results(List.copyOf(results));
  }

  private Results.Result compute(Run run, Unit unit, boolean @Nullable [] enabled) {
    long start = options.ticker().getAsLong();
    int objects = run.frame().objects().count(unit.kind());
    double[] values;
    Map<Reason, Integer> noData = new EnumMap<>(Reason.class);
    String error = null;
    int computed = 0;
    try {
      run.budget().start();
      values = result(run, unit, objects);
      mask(values, enabled);
      int missing = new NoData(run).count(unit.root(), values, enabled, noData);
      computed = enabledOf(objects, enabled) - missing;
    } catch (Budget.Exceeded | ObjectGraph.TooManyObjects e) {
      error = e.getMessage();
      values = failed(objects, enabled, Reason.OVER_BUDGET, noData);
    } catch (RuntimeException e) {
      error = e.toString();
      values = failed(objects, enabled, Reason.FAILED, noData);
    }
    run.computed(unit.kind(), unit.definition().key(), values);
    unit.lastUses().forEach(run::release);
    long nanos = options.ticker().getAsLong() - start;
    return new Results.Result(
        unit.definition().id(), unit.kind(), values, computed, noData, nanos, error);
  }

  /** The column of a formula, in an array that nothing else uses. */
  private static double[] result(Run run, Unit unit, int objects) {
    double[] column = run.column(unit.root());
    if (column.length == objects && unit.lastUses().contains(unit.root())) {
      double[] own = run.taken(unit.root());
      if (own != null) {
        return own;
      }
    }
    if (column.length == objects) {
      return column.clone();
    }
    double[] values = new double[objects];
    Arrays.fill(values, column[0]);
    return values;
  }

  private static int enabledOf(int objects, boolean @Nullable [] enabled) {
    if (enabled == null) {
      return objects;
    }
    int count = 0;
    for (boolean on : enabled) {
      count += on ? 1 : 0;
    }
    return count;
  }

  private static void mask(double[] values, boolean @Nullable [] enabled) {
    if (enabled != null) {
      for (int i = 0; i < values.length; i++) {
        if (!enabled[i]) {
          values[i] = Double.NaN;
        }
      }
    }
  }

  private static double[] failed(
      int objects, boolean @Nullable [] enabled, Reason reason, Map<Reason, Integer> noData) {
    double[] values = new double[objects];
    Arrays.fill(values, Double.NaN);
    int asked = enabledOf(objects, enabled);
    noData.clear();
    if (asked > 0) {
      noData.put(reason, asked);
    }
    return values;
  }
}
