package io.peerlens.capacity;

import io.peerlens.baselines.TimeRemaining;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Time at which a container of an object is full.
 *
 * @param objectId internal id
 * @param instance which one, where an object has several; else empty
 * @param limit where it is full, in the unit of what is used
 * @param unit of the limit and of what is used; null = not known
 * @param asOf end of the last hour that was looked at
 */
record Forecast(
    Container container,
    int objectId,
    String instance,
    double limit,
    @Nullable String unit,
    Instant asOf,
    TimeRemaining remaining) {}
