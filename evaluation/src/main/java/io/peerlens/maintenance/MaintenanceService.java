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
import org.jspecify.annotations.Nullable;

/** Changes maintenance windows, as people ask for it. */
final class MaintenanceService extends DefinitionService<MaintenanceWindowEdit, Window> {

  MaintenanceService(MaintenanceStore store, RuleStore number, InstantSource clock, int maxCount) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "maintenance window",
            "/api/v1/maintenance-windows",
            maxCount,
            "peerlens.maintenance.max-windows"),
        List::of);
  }

  UUID create(MaintenanceWindowEdit wanted) {
    UUID id = UUID.randomUUID();
    check(id, wanted);
    add(id, wanted);
    return id;
  }

  void change(UUID id, MaintenanceWindowEdit wanted, @Nullable String ifMatch) {
    check(id, wanted);
    replace(id, wanted, ifMatch);
  }

  private static void check(UUID id, MaintenanceWindowEdit wanted) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField("name", "is blank");
    }
    ScopeReader.storable("name", wanted.getName());
    if (wanted.getReason() != null) {
      ScopeReader.storable("reason", wanted.getReason());
    }
    WindowReader.window(id, wanted);
  }
}
