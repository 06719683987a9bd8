package io.peerlens.source;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Report of one round of reading.
 *
 * @param at when it ended
 * @param took how long it took
 * @param objects how many objects were read, or watched
 * @param samples how many values, events or alarms were sent
 * @param error what went wrong; null = nothing
 */
public record RoundReport(
    Part part,
    Instant at,
    Duration took,
    long objects,
    long samples,
    @Nullable SourceError error) {}
