package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionEdit;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An alert definition as it is stored.
 *
 * @param edit as its author wrote it; nobody changes it
 * @param definition the same, read
 * @param pack the pack it came with
 * @param version its ETag, from 1
 */
record StoredAlertDefinition(
    UUID id,
    AlertDefinitionEdit edit,
    AlertDefinition definition,
    @Nullable String pack,
    long version,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    String updatedBy) {

  String name() {
    return definition.name();
  }
}
