package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionCreation;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.security.Caller;
import io.peerlens.threshold.ThresholdStore;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

/** Creation, changes and deletion of alert definitions. */
final class AlertDefinitionService extends DefinitionService<AlertDefinitionEdit, AlertDefinition> {

  private final ThresholdStore thresholds;

  AlertDefinitionService(
      AlertDefinitionStore store,
      RuleStore rules,
      ThresholdStore thresholds,
      InstantSource clock,
      int maxCount,
      Supplier<List<RuleUser>> users) {
    super(
        store,
        rules,
        clock,
        new DefinitionKind(
            "alert definition",
            "/api/v1/alert-definitions",
            maxCount,
            "peerlens.alerts.max-definitions"),
        users);
    this.thresholds = thresholds;
  }

  UUID create(AlertDefinitionCreation wanted) {
    UUID id = Objects.requireNonNullElseGet(wanted.getId(), UUID::randomUUID);
    add(id, prepared(id, edit(wanted), true));
    return id;
  }

  @Override
  protected AlertDefinitionEdit prepared(UUID id, AlertDefinitionEdit wanted, boolean isNew) {
    if (isNew && wanted.getOwner() == null) {
      wanted.setOwner(Caller.current().name());
    }
    AlertDefinitionReader.read(id, "", wanted);
    return wanted;
  }

  /** As the creation, without an id. */
  static AlertDefinitionEdit edit(AlertDefinitionCreation wanted) {
    return Definitions.of(Definitions.tree(wanted), AlertDefinitionEdit.class);
  }

  /** An alert has either the id of a threshold or of an alert definition. */
  @Override
  protected boolean isTaken(UUID id) {
    return thresholds.find(id).isPresent();
  }

  @Override
  protected void check(AlertDefinition definition) {
    for (UUID threshold : definition.thresholds()) {
      if (thresholds.find(threshold).isEmpty()) {
        throw ApiException.invalidField(
                "condition", "names the threshold " + threshold + ", which does not exist")
            .hint("GET /api/v1/thresholds lists those that are stored.");
      }
    }
  }
}
