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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns a checked formula into steps for one kind of objects. Steps that exist already are shared.
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
  private int randoms;

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
    Planned planned = plan(expr);
    return planned.way() == null
        ? planned.node()
        : step(new Node.Only(planned.way(), planned.node()));
  }

  private Planned plan(Expr expr) {
    return switch (expr) {
      case Expr.Number(double value, Span at) -> Planned.rows(step(new Node.Constant(value)));
      case Expr.Negative(Expr of, Span at) -> {
        Planned planned = plan(of);
        yield new Planned(step(new Node.Negative(planned.node())), planned.way(), planned.pairs());
      }
      case Expr.Not(Expr of, Span at) -> {
        Planned planned = plan(of);
        yield new Planned(step(new Node.Not(planned.node())), planned.way(), planned.pairs());
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) -> {
        List<Planned> sides = aligned(List.of(plan(left), plan(right)));
        Node node = new Node.Binary(operator, sides.get(0).node(), sides.get(1).node());
        yield new Planned(step(node), sides.getFirst().way(), sides.getFirst().pairs());
      }
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) -> {
        List<Planned> parts = aligned(List.of(plan(condition), plan(yes), plan(no)));
        Node node = new Node.Choice(parts.get(0).node(), parts.get(1).node(), parts.get(2).node());
        yield new Planned(step(node), parts.getFirst().way(), parts.getFirst().pairs());
      }
      case Expr.Call(Function function, List<Expr> arguments, Span at) -> call(function, arguments);
      case Expr.Named(Expr of, String name, Span at) -> plan(of);
      case Expr.Alias(String name, Span at) -> plan(meaning(name));
      case Expr.Entry entry -> entry(entry, false);
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

  // Sets
  // --------------------------------------------------------------------------------------------

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
      case Node.Only(Node.Way way, Node of) -> way.from() == null;
      case Node.Random random -> false;
      case Node.Values values -> false;
      case Node.Spread spread -> false;
      case Node.Gather gather -> false;
    };
  }

  private Planned call(Function function, List<Expr> arguments) {
    if (function == Function.RAND) {
      return Planned.rows(step(new Node.Random(kind, seed + 31L * randoms++)));
    }
    if (function.isLooping()) {
      List<Node.Part> parts = new ArrayList<>();
      collect(arguments.getFirst(), null, function == Function.COUNT, parts);
      return Planned.rows(step(new Node.Loop(function, parts, kind)));
    }
    List<Node> nodes = arguments.stream().map(this::one).toList();
    return Planned.rows(step(new Node.Apply(function, nodes)));
  }

  /** Takes arrays apart: what is in them, and where each member is taken. */
  private void collect(Expr expr, @Nullable Node guard, boolean presence, List<Node.Part> parts) {
    switch (expr) {
      case Expr.Array(List<Expr> members, Span at) ->
          members.forEach(member -> collect(member, guard, presence, parts));
      case Expr.Named(Expr of, String name, Span at) -> collect(of, guard, presence, parts);
      case Expr.Alias(String name, Span at) -> collect(meaning(name), guard, presence, parts);
      case Expr.Call(Function function, List<Expr> arguments, Span at)
          when function == Function.COMBINE ->
          collect(arguments.getFirst(), guard, presence, parts);
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at)
          when isSeveral(yes) || isSeveral(no) -> {
        Planned planned = plan(condition);
        if (planned.way() != null) {
          add(plan(expr), guard, parts);
          return;
        }
        Node truth = step(new Node.Not(planned.node()));
        collect(yes, and(guard, step(new Node.Not(truth))), presence, parts);
        collect(no, and(guard, truth), presence, parts);
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at)
          when isArray(left) || isArray(right) -> {
        boolean arrayLeft = isArray(left);
        for (Expr member : members(arrayLeft ? left : right)) {
          Expr alone =
              arrayLeft
                  ? new Expr.Binary(operator, member, right, at)
                  : new Expr.Binary(operator, left, member, at);
          collect(alone, guard, false, parts);
        }
      }
      case Expr.Negative(Expr of, Span at) when isArray(of) ->
          members(of).forEach(m -> collect(new Expr.Negative(m, at), guard, false, parts));
      case Expr.Not(Expr of, Span at) when isArray(of) ->
          members(of).forEach(m -> collect(new Expr.Not(m, at), guard, false, parts));
      case Expr.Entry entry -> add(entry(entry, presence), guard, parts);
      default -> add(plan(expr), guard, parts);
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

  /** Members of an array that arithmetic is applied to one by one. */
  private List<Expr> members(Expr expr) {
    return switch (expr) {
      case Expr.Array(List<Expr> members, Span at) -> members;
      case Expr.Named(Expr of, String name, Span at) -> members(of);
      case Expr.Alias(String name, Span at) -> members(meaning(name));
      case Expr.Call(Function function, List<Expr> arguments, Span at)
          when function == Function.COMBINE ->
          members(arguments.getFirst());
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) when isArray(expr) -> {
        // each member of either branch, there only where its branch is taken
        List<Expr> members = new ArrayList<>();
        Expr nothing = new Expr.Binary(Operator.DIVIDE, zero(at), zero(at), at);
        for (Expr member : members(yes)) {
          members.add(new Expr.Conditional(condition, member, nothing, at));
        }
        for (Expr member : members(no)) {
          members.add(new Expr.Conditional(condition, nothing, member, at));
        }
        yield members;
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) when isArray(left) ->
          members(left).stream()
              .<Expr>map(member -> new Expr.Binary(operator, member, right, at))
              .toList();
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) when isArray(right) ->
          members(right).stream()
              .<Expr>map(member -> new Expr.Binary(operator, left, member, at))
              .toList();
      case Expr.Negative(Expr of, Span at) when isArray(of) ->
          members(of).stream().<Expr>map(member -> new Expr.Negative(member, at)).toList();
      case Expr.Not(Expr of, Span at) when isArray(of) ->
          members(of).stream().<Expr>map(member -> new Expr.Not(member, at)).toList();
      default -> List.of(expr);
    };
  }

  private static Expr zero(Span at) {
    return new Expr.Number(0, at);
  }

  // Entries
  // -----------------------------------------------------------------------------------------

  private Planned entry(Expr.Entry entry, boolean presence) {
    ObjectKind of =
        entry.adapterKind() == null || entry.objectKind() == null
            ? kind
            : new ObjectKind(entry.adapterKind(), entry.objectKind());
    UUID superMetric = Keys.superMetric(entry.key());
    Expr where = entry.where() == null ? null : entry.where().condition().unplaced();
    Node.Values values =
        step(
            new Node.Values(
                of,
                entry.key(),
                entry.attribute(),
                superMetric != null && previous.contains(superMetric),
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

  /** The step that says which instances an attribute has, whatever is asked of them. */
  private Node.Values members(Node.Values values) {
    return step(
        new Node.Values(values.kind(), values.key(), true, values.previous(), null, false, null));
  }

  /** A new table of shared steps. */
  static Map<Node, Node> steps() {
    return new HashMap<>();
  }
}
