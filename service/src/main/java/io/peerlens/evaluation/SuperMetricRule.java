package io.peerlens.evaluation;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A super metric as the evaluation loop needs it.
 *
 * @param id of the super metric
 * @param formula without errors
 * @param kinds it is computed for
 * @param interval on which grid; a multiple of 5 s
 * @param unit of the result as people read it; null = none
 * @param scope for which objects it is switched on
 */
public record SuperMetricRule(
    UUID id,
    Formula formula,
    List<ObjectKind> kinds,
    Duration interval,
    @Nullable String unit,
    Scope scope) {

  /** For which objects a rule is switched on. */
  @FunctionalInterface
  public interface Scope {
    /** Switched on everywhere. */
    Scope EVERYWHERE = (kind, objects) -> null;

    /** One flag for each object of the kind; null = all of them. */
    boolean @Nullable [] of(ObjectKind kind, ObjectGraph objects);
  }

  public SuperMetricRule {
    kinds = List.copyOf(kinds);
    if (interval.toSeconds() < 5 || interval.toSeconds() % 5 != 0) {
      throw new IllegalArgumentException(
          "the interval of a rule is a multiple of 5 s, not " + interval);
    }
  }
}
