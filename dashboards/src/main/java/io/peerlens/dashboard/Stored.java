package io.peerlens.dashboard;

import io.peerlens.api.model.FieldError;
import io.peerlens.api.model.ImportAction;
import io.peerlens.api.model.RuleImportState;
import java.util.List;
import java.util.UUID;

/**
 * What an import does with an item of a file.
 *
 * @param id that it has here, or would have
 * @param changes in words, what differs from the stored one
 */
record Stored(
    UUID id,
    RuleImportState state,
    ImportAction action,
    String reason,
    List<String> changes,
    List<FieldError> errors) {}
