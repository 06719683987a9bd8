package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Definition;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A super metric that is to be computed: its formula has no errors, it has object kinds, and it is
 * enabled.
 *
 * @param kinds none of them {@code *}
 * @param interval a multiple of 5 s
 * @param unit of the result as people read it; null = none
 * @param policy which objects of the kinds; see {@link Policies}
 */
public record EnabledDefinition(
    UUID id,
    String name,
    Formula formula,
    List<ObjectKind> kinds,
    Duration interval,
    @Nullable String unit,
    Policy policy) {

  /** What the engine needs of it. */
  public Definition definition() {
    return new Definition(id, formula, kinds);
  }
}
