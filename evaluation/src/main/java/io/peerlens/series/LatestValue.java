package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The newest value of one metric of one object.
 *
 * @param unit null = not known
 * @param time epoch milliseconds
 */
public record LatestValue(
    UUID object, MetricKey metric, @Nullable String unit, long time, double value) {}
