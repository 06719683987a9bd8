package io.peerlens.supermetrics.formula;

import io.peerlens.supermetrics.formula.Issue.Code;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Semantic check of formulas: names nobody gave, sets where one number is needed, arrays outside
 * looping functions. With a {@link Vocabulary} it also warns of kinds and keys that do not occur in
 * an installation.
 */
final class Checker {

  /** Shape of the value that a part of a formula yields for one object. */
  private enum Shape {
    /** One number. */
    NUMBER,
    /** Values of related objects or of instances. */
    SET,
    /** What stands in brackets, or a choice between such. */
    ARRAY
  }

  private static final long MOST_PARTS = 10_000;
  private static final long UNKNOWN_YET = -1;

  private final Map<String, Expr.Named> names;
  private final Issues issues;
  private final @Nullable Vocabulary vocabulary;
  private final @Nullable UUID self;
  private final Set<Expr.Entry> looked = new LinkedHashSet<>();
  private final Map<String, Long> sizes = new HashMap<>();

  Checker(
      Map<String, Expr.Named> names,
      Issues issues,
      @Nullable Vocabulary vocabulary,
      @Nullable UUID self) {
    this.names = names;
    this.issues = issues;
    this.vocabulary = vocabulary;
    this.self = self;
  }

  void check(Expr formula) {
    boolean tooLarge = size(formula) > MOST_PARTS;
    if (issues.hasErrors()) {
      return; // an alias within itself, which has no end
    }
    if (tooLarge) {
      issues.error(
          Code.TOO_LARGE,
          formula.at(),
          "aliases within each other make more than " + MOST_PARTS + " parts of the formula",
          "split the formula into several super metrics");
      return;
    }
    if (number(formula) == Shape.ARRAY) {
      issues.error(
          Code.ARRAY_OUTSIDE_LOOPING_FUNCTION,
          formula.at(),
          "the result is an array, but one number is needed",
          "put it into a looping function, for instance max([a, b])");
    }
  }

  /** How many parts a formula has where every alias is what it stands for. */
  private long size(Expr expr) {
    long size =
        switch (expr) {
          case Expr.Negative(Expr of, Span at) -> size(of);
          case Expr.Not(Expr of, Span at) -> size(of);
          case Expr.Named(Expr of, String name, Span at) -> size(of);
          case Expr.Binary(Operator operator, Expr left, Expr right, Span at) ->
              size(left) + size(right);
          case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) ->
              size(condition) + size(yes) + size(no);
          case Expr.Array(List<Expr> members, Span at) -> size(members);
          case Expr.Call(Function function, List<Expr> arguments, Span at) -> size(arguments);
          case Expr.Alias(String name, Span at) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            Expr.Named named = names.get(lower);
            Long known = sizes.get(lower);
            if (named != null && known == null) {
              sizes.put(lower, UNKNOWN_YET);
              known = size(named.of());
              sizes.put(lower, known);
            } else if (known != null && known == UNKNOWN_YET) {
              issues.error(
                  Code.ALIAS_WITHIN_ITSELF, at, "the alias \"" + name + "\" is used within itself");
            }
            yield known == null ? 0 : Math.max(0, known);
          }
          default -> 0;
        };
    return Math.min(size + 1, 1L << 40);
  }

  private long size(List<Expr> parts) {
    return parts.stream().mapToLong(this::size).sum();
  }

  /** What a part yields where one number is needed; sets are errors. */
  private Shape number(Expr expr) {
    Shape shape = shape(expr, false);
    if (shape == Shape.SET) {
      issues.error(
          Code.SET_WITHOUT_LOOPING_FUNCTION,
          expr.at(),
          "this yields several values, but one number is needed",
          "put it into avg(...), sum(...), min(...), max(...) or count(...)");
      return Shape.NUMBER;
    }
    return shape;
  }

  private Shape shape(Expr expr, boolean looped) {
    return switch (expr) {
      case Expr.Number n -> Shape.NUMBER;
      case Expr.Bad bad -> Shape.NUMBER;
      case Expr.Text text -> Shape.NUMBER;
      case Expr.Value value -> Shape.NUMBER;
      case Expr.OtherKey key -> Shape.NUMBER;
      case Expr.Fresh fresh -> Shape.NUMBER;
      case Expr.Negative(Expr of, Span at) -> single(of, looped);
      case Expr.Not(Expr of, Span at) -> single(of, looped);
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) ->
          both(left, right, at, looped);
      case Expr.Conditional conditional -> conditional(conditional, looped);
      case Expr.Array(List<Expr> members, Span at) -> {
        members.forEach(member -> shape(member, true));
        yield Shape.ARRAY;
      }
      case Expr.Call(Function function, List<Expr> arguments, Span at) ->
          call(function, arguments, at, looped);
      case Expr.Named(Expr of, String name, Span at) -> shape(of, looped);
      case Expr.Alias(String name, Span at) -> alias(name, at, looped);
      case Expr.Entry entry -> entry(entry, looped);
    };
  }

  private Shape single(Expr of, boolean looped) {
    return looped ? shape(of, true) : number(of);
  }

  private Shape both(Expr left, Expr right, Span at, boolean looped) {
    Shape first = single(left, looped);
    Shape second = single(right, looped);
    if (first == Shape.NUMBER) {
      return second;
    }
    if (second == Shape.NUMBER) {
      return first;
    }
    if (first == Shape.ARRAY || second == Shape.ARRAY) {
      issues.error(
          Code.MIXED_SETS,
          at,
          "an array can be combined with one number, not with another array or set",
          "calculate within the array: [a * b, c * d]");
    } else if (!sameMembers(left, right)) {
      issues.error(
          Code.MIXED_SETS,
          at,
          "two sets can be combined only if they have the same members: same kind, same depth, and"
              + " the same attribute or metric= on both sides",
          "sum each of them and combine the sums");
    }
    return first;
  }

  private boolean sameMembers(Expr left, Expr right) {
    Expr.Entry first = firstSet(left);
    Expr.Entry second = firstSet(right);
    if (first == null || second == null) {
      return true; // an error elsewhere
    }
    if (first.attribute() != second.attribute()
        || (first.attribute() && !first.key().equals(second.key()))) {
      return false;
    }
    return first.self() == second.self()
        && Objects.equals(first.adapterKind(), second.adapterKind())
        && Objects.equals(first.objectKind(), second.objectKind())
        && Objects.equals(first.objectName(), second.objectName())
        && first.identifiers().equals(second.identifiers())
        && (first.self() || first.objectName() != null || first.levels() == second.levels());
  }

  private Expr.@Nullable Entry firstSet(Expr expr) {
    return switch (expr) {
      case Expr.Entry entry -> entry.isSingle() ? null : entry;
      case Expr.Negative(Expr of, Span at) -> firstSet(of);
      case Expr.Not(Expr of, Span at) -> firstSet(of);
      case Expr.Named(Expr of, String name, Span at) -> firstSet(of);
      case Expr.Alias(String name, Span at) -> {
        Expr.Named named = names.get(name.toLowerCase(Locale.ROOT));
        yield named == null ? null : firstSet(named.of());
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) -> {
        Expr.Entry first = firstSet(left);
        yield first == null ? firstSet(right) : first;
      }
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) -> {
        Expr.Entry first = firstSet(condition);
        first = first == null ? firstSet(yes) : first;
        yield first == null ? firstSet(no) : first;
      }
      default -> null;
    };
  }

  private Shape conditional(Expr.Conditional expr, boolean looped) {
    Shape condition = single(expr.condition(), looped);
    Shape yes = single(expr.yes(), looped);
    Shape no = single(expr.no(), looped);
    if (condition == Shape.ARRAY) {
      issues.error(
          Code.ARRAY_OUTSIDE_LOOPING_FUNCTION,
          expr.condition().at(),
          "a condition is one number, not an array",
          "put it into a looping function");
    }
    if (condition == Shape.SET) {
      for (Expr branch : List.of(expr.yes(), expr.no())) {
        Shape shape = branch == expr.yes() ? yes : no;
        if (shape == Shape.ARRAY
            || (shape == Shape.SET && !sameMembers(expr.condition(), branch))) {
          issues.error(
              Code.MIXED_SETS,
              branch.at(),
              "where the condition is a set, both branches are numbers or the same set",
              "sum each of them and combine the sums");
        }
      }
      return Shape.SET;
    }
    if (yes == Shape.ARRAY || no == Shape.ARRAY) {
      return Shape.ARRAY;
    }
    if (yes == Shape.SET && no == Shape.SET && !sameMembers(expr.yes(), expr.no())) {
      return Shape.ARRAY; // one set or another, which only a looping function can take
    }
    return yes == Shape.SET || no == Shape.SET ? Shape.ARRAY : Shape.NUMBER;
  }

  private Shape call(Function function, List<Expr> arguments, Span at, boolean looped) {
    if (function == Function.COMBINE) {
      if (!looped) {
        issues.error(
            Code.COMBINE_AS_RESULT,
            at,
            "combine(...) yields several values, but one number is needed",
            "put it into avg(...), sum(...), min(...), max(...) or count(...)");
      }
      shape(arguments.getFirst(), true);
      return looped ? Shape.ARRAY : Shape.NUMBER;
    }
    if (function.isLooping()) {
      shape(arguments.getFirst(), true);
      return Shape.NUMBER;
    }
    for (Expr argument : arguments) {
      if (number(argument) == Shape.ARRAY) {
        issues.error(
            Code.ARRAY_OUTSIDE_LOOPING_FUNCTION,
            argument.at(),
            function.signature() + " takes a number, not an array",
            "put the array into a looping function: " + function.text() + "(max([a, b]))");
      }
    }
    return Shape.NUMBER;
  }

  private Shape alias(String name, Span at, boolean looped) {
    String lower = name.toLowerCase(Locale.ROOT);
    Expr.Named named = names.get(lower);
    if (named == null) {
      String near = Nearest.of(name, names.values().stream().map(Expr.Named::name).toList());
      String function = Nearest.of(name, Function.names());
      String hint;
      if (near != null) {
        hint = "did you mean " + near + "?";
      } else if (name.equalsIgnoreCase(function)) {
        hint = "a function needs parentheses: " + function + "(...)";
      } else if (names.isEmpty()) {
        hint =
            "a metric is written ${this, metric="
                + name
                + "}, an alias is given by ${...} as "
                + name;
      } else {
        hint = "an alias is given by ${...} as " + name;
      }
      issues.error(Code.UNKNOWN_NAME, at, "unknown name \"" + name + "\"", hint);
      return Shape.NUMBER;
    }
    // its own mistakes are noted where it is given
    if (!looped && meaning(named) instanceof Expr.Entry entry && !entry.isSingle()) {
      return setAsNumber(entry, at);
    }
    return new Checker(names, new Issues(), null, null).shape(named.of(), looped);
  }

  private static Expr meaning(Expr.Named named) {
    return named.of() instanceof Expr.Named inner ? meaning(inner) : named.of();
  }

  private Shape entry(Expr.Entry entry, boolean looped) {
    look(entry);
    if (entry.isSingle()) {
      return Shape.NUMBER;
    }
    return looped ? Shape.SET : setAsNumber(entry, entry.at());
  }

  /** An exact key of related objects may be one value, for instance that of a VM's host. */
  private Shape setAsNumber(Expr.Entry entry, Span at) {
    if (entry.attribute()) {
      return Shape.SET;
    }
    issues.warning(
        Code.SET_WITHOUT_LOOPING_FUNCTION,
        at,
        "without a looping function there is a value only where exactly one object has one",
        "put it into avg(...), sum(...), min(...), max(...) or count(...)");
    return Shape.NUMBER;
  }

  // What this installation knows ------------------------------------------------------------------

  private void look(Expr.Entry entry) {
    if (!looked.add(entry) || issues.isFull()) {
      return;
    }
    if (self != null && self.equals(Keys.superMetric(entry.key())) && entry.self()) {
      if (entry.defaultValue() == null) {
        issues.warning(
            Code.SELF_REFERENCE,
            entry.at(),
            "this is the super metric's own last value, and there is none at first",
            "start with max([${this, metric=" + entry.key() + "}, 0])");
      }
    }
    if (vocabulary == null || entry.adapterKind() == null || entry.objectKind() == null) {
      return;
    }
    String adapter = entry.adapterKind();
    String kind = entry.objectKind();
    if (!vocabulary.adapterKinds().contains(adapter)) {
      unknown(
          Code.UNKNOWN_KIND,
          entry.at(),
          "no objects of adapter kind \"" + adapter + "\" here",
          adapter,
          vocabulary.adapterKinds());
      return;
    }
    if (!kind.equals("*") && !vocabulary.objectKinds(adapter).contains(kind)) {
      unknown(
          Code.UNKNOWN_KIND,
          entry.at(),
          "no objects of kind \"" + kind + "\" here",
          kind,
          vocabulary.objectKinds(adapter));
      return;
    }
    List<ObjectKind> kinds = List.of(new ObjectKind(adapter, kind));
    keys(entry, kinds);
  }

  /** Looks for the keys of {@code this} in the kinds that the formula is assigned to. */
  void checkOwnKeys(Collection<ObjectKind> kinds) {
    if (vocabulary == null || kinds.isEmpty()) {
      return;
    }
    for (Expr.Entry entry : looked.stream().filter(Expr.Entry::self).toList()) {
      if (issues.isFull()) {
        return;
      }
      keys(entry, kinds);
    }
  }

  /** Looks for the keys of an entry, those of its condition too, in the kinds that it reads. */
  private void keys(Expr.Entry entry, Collection<ObjectKind> kinds) {
    if (vocabulary == null) {
      return;
    }
    if (isKnown(entry.key(), entry.at(), kinds)
        && Keys.superMetric(entry.key()) == null
        && entry.attribute()) {
      String key = Keys.withoutInstances(entry.key());
      if (kinds.stream()
          .noneMatch(kind -> vocabulary.hasInstances(kind.adapterKind(), kind.objectKind(), key))) {
        withoutInstances(entry);
      }
    }
    if (entry.where() != null) {
      entry
          .where()
          .condition()
          .walk(
              expr -> {
                if (expr instanceof Expr.OtherKey(String key, Span at)) {
                  isKnown(key, at, kinds);
                }
              });
    }
  }

  /** Whether one of the kinds has a key, or it is that of a super metric; a warning if not. */
  private boolean isKnown(String written, Span at, Collection<ObjectKind> kinds) {
    if (vocabulary == null || Keys.superMetric(written) != null) {
      return true;
    }
    String key = Keys.withoutInstances(written);
    if (kinds.stream()
        .anyMatch(kind -> vocabulary.keys(kind.adapterKind(), kind.objectKind()).contains(key))) {
      return true;
    }
    ObjectKind kind = kinds.iterator().next();
    String whose =
        kind.objectKind().equals("*") ? "object of " + kind.adapterKind() : kind.objectKind();
    String message = "no " + whose + " has \"" + key + "\" here";
    UUID named = vocabulary.superMetric(Keys.superMetricName(written));
    if (named == null) {
      unknown(
          Code.UNKNOWN_KEY,
          at,
          message,
          key,
          vocabulary.keys(kind.adapterKind(), kind.objectKind()));
    } else {
      issues.warning(
          Code.UNKNOWN_KEY,
          at,
          message,
          "a super metric is read by its id: metric=" + Keys.superMetric(named));
    }
    return false;
  }

  private void withoutInstances(Expr.Entry entry) {
    issues.warning(
        Code.ATTRIBUTE_WITHOUT_INSTANCES,
        entry.at(),
        "\"" + entry.key() + "\" has no instances here",
        "metric= reads the same and is faster");
  }

  private void unknown(Code code, Span at, String message, String name, Collection<String> known) {
    String near = Nearest.of(name, known);
    issues.warning(code, at, message, near == null ? null : "did you mean " + near + "?");
  }
}
