package io.peerlens.alert;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.Threshold.AlertSettings;
import io.peerlens.threshold.Threshold.Impact;
import java.util.List;
import java.util.UUID;

/**
 * What an alert is raised by, as its row names it.
 *
 * @param source as in the contract
 * @param page of the rule, relative to the root of the pages
 */
public record Raised(
    UUID id,
    String name,
    String source,
    ObjectKind kind,
    Impact impact,
    List<String> recommendations,
    String page) {

  static Raised by(Threshold threshold, AlertSettings settings) {
    return new Raised(
        threshold.id(),
        threshold.name(),
        "threshold",
        threshold.kind(),
        settings.impact(),
        settings.recommendations(),
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
        "/alert-definitions/" + definition.id());
  }
}
