package io.peerlens.definition;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is stored.
 *
 * @param edit as its author wrote it, without an id; nobody changes it
 * @param rule the same, read
 * @param pack the pack it came with
 * @param version its ETag, from 1
 */
public record StoredRule<E, R>(
    UUID id,
    String name,
    E edit,
    R rule,
    @Nullable String pack,
    long version,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    String updatedBy) {}
