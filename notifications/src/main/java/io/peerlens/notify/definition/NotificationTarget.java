package io.peerlens.notify.definition;

import io.peerlens.notify.channel.ActiveTarget;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Target of notifications, as it is stored.
 *
 * @param enabled whether anything is sent to it
 * @param active as channels need it
 * @param heartbeat how often it is sent a message that notifications work; null = never
 * @param version its ETag, from 1
 */
public record NotificationTarget(
    UUID id,
    String name,
    boolean enabled,
    ActiveTarget active,
    @Nullable Duration heartbeat,
    long version) {}
