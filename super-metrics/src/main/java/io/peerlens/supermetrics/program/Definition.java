package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.UUID;

/**
 * A super metric to be computed.
 *
 * @param id never changes; other formulas refer to it
 * @param formula without errors
 * @param kinds of the objects it is computed for, none of them {@code *}
 */
public record Definition(UUID id, Formula formula, List<ObjectKind> kinds) {

  public Definition {
    kinds = kinds.stream().distinct().toList();
    if (!formula.isValid()) {
      throw new IllegalArgumentException("a formula with errors:\n" + formula.render());
    }
    if (kinds.stream().anyMatch(ObjectKind::isEvery)) {
      throw new IllegalArgumentException("a super metric is computed for given kinds, not for *");
    }
  }

  /** Key of the result. */
  public String key() {
    return Keys.superMetric(id);
  }
}
