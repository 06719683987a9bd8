package io.peerlens.ingest;

import org.jspecify.annotations.Nullable;

/**
 * A metric of a group.
 *
 * @param name as in the last part of a metric key
 * @param unit as people read it, {@code %}, {@code KB/s}; null when unknown
 */
public record Metric(String name, @Nullable String unit) {}
