package io.peerlens.evaluation;

import io.peerlens.alert.AlertDefinition;
import io.peerlens.alert.AlertDefinitionStore;
import io.peerlens.definition.UnreadableDefinitions;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.scope.Scope;
import io.peerlens.scope.Scopes;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.talker.report.TalkerReportStore;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.ThresholdStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Enabled rules of all kinds, and those that this version of the service cannot evaluate: a newer
 * one wrote them, they are damaged, or a threshold or group that they name is. Alerts, symptoms and
 * events of these stay as they are until they can be read.
 *
 * @param held by id
 */
record ReadRules(Rules rules, Map<UUID, Held> held) {

  ReadRules {
    held = Map.copyOf(held);
  }

  /** Stores of the rules. */
  record Stores(
      SuperMetricStore superMetrics,
      ThresholdStore thresholds,
      AlertDefinitionStore alertDefinitions,
      OutlierGroupStore outlierGroups,
      TalkerReportStore talkerReports,
      Scopes scopes) {}

  /**
   * A rule that cannot be evaluated.
   *
   * @param kind as in the contract
   * @param reason a sentence, without values of the definition
   */
  record Held(String kind, UUID id, String name, String reason) {}

  static ReadRules of(Stores stores) {
    return new Reading(stores).read();
  }

  private static final class Reading {

    private final Stores stores;
    private final Map<UUID, Held> held = new HashMap<>();

    Reading(Stores stores) {
      this.stores = stores;
    }

    ReadRules read() {
      unreadable(stores.superMetrics());
      unreadable(stores.thresholds());
      unreadable(stores.alertDefinitions());
      unreadable(stores.outlierGroups());
      unreadable(stores.talkerReports());
      List<Threshold> thresholds =
          stores.thresholds().enabled().stream().filter(this::isWhole).toList();
      List<AlertDefinition> alertDefinitions =
          stores.alertDefinitions().enabled().stream().filter(this::isWhole).toList();
      List<OutlierGroup> outlierGroups =
          stores.outlierGroups().enabled().stream()
              .filter(group -> isKnown("outlier-group", group.id(), group.name(), group.scope()))
              .toList();
      Rules rules =
          new Rules(
              stores.superMetrics().enabled(),
              thresholds,
              alertDefinitions,
              outlierGroups,
              stores.talkerReports().enabled());
      return new ReadRules(rules, held);
    }

    private void unreadable(UnreadableDefinitions definitions) {
      String kind = definitions.table().replace('_', '-');
      definitions.unreadable().forEach(one -> hold(kind, one.id(), one.name(), one.reason()));
    }

    private boolean isWhole(Threshold threshold) {
      return isKnown("threshold", threshold.id(), threshold.name(), threshold.scope())
          && threshold.special().stream()
              .allMatch(
                  special ->
                      isKnown("threshold", threshold.id(), threshold.name(), special.scope()));
    }

    private boolean isWhole(AlertDefinition definition) {
      String kind = "alert-definition";
      for (UUID threshold : definition.thresholds()) {
        if (held.containsKey(threshold)) {
          String reason = "Its threshold " + threshold + " cannot be evaluated.";
          return hold(kind, definition.id(), definition.name(), reason);
        }
      }
      return isKnown(kind, definition.id(), definition.name(), definition.scope());
    }

    private boolean isKnown(String kind, UUID id, String name, Scope scope) {
      UUID missing = stores.scopes().missingGroup(scope);
      return missing == null
          || hold(
              kind, id, name, "Its scope names the group " + missing + ", which cannot be read.");
    }

    /** Gives false. */
    private boolean hold(String kind, UUID id, String name, String reason) {
      held.put(id, new Held(kind, id, name, reason));
      return false;
    }
  }
}
