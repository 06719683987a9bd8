package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Objects and values that the entries of a formula find when it is computed for one object; values
 * as they are stored or as a run has computed them.
 */
final class Lookup {

  /**
   * An object that an entry looks at.
   *
   * @param kind never {@code *}
   * @param number within its kind
   * @param level how far away it is; 0 = the object itself or a named one
   */
  record Target(ObjectKind kind, int number, int level) {}

  private record KindKey(ObjectKind kind, String key) {}

  private final Frame frame;
  private final Frame computed;
  private final Set<UUID> previous;
  private final ObjectKind kind;
  private final int number;
  private final Map<KindKey, Optional<Column>> columns = new HashMap<>();
  private final Map<KindKey, Optional<Instances>> instances = new HashMap<>();

  /**
   * @param previous super metrics that are read as stored, though the results have them
   * @param kind of the object, never {@code *}
   * @param number of the object within its kind
   */
  Lookup(Frame frame, Results results, Set<UUID> previous, ObjectKind kind, int number) {
    this.frame = frame;
    this.computed = results.over(frame);
    this.previous = previous;
    this.kind = kind;
    this.number = number;
  }

  ObjectGraph objects() {
    return frame.objects();
  }

  /**
   * Objects that an entry looks at.
   *
   * @param of their kind, perhaps {@code *}
   */
  List<Target> targets(Expr.Entry entry, ObjectKind of) {
    ObjectGraph objects = frame.objects();
    if (entry.self()) {
      return List.of(new Target(kind, number, 0));
    }
    if (entry.objectName() != null) {
      int found = objects.find(of, entry.objectName(), entry.identifiers());
      return found < 0 ? List.of() : List.of(target(of, found, 0));
    }
    List<Target> targets = new ArrayList<>();
    ObjectGraph.Near near = objects.near(kind, number, of, entry.levels());
    for (int i = 0; i < near.numbers().length; i++) {
      targets.add(target(of, near.numbers()[i], near.levels()[i]));
    }
    return targets;
  }

  private Target target(ObjectKind of, int number, int level) {
    ObjectGraph objects = frame.objects();
    ObjectKind concrete = objects.kindOf(of, number);
    return new Target(concrete, objects.number(concrete, objects.id(of, number)), level);
  }

  /** Whether any object of a kind has the key of an entry. */
  boolean isKnown(Expr.Entry entry, ObjectKind of) {
    return frame.objects().kindsOf(of).stream()
        .anyMatch(
            one ->
                entry.attribute()
                    ? instances(one, entry.key()) != null
                    : column(one, entry.key()) != null);
  }

  /** Where a key is read: what is stored, or what the run has computed. */
  private Frame source(String key) {
    UUID superMetric = Keys.superMetric(key);
    return superMetric == null || previous.contains(superMetric) ? frame : computed;
  }

  private @Nullable Column column(ObjectKind of, String key) {
    return columns
        .computeIfAbsent(
            new KindKey(of, key), k -> Optional.ofNullable(source(key).column(of, key)))
        .orElse(null);
  }

  /** All instances of a key; null = no object of the kind has it. */
  @Nullable Instances instances(ObjectKind of, String key) {
    return instances
        .computeIfAbsent(
            new KindKey(of, key), k -> Optional.ofNullable(source(key).instances(of, key)))
        .orElse(null);
  }

  /** The value of a key of one object. */
  Cell cell(Target target, String key) {
    Column column = column(target.kind(), key);
    return column == null ? Cell.NOTHING : Cell.of(column, target.number());
  }
}
