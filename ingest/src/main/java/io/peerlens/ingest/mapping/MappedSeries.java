package io.peerlens.ingest.mapping;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.SetKey;
import org.jspecify.annotations.Nullable;

/**
 * Mapping of a series (measurement and tags).
 *
 * @param key object, group and instance
 * @param attributes what its tags say of the object
 * @param fields what becomes of its fields; the same object for all series of one rule and group;
 *     null = every number is a metric of its own name
 */
public record MappedSeries(SetKey key, ObjectAttributes attributes, @Nullable FieldUses fields) {}
