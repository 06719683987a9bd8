package io.peerlens.maintenance;

import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.scope.Scope;
import java.time.Instant;
import java.util.UUID;

/**
 * A maintenance window.
 *
 * @param edit as its author wrote it
 * @param version its ETag, from 1
 */
record StoredWindow(
    UUID id,
    MaintenanceWindowEdit edit,
    Scope scope,
    Schedule schedule,
    long version,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    String updatedBy) {

  String name() {
    return edit.getName();
  }

  boolean enabled() {
    return !Boolean.FALSE.equals(edit.getEnabled());
  }

  boolean isActive(Instant moment) {
    return enabled() && schedule.isActive(moment);
  }
}
