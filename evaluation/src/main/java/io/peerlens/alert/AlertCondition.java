package io.peerlens.alert;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.threshold.Severity;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Condition of an alert definition. */
sealed interface AlertCondition {

  /**
   * A threshold is open.
   *
   * @param minimum the least severity that counts
   * @param on on which objects
   * @param kind of these; null = that of the threshold
   * @param population on how many of them
   */
  record OfThreshold(
      UUID threshold,
      Severity minimum,
      SymptomPlace on,
      @Nullable ObjectKind kind,
      Population population)
      implements AlertCondition {}

  record All(List<AlertCondition> conditions) implements AlertCondition {
    public All {
      conditions = List.copyOf(conditions);
    }
  }

  record Any(List<AlertCondition> conditions) implements AlertCondition {
    public Any {
      conditions = List.copyOf(conditions);
    }
  }

  record Not(AlertCondition condition) implements AlertCondition {}

  /** The thresholds that it names. */
  default Set<UUID> thresholds() {
    Set<UUID> thresholds = new TreeSet<>();
    collect(this, thresholds);
    return thresholds;
  }

  private static void collect(AlertCondition condition, Set<UUID> thresholds) {
    switch (condition) {
      case OfThreshold one -> thresholds.add(one.threshold());
      case All all -> all.conditions().forEach(one -> collect(one, thresholds));
      case Any any -> any.conditions().forEach(one -> collect(one, thresholds));
      case Not not -> collect(not.condition(), thresholds);
    }
  }
}
