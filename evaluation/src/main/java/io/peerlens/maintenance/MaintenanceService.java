package io.peerlens.maintenance;

import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.RuleStore;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** Maintenance windows as people change them. */
final class MaintenanceService extends DefinitionService<MaintenanceWindowEdit, Window> {

  MaintenanceService(
      MaintenanceStore store,
      RuleStore number,
      InstantSource clock,
      MaintenanceProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "maintenance window",
            "/api/v1/maintenance-windows",
            properties.maxWindows(),
            "peerlens.maintenance.max-windows"),
        List::of);
  }

  @Override
  protected MaintenanceWindowEdit prepared(UUID id, MaintenanceWindowEdit wanted, boolean isNew) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField("name", "is blank");
    }
    ScopeReader.storable("name", wanted.getName());
    if (wanted.getReason() != null) {
      ScopeReader.storable("reason", wanted.getReason());
    }
    WindowReader.window(id, wanted);
    return wanted;
  }
}
