package io.peerlens.dashboard;

import io.peerlens.api.model.FieldError;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A dashboard or view of a file.
 *
 * @param id that the file gives it; null = none
 * @param json without its id
 * @param read the same, read; null = it has mistakes
 * @param errors its mistakes
 */
record FileItem<T>(
    @Nullable UUID id, String name, ObjectNode json, @Nullable T read, List<FieldError> errors) {

  FileItem {
    errors = List.copyOf(errors);
  }
}
