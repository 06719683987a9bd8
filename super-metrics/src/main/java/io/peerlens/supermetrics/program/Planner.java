package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Operator;
import io.peerlens.supermetrics.formula.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Planner that turns a checked formula into steps for one kind of objects. Steps that exist already
 * are shared.
 *
 * <p>Where a formula has a set, the arithmetic on it is done once for each member, however many
 * objects have it in their set. Only where a value of the object itself takes part, as in {@code
 * sum(${members} / ${this, ...})}, are the pairs of object and member spread out.
 */
final class Planner {

  /** A part of a formula: its step, and the way to the members if it is a set. */
  private record Planned(Node node, Node.@Nullable Way way, boolean pairs) {
    static Planned rows(Node node) {
      return new Planned(node, null, false);
    }
  }

  private final Map<Node, Node> steps;
  private final Formula formula;
  private final ObjectKind kind;
  private final Set<UUID> previous;
  private final long seed;

  /**
   * A planner of one formula.
   *
   * @param steps those of other formulas, which this one adds to
   * @param kind the formula is computed for
   * @param previous super metrics whose last stored value is read, not that of this run
   */
  Planner(Map<Node, Node> steps, Formula formula, UUID id, ObjectKind kind, Set<UUID> previous) {
    this.steps = steps;
    this.formula = formula;
    this.kind = kind;
    this.previous = previous;
    this.seed = id.getMostSignificantBits() ^ id.getLeastSignificantBits();
  }

  Node plan() {
    return one(formula.tree());
  }

  private <N extends Node> N step(N node) {
    @SuppressWarnings("unchecked") // equal steps are of one class
    N known = (N) steps.computeIfAbsent(node, n -> n);
    return known;
  }

  /** A part that yields one value for each object. */
  private Node one(Expr expr) {
    return plan(expr, false).node();
  }

  /**
   * A part of a formula.
   *
   * @param several whether it stands in a looping function, so that it may be a set
   */
  private Planned plan(Expr expr, boolean several) {
    return switch (expr) {
      case Expr.Number(double value, Span at) -> Planned.rows(step(new Node.Constant(value)));
      case Expr.Negative(Expr of, Span at) -> {
        Planned planned = plan(of, several);
        yield new Planned(step(new Node.Negative(planned.node())), planned.way(), planned.pairs());
      }
      case Expr.Not(Expr of, Span at) -> {
        Planned planned = plan(of, several);
        yield new Planned(step(new Node.Not(planned.node())), planned.way(), planned.pairs());
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) -> {
        List<Planned> sides = aligned(List.of(plan(left, several), plan(right, several)));
        Node node = new Node.Binary(operator, sides.get(0).node(), sides.get(1).node());
        yield new Planned(step(node), sides.getFirst().way(), sides.getFirst().pairs());
      }
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) -> {
        List<Planned> parts =
            aligned(List.of(plan(condition, several), plan(yes, several), plan(no, several)));
        Node node = new Node.Choice(parts.get(0).node(), parts.get(1).node(), parts.get(2).node());
        yield new Planned(step(node), parts.getFirst().way(), parts.getFirst().pairs());
      }
      case Expr.Call(Function function, List<Expr> arguments, Span at) ->
          Planned.rows(call(function, arguments, at));
      case Expr.Named(Expr of, String name, Span at) -> plan(of, several);
      case Expr.Alias(String name, Span at) -> plan(meaning(name), several);
      case Expr.Entry entry -> {
        Planned planned = entry(entry, false);
        yield planned.way() == null || several
            ? planned
            : Planned.rows(step(new Node.Only(planned.way(), planned.node())));
      }
      case Expr.Array array -> throw unchecked(array);
      case Expr.Text text -> throw unchecked(text);
      case Expr.Value value -> throw unchecked(value);
      case Expr.OtherKey key -> throw unchecked(key);
      case Expr.Fresh fresh -> throw unchecked(fresh);
      case Expr.Bad bad -> throw unchecked(bad);
    };
  }

  private IllegalStateException unchecked(Expr expr) {
    return new IllegalStateException(
        "a formula that the checker refuses cannot be computed: " + expr + "\n" + formula.render());
  }

  private Expr meaning(String alias) {
    Expr expr = formula.named(alias);
    if (expr == null) {
      throw new IllegalStateException("no alias " + alias);
    }
    return expr;
  }

  // Sets ----------------------------------------------------------------------------------------

  /**
   * Brings operands to the same members. Values that are the same for all objects go with anything;
   * if a value of each object meets a set, all are spread out to pairs.
   */
  private List<Planned> aligned(List<Planned> operands) {
    Node.Way way = null;
    boolean pairs = false;
    boolean rows = false;
    for (Planned operand : operands) {
      if (operand.way() != null) {
        way = operand.way();
        pairs |= operand.pairs();
      } else {
        rows |= !sameForAll(operand.node());
      }
    }
    if (way == null) {
      return operands;
    }
    boolean spread = pairs || rows;
    if (spread && way.from() == null) {
      way = way.of(kind); // the same members for all, but no longer the same values
    }
    List<Planned> aligned = new ArrayList<>();
    for (Planned operand : operands) {
      Node node = operand.node();
      if (spread && operand.way() != null && !operand.pairs()) {
        node = step(new Node.Gather(way, node));
      } else if (spread && operand.way() == null && !sameForAll(node)) {
        node = step(new Node.Spread(way, node));
      }
      aligned.add(new Planned(node, way, spread));
    }
    return aligned;
  }

  static boolean sameForAll(Node node) {
    return switch (node) {
      case Node.Constant constant -> true;
      case Node.Named named -> true;
      case Node.Negative(Node of) -> sameForAll(of);
      case Node.Not(Node of) -> sameForAll(of);
      case Node.Binary(Operator operator, Node left, Node right) ->
          sameForAll(left) && sameForAll(right);
      case Node.Choice(Node condition, Node yes, Node no) ->
          sameForAll(condition) && sameForAll(yes) && sameForAll(no);
      case Node.Apply(Function function, List<Node> arguments) ->
          arguments.stream().allMatch(Planner::sameForAll);
      case Node.Loop loop ->
          loop.parts().stream()
              .allMatch(
                  part ->
                      (part.guard() == null || sameForAll(part.guard()))
                          && (part.way() == null
                              ? sameForAll(part.values())
                              : part.way().from() == null));
      case Node.Only only -> false;
      case Node.Random random -> false;
      case Node.Values values -> false;
      case Node.Spread spread -> false;
      case Node.Gather gather -> false;
    };
  }

  private Node call(Function function, List<Expr> arguments, Span at) {
    if (function == Function.RAND) {
      return step(new Node.Random(kind, seed(seed, at)));
    }
    if (function.isLooping()) {
      List<Node.Part> parts = new ArrayList<>();
      boolean presence = function == Function.COUNT;
      collect(arguments.getFirst(), null, presence, UnaryOperator.identity(), parts);
      return step(new Node.Loop(function, parts, kind));
    }
    return step(new Node.Apply(function, arguments.stream().map(this::one).toList()));
  }

  /** Every {@code rand()} of a formula yields numbers of its own. */
  static long seed(long formula, Span at) {
    return formula + 31L * at.start();
  }

  /**
   * Takes the argument of a looping function apart: what is in its arrays, and for which objects
   * each member is taken.
   *
   * @param guard for which objects; null = all
   * @param presence whether texts are values too
   * @param around calculation that the array stands in, to be done with each member
   */
  private void collect(
      Expr expr,
      @Nullable Node guard,
      boolean presence,
      UnaryOperator<Expr> around,
      List<Node.Part> parts) {
    switch (expr) {
      case Expr.Array(List<Expr> members, Span at) ->
          members.forEach(member -> collect(member, guard, presence, around, parts));
      case Expr.Named(Expr of, String name, Span at) -> collect(of, guard, presence, around, parts);
      case Expr.Alias(String name, Span at) ->
          collect(meaning(name), guard, presence, around, parts);
      case Expr.Call(Function function, List<Expr> arguments, Span at)
          when function == Function.COMBINE ->
          collect(arguments.getFirst(), guard, presence, around, parts);
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at)
          when !isSet(condition) && (presence || isSeveral(yes) || isSeveral(no)) -> {
        Node untrue = step(new Node.Not(one(condition)));
        collect(yes, and(guard, step(new Node.Not(untrue))), presence, around, parts);
        collect(no, and(guard, untrue), presence, around, parts);
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) when isArray(left) ->
          collect(
              left,
              guard,
              false,
              member -> around.apply(new Expr.Binary(operator, member, right, at)),
              parts);
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) when isArray(right) ->
          collect(
              right,
              guard,
              false,
              member -> around.apply(new Expr.Binary(operator, left, member, at)),
              parts);
      case Expr.Negative(Expr of, Span at) when isArray(of) ->
          collect(of, guard, false, m -> around.apply(new Expr.Negative(m, at)), parts);
      case Expr.Not(Expr of, Span at) when isArray(of) ->
          collect(of, guard, false, m -> around.apply(new Expr.Not(m, at)), parts);
      case Expr.Entry entry when presence -> add(entry(entry, true), guard, parts);
      default -> add(plan(around.apply(expr), true), guard, parts);
    }
  }

  private Node and(@Nullable Node guard, Node condition) {
    return guard == null ? condition : step(new Node.Binary(Operator.AND, guard, condition));
  }

  private static void add(Planned planned, @Nullable Node guard, List<Node.Part> parts) {
    parts.add(new Node.Part(guard, planned.node(), planned.way(), planned.pairs()));
  }

  /** Whether a part is an array, however it is written. */
  private boolean isArray(Expr expr) {
    return switch (expr) {
      case Expr.Array array -> true;
      case Expr.Named(Expr of, String name, Span at) -> isArray(of);
      case Expr.Alias(String name, Span at) -> isArray(meaning(name));
      case Expr.Call(Function function, List<Expr> arguments, Span at) ->
          function == Function.COMBINE;
      case Expr.Negative(Expr of, Span at) -> isArray(of);
      case Expr.Not(Expr of, Span at) -> isArray(of);
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) ->
          isArray(left) || isArray(right);
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) ->
          isArray(yes) || isArray(no) || (!isSet(condition) && (isSet(yes) || isSet(no)));
      default -> false;
    };
  }

  private boolean isSeveral(Expr expr) {
    return isArray(expr) || isSet(expr);
  }

  private boolean isSet(Expr expr) {
    return switch (expr) {
      case Expr.Entry entry -> !entry.isSingle();
      case Expr.Named(Expr of, String name, Span at) -> isSet(of);
      case Expr.Alias(String name, Span at) -> isSet(meaning(name));
      case Expr.Negative(Expr of, Span at) -> isSet(of);
      case Expr.Not(Expr of, Span at) -> isSet(of);
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) ->
          isSet(left) || isSet(right);
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) -> isSet(condition);
      default -> false;
    };
  }

  // Entries -------------------------------------------------------------------------------------

  private Planned entry(Expr.Entry entry, boolean presence) {
    ObjectKind of =
        entry.adapterKind() == null || entry.objectKind() == null
            ? kind
            : new ObjectKind(entry.adapterKind(), entry.objectKind());
    Expr where = entry.where() == null ? null : entry.where().condition().unplaced();
    Node.Values values =
        step(
            new Node.Values(
                of,
                entry.key(),
                entry.attribute(),
                previousKeys(entry),
                where,
                presence,
                entry.defaultValue()));
    if (entry.objectName() != null) {
      if (!entry.attribute()) {
        return Planned.rows(step(new Node.Named(values, entry.objectName(), entry.identifiers())));
      }
      return new Planned(
          values,
          new Node.Way(null, of, 0, members(values), entry.objectName(), entry.identifiers()),
          false);
    }
    if (entry.self()) {
      return entry.attribute()
          ? new Planned(values, new Node.Way(kind, kind, 0, members(values), null, Map.of()), false)
          : Planned.rows(values);
    }
    Node.Values members = entry.attribute() ? members(values) : null;
    return new Planned(
        values, new Node.Way(kind, of, entry.levels(), members, null, Map.of()), false);
  }

  /** Those keys of an entry whose last stored value is meant. */
  private Set<String> previousKeys(Expr.Entry entry) {
    Set<String> keys = new HashSet<>();
    entry.walk(
        part -> {
          String key =
              part instanceof Expr.OtherKey other
                  ? other.key()
                  : part instanceof Expr.Entry ? entry.key() : "";
          UUID superMetric = Keys.superMetric(key);
          if (superMetric != null && previous.contains(superMetric)) {
            keys.add(key);
          }
        });
    return Set.copyOf(keys);
  }

  /** The step that says which instances an attribute has, whatever is asked of them. */
  private Node.Values members(Node.Values values) {
    Set<String> previous =
        values.previous().contains(values.key()) ? Set.of(values.key()) : Set.of();
    return step(new Node.Values(values.kind(), values.key(), true, previous, null, false, null));
  }

  /** A new table of shared steps. */
  static Map<Node, Node> steps() {
    return new HashMap<>();
  }
}
