package io.peerlens.notify.delivery;

import io.peerlens.notify.render.EventType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Delivery that this node has claimed and is sending.
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
