package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Definition;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Super metric with its formula read.
 *
 * @param formula read without asking which kinds and keys exist; may have errors
 * @param kinds that it is computed for, each once; none of them {@code *}
 * @param interval a multiple of 5 s
 * @param unit of the result as people read it; null = none
 * @param policy which objects of the kinds; see {@link Policies}
 */
public record SuperMetricRule(
    UUID id,
    String name,
    Formula formula,
    List<ObjectKind> kinds,
    Duration interval,
    @Nullable String unit,
    Policy policy) {

  /** Whether it is computed: it is enabled, has kinds, and its formula has no errors. */
  boolean isComputed() {
    return formula.isValid() && !kinds.isEmpty() && policy.enabled();
  }

  /** What the engine needs of it. */
  public Definition definition() {
    return new Definition(id, formula, kinds);
  }
}
