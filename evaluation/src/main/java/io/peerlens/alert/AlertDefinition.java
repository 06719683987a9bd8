package io.peerlens.alert;

import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.Impact;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Thresholds on an object and its neighbours, combined into alerts of the object.
 *
 * @param kind of the objects that get the alerts; never {@code *}
 * @param scope which of them
 * @param severity severity of the alerts; null = the worst of the symptoms
 * @param waitCycles for so many ticks in a row the condition must hold
 * @param cancelCycles for so many ticks in a row it must not
 * @param type of its alerts, as its author wrote it; null = none
 * @param subType of its alerts; null = none
 * @param interval a multiple of 5 s
 */
public record AlertDefinition(
    UUID id,
    String name,
    boolean enabled,
    ObjectKind kind,
    Scope scope,
    Impact impact,
    @Nullable Severity severity,
    AlertCondition condition,
    int waitCycles,
    int cancelCycles,
    List<String> recommendations,
    @Nullable String type,
    @Nullable String subType,
    Duration interval) {

  public AlertDefinition {
    recommendations = List.copyOf(recommendations);
  }

  /** The thresholds that it combines. */
  public Set<UUID> thresholds() {
    return condition.thresholds();
  }
}
