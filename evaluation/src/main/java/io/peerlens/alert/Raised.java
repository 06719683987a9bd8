package io.peerlens.alert;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.Threshold.AlertSettings;
import io.peerlens.threshold.Threshold.Impact;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Source of an alert: the definition that raises it, as its row names it.
 *
 * @param source as in the contract
 * @param type as its author wrote it, for instance {@code Virtualization/Hypervisor}; null = none
 * @param subType for instance {@code Performance}; null = none
 * @param page of the rule, relative to the root of the pages
 */
public record Raised(
    UUID id,
    String name,
    String source,
    ObjectKind kind,
    Impact impact,
    List<String> recommendations,
    @Nullable String type,
    @Nullable String subType,
    String page) {

  static Raised by(Threshold threshold, AlertSettings settings) {
    return new Raised(
        threshold.id(),
        threshold.name(),
        "threshold",
        threshold.kind(),
        settings.impact(),
        settings.recommendations(),
        settings.type(),
        settings.subType(),
        "/thresholds/" + threshold.id());
  }

  static Raised by(AlertDefinition definition) {
    return new Raised(
        definition.id(),
        definition.name(),
        "alert-definition",
        definition.kind(),
        definition.impact(),
        definition.recommendations(),
        definition.type(),
        definition.subType(),
        "/alert-definitions/" + definition.id());
  }
}
