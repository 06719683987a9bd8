package io.peerlens.maintenance;

import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredForms;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored maintenance windows. Thread-safe. */
final class MaintenanceStore extends DefinitionStore<MaintenanceWindowEdit, Window> {

  MaintenanceStore(JdbcClient jdbc, RuleStore number, MaintenanceProperties properties) {
    super(jdbc, number, StoredForms.MAINTENANCE_WINDOW, properties.history());
  }

  @Override
  protected Window read(UUID id, long version, MaintenanceWindowEdit edit) {
    return WindowReader.window(id, edit);
  }

  @Override
  protected String name(Window window) {
    return window.name();
  }

  @Override
  protected boolean isEnabled(Window window) {
    return window.enabled();
  }
}
