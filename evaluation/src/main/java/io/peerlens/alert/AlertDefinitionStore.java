package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredForms;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored alert definitions. Thread-safe. */
public final class AlertDefinitionStore
    extends DefinitionStore<AlertDefinitionEdit, AlertDefinition> {

  AlertDefinitionStore(JdbcClient jdbc, RuleStore rules, int historyKept) {
    super(jdbc, rules, StoredForms.ALERT_DEFINITION, historyKept);
  }

  @Override
  protected AlertDefinition read(UUID id, long version, AlertDefinitionEdit edit) {
    return AlertDefinitionReader.read(id, "", edit);
  }

  @Override
  protected String name(AlertDefinition definition) {
    return definition.name();
  }

  @Override
  protected boolean isEnabled(AlertDefinition definition) {
    return definition.enabled();
  }
}
