package io.peerlens.dashboard.file;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rule that selects objects.
 *
 * @param from where it begins; null = with the subject if the panel has one, with all otherwise
 * @param paths ways along relations, united; empty = the objects that it begins with if they are of
 *     the wanted kind, else their descendants
 * @param where alternatives; all conditions of one must be met; empty = none
 * @param slices variables, without the dollar sign, whose conditions must be met too
 */
public record Select(
    @Nullable From from,
    List<List<Step>> paths,
    Scope scope,
    List<List<Condition>> where,
    List<String> slices) {

  public Select {
    paths = paths.stream().map(List::copyOf).toList();
    where = where.stream().map(List::copyOf).toList();
    slices = List.copyOf(slices);
  }

  /** All objects. */
  public static final Select ALL = new Select(null, List.of(), Scope.ALL, List.of(), List.of());

  /** Where a selection begins. */
  public sealed interface From {
    /** Every object. */
    record All() implements From {}

    /** The subject of the panel. */
    record Subject() implements From {}

    /** The members of a group, by its name or as a variable. */
    record Group(String name) implements From {}
  }

  /** Direction along relations. */
  public enum Direction {
    SELF,
    CHILDREN,
    DESCENDANTS,
    PARENTS,
    ANCESTORS
  }

  /**
   * A step along relations.
   *
   * @param kinds only to objects of these; empty = of any
   * @param depth how many relations at most, of descendants and ancestors; 0 = any number
   */
  public record Step(Direction to, List<ObjectKind> kinds, int depth) {
    public Step {
      kinds = List.copyOf(kinds);
    }
  }

  /**
   * Conditions on what is written on objects. Values may be variables.
   *
   * @param name of the whole name, {@code *} = any text; null = any
   * @param tags all of these, {@code key=value} or {@code key}
   * @param properties likewise
   * @param groups members of any of these, by name
   * @param ancestors below any of these
   * @param exclude none of these
   */
  public record Scope(
      @Nullable String name,
      List<String> tags,
      List<String> properties,
      List<String> groups,
      List<Subject> ancestors,
      List<Scope> exclude) {

    /** Met by every object. */
    public static final Scope ALL =
        new Scope(null, List.of(), List.of(), List.of(), List.of(), List.of());

    public Scope {
      tags = List.copyOf(tags);
      properties = List.copyOf(properties);
      groups = List.copyOf(groups);
      ancestors = List.copyOf(ancestors);
      exclude = List.copyOf(exclude);
    }
  }

  /** An object that is not chosen by rule. */
  public sealed interface Subject {
    /** The value of a variable, by its name without the dollar sign. */
    record Variable(String name) implements Subject {}

    /** An object by what is written on it. */
    record Pinned(String name, ObjectKind kind, Map<String, String> identifiers)
        implements Subject {
      public Pinned {
        identifiers = Map.copyOf(identifiers);
      }
    }
  }

  /** Comparison of a condition. */
  public enum Op {
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    EQUAL("="),
    NOT_EQUAL("!="),
    CONTAINS("contains"),
    NOT_CONTAINS("notContains"),
    STARTS_WITH("startsWith"),
    ENDS_WITH("endsWith"),
    MATCHES("matches"),
    EXISTS("exists"),
    NOT_EXISTS("notExists");

    private final String word;

    Op(String word) {
      this.word = word;
    }

    /** How files write it. */
    public String word() {
      return word;
    }
  }

  /**
   * A condition on an object.
   *
   * @param what is compared
   * @param window of a metric's transform; null = that of the question
   * @param value a {@link Double} or a text, which may be a variable; null = none is needed
   */
  public record Condition(
      Column.What what, java.time.@Nullable Duration window, Op op, @Nullable Object value) {}
}
