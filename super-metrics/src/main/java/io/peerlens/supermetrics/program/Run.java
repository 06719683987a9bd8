package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program on one frame: computes steps and remembers them. A column of length 1 is the
 * same value for everything. Not thread-safe.
 */
final class Run {

  /** Members of sets, flat: which values of a step belong to each object. */
  record Members(int[] offsets, int[] elements) {}

  private record KindKey(ObjectKind kind, String key) {}

  private final Frame frame;
  private final ObjectGraph objects;
  private final Buffers buffers;
  private final Program.Options options;
  private final Map<Node, double[]> columns = new IdentityHashMap<>();
  private final Map<Node.Way, Members> members = new HashMap<>();
  private final Map<Node, Instances> instances = new IdentityHashMap<>();
  private final Map<KindKey, Column> computed = new HashMap<>();
  private final Map<Node, Budget.Exceeded> tooLong = new IdentityHashMap<>();
  private final Budget budget;

  Run(Frame frame, Buffers buffers, Program.Options options) {
    this.frame = frame;
    this.objects = frame.objects();
    this.buffers = buffers;
    this.options = options;
    this.budget = new Budget(options.ticker(), options.formulaBudget());
  }

  Frame frame() {
    return frame;
  }

  Program.Options options() {
    return options;
  }

  /** The time of the formula that is computed now. */
  Budget budget() {
    return budget;
  }

  /** Result of a super metric, which others read instead of what is stored. */
  void computed(ObjectKind kind, String key, double[] values) {
    computed.put(new KindKey(kind, key), Column.of(values));
  }

  void release(Node node) {
    double[] column = columns.remove(node);
    if (column != null && !isBorrowed(node)) {
      buffers.give(column);
    }
    instances.remove(node);
  }

  /** Whether a step's column belongs to the frame or to the result of another formula. */
  private static boolean isBorrowed(Node node) {
    return node instanceof Node.Values values && values.isPlain();
  }

  /** A step's column that nobody else will read or change; at most one caller may take it. */
  double @Nullable [] taken(Node node) {
    return isBorrowed(node) ? null : columns.remove(node);
  }

  double[] column(Node node) {
    double[] known = columns.get(node);
    if (known == null) {
      known = compute(node, budget.check());
      columns.put(node, known);
    }
    return known;
  }

  /** A step's column with one value for each of so many. */
  private double[] column(Node node, int length) {
    double[] column = column(node);
    return column.length == length ? column : widened(column[0], length);
  }

  private double[] widened(double value, int length) {
    double[] out = buffers.take(length);
    Arrays.fill(out, value);
    temporary.add(out);
    return out;
  }

  private final List<double[]> temporary = new ArrayList<>();

  /**
   * Computes a step. If it took most of a formula's time in vain, the next formula that needs it is
   * not to try again: many formulas that share such a step would hold the tick up one by one.
   *
   * @param left how much of the formula's time is left, from 0 to 1
   */
  private double[] compute(Node node, double left) {
    Budget.Exceeded before = tooLong.get(node);
    if (before != null) {
      throw before;
    }
    try {
      return compute(node);
    } catch (Budget.Exceeded e) {
      temporary.clear();
      if (left > 0.5) {
        tooLong.put(node, e);
      }
      throw e;
    }
  }

  private double[] compute(Node node) {
    return switch (node) {
      case Node.Constant(double value) -> new double[] {value};
      case Node.Random(ObjectKind kind, long seed) -> random(kind, seed);
      case Node.Values values -> values(values);
      case Node.Named named -> new double[] {named(named)};
      case Node.Negative(Node of) -> {
        double[] a = column(of);
        double[] out = buffers.take(a.length);
        budget.each(out.length, (from, to) -> Arithmetic.negative(a, out, from, to));
        yield out;
      }
      case Node.Not(Node of) -> {
        double[] a = column(of);
        double[] out = buffers.take(a.length);
        budget.each(out.length, (from, to) -> Arithmetic.not(a, out, from, to));
        yield out;
      }
      case Node.Binary(Operator operator, Node left, Node right) -> {
        int length = longest(column(left), column(right));
        double[] out = buffers.take(length);
        double[] a = column(left, length);
        double[] b = column(right, length);
        budget.each(length, (from, to) -> Arithmetic.binary(operator, a, b, out, from, to));
        yield done(out);
      }
      case Node.Choice(Node condition, Node yes, Node no) -> {
        int length = longest(column(condition), column(yes), column(no));
        double[] out = buffers.take(length);
        double[] chosen = column(condition, length);
        double[] a = column(yes, length);
        double[] b = column(no, length);
        budget.each(length, (from, to) -> Arithmetic.choice(chosen, a, b, out, from, to));
        yield done(out);
      }
      case Node.Apply(Function function, List<Node> arguments) -> apply(function, arguments);
      case Node.Spread(Node.Way way, Node of) -> spread(way, column(of));
      case Node.Gather(Node.Way way, Node of) -> gather(way, column(of));
      case Node.Loop loop -> loop(loop);
      case Node.Only(Node.Way way, Node of) -> only(way, column(of));
    };
  }

  /** How long the result is of columns that may be the same for everything; 0 if one is empty. */
  private static int longest(double[]... columns) {
    int longest = 1;
    for (double[] column : columns) {
      if (column.length == 0) {
        return 0;
      }
      longest = Math.max(longest, column.length);
    }
    return longest;
  }

  private double[] done(double[] out) {
    temporary.forEach(buffers::give);
    temporary.clear();
    return out;
  }

  private double[] apply(Function function, List<Node> arguments) {
    if (arguments.size() == 1) {
      double[] a = column(arguments.getFirst());
      double[] out = buffers.take(a.length);
      budget.each(out.length, (from, to) -> Arithmetic.apply(function, a, out, from, to));
      return out;
    }
    Node first = arguments.get(0);
    Node second = arguments.get(1);
    int length = longest(column(first), column(second));
    double[] out = buffers.take(length);
    double[] a = column(first, length);
    double[] b = column(second, length);
    budget.each(length, (from, to) -> Arithmetic.apply(function, a, b, out, from, to));
    return done(out);
  }

  private double[] random(ObjectKind kind, long seed) {
    double[] out = buffers.take(objects.count(kind));
    int[] ids = objects.ids(kind);
    long time = frame.time();
    budget.each(
        out.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            out[i] = Arithmetic.random(seed, time, ids[i]);
          }
        });
    return out;
  }

  // Values ---------------------------------------------------------------------------------------

  private double[] values(Node.Values node) {
    if (!node.attribute()) {
      return finish(node, source(node), key -> source(node, key));
    }
    Instances of = instances(node);
    return finish(node, of.values(), key -> perInstance(of, source(node, key)));
  }

  private double[] finish(Node.Values node, Column column, Conditions.OtherKeys others) {
    if (node.isPlain()) {
      return column.numbers();
    }
    int length = column.length();
    double[] out = buffers.take(length);
    Double fallback = node.fallback();
    budget.each(
        length,
        (from, to) -> {
          System.arraycopy(column.numbers(), from, out, from, to - from);
          for (int i = from; i < to && (node.presence() || fallback != null); i++) {
            if (!column.isPresent(i)) {
              out[i] = fallback(node);
            } else if (node.presence()) {
              out[i] = 1;
            }
          }
        });
    if (node.where() != null) {
      Column tested = fallback == null ? column : withFallback(column, fallback);
      Conditions conditions = new Conditions(tested, others, buffers, budget);
      double[] holds = conditions.test(node.where());
      budget.each(
          length,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              out[i] = Operator.isTrue(holds[i]) ? out[i] : Double.NaN;
            }
          });
      conditions.close();
    }
    return out;
  }

  /** The column with a default where nothing is, which counts as fresh. */
  private static Column withFallback(Column column, double fallback) {
    double[] numbers = column.numbers().clone();
    boolean[] fresh = column.fresh() == null ? null : column.fresh().clone();
    for (int i = 0; i < numbers.length; i++) {
      if (!column.isPresent(i)) {
        numbers[i] = fallback;
        if (fresh != null) {
          fresh[i] = true;
        }
      }
    }
    return new Column(numbers, column.texts(), fresh);
  }

  private Column perInstance(Instances of, Column objects) {
    int length = of.values().length();
    double[] numbers = new double[length];
    @Nullable String[] texts = objects.texts() == null ? null : new String[length];
    boolean[] fresh = objects.fresh() == null ? null : new boolean[length];
    for (int object = 0; object < of.objects(); object++) {
      budget.spent(of.offsets()[object + 1] - of.offsets()[object] + 1);
      for (int i = of.offsets()[object]; i < of.offsets()[object + 1]; i++) {
        numbers[i] = objects.numbers()[object];
        if (texts != null && objects.texts() != null) {
          texts[i] = objects.texts()[object];
        }
        if (fresh != null && objects.fresh() != null) {
          fresh[i] = objects.fresh()[object];
        }
      }
    }
    return new Column(numbers, texts, fresh);
  }

  /** The values that a step is about, before its condition. */
  Column source(Node.Values node) {
    return node.attribute() ? instances(node).values() : source(node, node.key());
  }

  private Column source(Node.Values node, String key) {
    return source(node.kind(), key, node.previous().contains(key));
  }

  /** One key of all objects of a kind; of {@code *}, the kinds one after the other. */
  private Column source(ObjectKind kind, String key, boolean previous) {
    if (!kind.isEvery()) {
      Column column = previous ? null : computed.get(new KindKey(kind, key));
      column = column == null ? frame.column(kind, key) : column;
      return column == null ? Column.none(objects.count(kind)) : column;
    }
    int length = objects.count(kind);
    double[] numbers = new double[length];
    @Nullable String[] texts = null;
    boolean[] fresh = null;
    int at = 0;
    for (ObjectKind one : objects.kindsOf(kind)) {
      Column column = source(one, key, previous);
      System.arraycopy(column.numbers(), 0, numbers, at, column.length());
      if (column.texts() != null) {
        texts = texts == null ? new String[length] : texts;
        System.arraycopy(column.texts(), 0, texts, at, column.length());
      }
      if (column.fresh() != null) {
        if (fresh == null) {
          fresh = new boolean[length];
          Arrays.fill(fresh, true);
        }
        System.arraycopy(column.fresh(), 0, fresh, at, column.length());
      }
      at += column.length();
    }
    return new Column(numbers, texts, fresh);
  }

  /** Whether any object of the kind has the key, now or at another time. */
  boolean isKnown(Node.Values node) {
    String key = node.key();
    return objects.kindsOf(node.kind()).stream()
        .anyMatch(
            one ->
                (!node.previous().contains(key) && computed.containsKey(new KindKey(one, key)))
                    || (node.attribute() ? frame.instances(one, key) : frame.column(one, key))
                        != null);
  }

  Instances instances(Node.Values node) {
    return instances.computeIfAbsent(
        node, n -> instances(node.kind(), node.key(), node.previous().contains(node.key())));
  }

  private Instances instances(ObjectKind kind, String key, boolean previous) {
    if (!kind.isEvery()) {
      Column column = previous ? null : computed.get(new KindKey(kind, key));
      if (column != null) {
        return Instances.of(key, column);
      }
      Instances found = frame.instances(kind, key);
      return found == null ? Instances.none(objects.count(kind)) : found;
    }
    List<Instances> parts =
        objects.kindsOf(kind).stream().map(one -> instances(one, key, previous)).toList();
    return Instances.joined(parts);
  }

  private double named(Node.Named named) {
    int number = objects.find(named.of().kind(), named.name(), named.identifiers());
    return number < 0 ? fallback(named.of()) : column(named.of())[number];
  }

  private static double fallback(Node.Values values) {
    return values.fallback() == null ? Double.NaN : values.presence() ? 1 : values.fallback();
  }

  // Sets -----------------------------------------------------------------------------------------

  Members members(Node.Way way) {
    Members known = members.get(way);
    if (known == null) {
      known = find(way);
      members.put(way, known);
    }
    return known;
  }

  private Members find(Node.Way way) {
    ObjectGraph.Related related;
    if (way.name() != null) {
      int number = objects.find(way.to(), way.name(), way.identifiers());
      related = same(number, way.from() == null ? 1 : objects.count(way.from()));
    } else if (way.from() != null) {
      related = objects.related(way.from(), way.to(), way.depth(), budget);
    } else {
      throw new IllegalStateException("a way from nowhere: " + way);
    }
    if (way.attribute() == null) {
      return new Members(related.offsets(), related.members());
    }
    int[] instanceOffsets = instances(way.attribute()).offsets();
    int[] offsets = new int[related.offsets().length];
    long total = 0;
    for (int member : related.members()) {
      total += instanceOffsets[member + 1] - instanceOffsets[member];
    }
    if (total > options.mostMembers()) {
      throw new Budget.Exceeded("more than " + options.mostMembers() + " instances");
    }
    int[] elements = new int[(int) total];
    int at = 0;
    for (int row = 0; row + 1 < offsets.length; row++) {
      for (int m = related.offsets()[row]; m < related.offsets()[row + 1]; m++) {
        int member = related.members()[m];
        budget.spent(instanceOffsets[member + 1] - instanceOffsets[member] + 1);
        for (int i = instanceOffsets[member]; i < instanceOffsets[member + 1]; i++) {
          elements[at++] = i;
        }
      }
      offsets[row + 1] = at;
    }
    return new Members(offsets, elements);
  }

  /** The same object for each of so many; -1 = none. */
  private static ObjectGraph.Related same(int number, int rows) {
    int[] offsets = new int[rows + 1];
    if (number < 0) {
      return new ObjectGraph.Related(offsets, new int[0]);
    }
    Arrays.setAll(offsets, i -> i);
    int[] members = new int[rows];
    Arrays.fill(members, number);
    return new ObjectGraph.Related(offsets, members);
  }

  private double[] spread(Node.Way way, double[] rows) {
    Members set = members(way);
    double[] out = buffers.take(set.elements().length);
    for (int row = 0; row + 1 < set.offsets().length; row++) {
      double value = rows[rows.length == 1 ? 0 : row];
      budget.spent(set.offsets()[row + 1] - set.offsets()[row] + 1);
      Arrays.fill(out, set.offsets()[row], set.offsets()[row + 1], value);
    }
    return out;
  }

  private double[] gather(Node.Way way, double[] values) {
    int[] elements = members(way).elements();
    double[] out = buffers.take(elements.length);
    budget.each(
        out.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            out[i] = values[values.length == 1 ? 0 : elements[i]];
          }
        });
    return out;
  }

  private double[] loop(Node.Loop loop) {
    int rows = Planner.sameForAll(loop) ? 1 : objects.count(loop.kind());
    double[] result = buffers.take(rows);
    double[] counts = buffers.take(rows);
    Aggregates aggregates = new Aggregates(loop.function(), result, counts, budget);
    for (Node.Part part : loop.parts()) {
      double[] guard = part.guard() == null ? null : column(part.guard());
      if (part.way() == null) {
        aggregates.add(column(part.values()), guard);
      } else {
        Members set = members(part.way());
        int[] elements = part.pairs() ? null : set.elements();
        aggregates.addSets(set.offsets(), elements, column(part.values()), guard);
      }
    }
    aggregates.finish(options.emptyIsZero() ? 0 : Double.NaN);
    buffers.give(counts);
    return result;
  }

  private double[] only(Node.Way way, double[] values) {
    Members set = members(way);
    int rows = set.offsets().length - 1;
    double[] out = buffers.take(rows);
    for (int row = 0; row < rows; row++) {
      double only = Double.NaN;
      int found = 0;
      budget.spent(set.offsets()[row + 1] - set.offsets()[row] + 1);
      for (int i = set.offsets()[row]; i < set.offsets()[row + 1]; i++) {
        double value = values[set.elements()[i]];
        if (!Double.isNaN(value)) {
          only = value;
          found++;
        }
      }
      out[row] = found == 1 ? only : Double.NaN;
    }
    return out;
  }
}
