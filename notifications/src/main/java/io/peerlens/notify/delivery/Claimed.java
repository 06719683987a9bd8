package io.peerlens.notify.delivery;

import io.peerlens.notify.context.EventType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A delivery that this node is sending.
 *
 * @param message null = to be made of the context first
 * @param attempt number of this attempt, from 1
 */
record Claimed(
    UUID id,
    long number,
    UUID target,
    UUID subject,
    EventType event,
    int sequence,
    String template,
    @Nullable JsonNode message,
    @Nullable JsonNode context,
    int attempt,
    Instant expiresAt) {}
