package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.program.Dependencies;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Formulas whose result depends on how often they are computed: those that read their own last
 * value, and those that calculate with the cycle of vRealize Operations.
 */
final class Cycles {

  /** Seconds of a cycle, and cycles of a day; the 12 of an hour mean too many other things. */
  private static final Set<Double> NUMBERS = Set.of(300.0, 288.0);

  private Cycles() {}

  /**
   * A sentence for the report of an import; empty if the interval does not matter.
   *
   * @param id of the super metric
   * @param seconds between ticks
   */
  static Optional<String> remark(UUID id, Formula formula, int seconds) {
    if (!formula.isValid()) {
      return Optional.empty();
    }
    boolean self = Dependencies.superMetrics(formula.tree()).contains(id);
    Set<Integer> numbers = new TreeSet<>();
    formula
        .tree()
        .walk(
            expr -> {
              if (expr instanceof Expr.Number number && NUMBERS.contains(number.value())) {
                numbers.add((int) number.value());
              }
            });
    if (!self && numbers.isEmpty()) {
      return Optional.empty();
    }
    String why =
        self
            ? "It reads its own last value, so its result depends on how often it is computed"
            : "It calculates with "
                + numbers.stream().map(String::valueOf).collect(Collectors.joining(" and "))
                + ", which may be the seconds of a cycle or the cycles of a day";
    return Optional.of(
        why
            + ": every "
            + seconds
            + " s here, every "
            + StoredSuperMetric.VROPS_INTERVAL
            + " s in vRealize Operations"
            + (seconds == StoredSuperMetric.VROPS_INTERVAL ? "." : "; set its interval to that."));
  }
}
