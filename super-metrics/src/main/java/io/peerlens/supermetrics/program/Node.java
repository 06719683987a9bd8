package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Operator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step of a program. It yields a column: one value for each object that a formula is computed
 * for, one for each object or instance of a kind that it looks at, or a single value for all. Equal
 * steps are one step, whichever formulas they are of.
 */
sealed interface Node {

  /** The same number for every object. */
  record Constant(double value) implements Node {}

  /** A random number for each object and moment. */
  record Random(ObjectKind kind, long seed) implements Node {}

  /**
   * One key of all objects of a kind, or of all instances.
   *
   * @param previous super metrics, as keys, whose last stored value is meant even if this run
   *     computes them
   * @param where which values are kept, without places; null = all
   * @param presence whether the column says 1 where there is a value, text or number
   * @param fallback taken where there is no value; null = none
   */
  record Values(
      ObjectKind kind,
      String key,
      boolean attribute,
      Set<String> previous,
      @Nullable Expr where,
      boolean presence,
      @Nullable Double fallback)
      implements Node {

    /** Whether the values are those of the key, as they are. */
    boolean isPlain() {
      return where == null && !presence && fallback == null;
    }
  }

  /** One value of a column, that of a named object. */
  record Named(Values of, String name, Map<String, String> identifiers) implements Node {}

  record Negative(Node of) implements Node {}

  record Not(Node of) implements Node {}

  record Binary(Operator operator, Node left, Node right) implements Node {}

  record Choice(Node condition, Node yes, Node no) implements Node {}

  record Apply(Function function, List<Node> arguments) implements Node {}

  /**
   * Relation from an object to the members of a set.
   *
   * @param from the kind of the objects that the formula is computed for; null = the set is the
   *     same for all of them
   * @param to the kind of the objects in the set
   * @param depth as in the formula; 0 = the object itself
   * @param attribute whose instances are the members; null = the objects are
   * @param name of the only object; null = related ones
   */
  record Way(
      @Nullable ObjectKind from,
      ObjectKind to,
      int depth,
      @Nullable Values attribute,
      @Nullable String name,
      Map<String, String> identifiers) {

    /** The same members for every object of a kind. */
    Way of(ObjectKind kind) {
      return new Way(kind, to, depth, attribute, name, identifiers);
    }
  }

  /** A value of each object, repeated for every member of its set. */
  record Spread(Way way, Node of) implements Node {}

  /** Values of members, one for each pair of object and member. */
  record Gather(Way way, Node of) implements Node {}

  /**
   * A looping function over values and sets.
   *
   * @param kind whose objects the result is for
   */
  record Loop(Function function, List<Part> parts, ObjectKind kind) implements Node {
    public Loop {
      parts = List.copyOf(parts);
    }
  }

  /**
   * An argument of a looping function.
   *
   * @param guard taken where this is true; null = always
   * @param way to the members of a set; null = one value for each object
   * @param pairs whether the values are one for each pair of object and member already
   */
  record Part(@Nullable Node guard, Node values, @Nullable Way way, boolean pairs) {}

  /** The only value of a set; none if it has several. */
  record Only(Way way, Node of) implements Node {}
}
