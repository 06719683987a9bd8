package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A threshold as it is stored.
 *
 * @param definition as its author wrote it, without an id; nobody changes it
 * @param threshold the same, read
 * @param pack the pack it came with
 * @param version its ETag, from 1
 */
record StoredThreshold(
    UUID id,
    ThresholdEdit definition,
    Threshold threshold,
    @Nullable String pack,
    long version,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    String updatedBy) {

  String name() {
    return threshold.name();
  }
}
