package io.peerlens.notify.delivery;

import io.peerlens.notify.context.EventType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A notification that is to be sent.
 *
 * @param rule null = no rule asked for it
 * @param subject the alert, or the group, that it is about
 * @param members alerts of the group; empty = it is about one alert
 * @param sequence within target and subject, from 1
 * @param message as it will be sent; null = made from the context before it is sent first
 * @param context what it is made of; null = it is made already
 * @param failure why it cannot be made; null = it can
 * @param expiresAt given up then
 */
public record Draft(
    UUID id,
    UUID target,
    String targetName,
    @Nullable UUID rule,
    @Nullable String ruleName,
    UUID subject,
    @Nullable Long alertNumber,
    String alertName,
    @Nullable String objectName,
    @Nullable String criticality,
    EventType event,
    String change,
    int sequence,
    String template,
    String templateVersion,
    String templateHash,
    @Nullable JsonNode message,
    @Nullable JsonNode context,
    @Nullable String failure,
    Instant createdAt,
    Instant expiresAt,
    List<UUID> members) {}
