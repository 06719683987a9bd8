package io.peerlens.notify.target;

import io.peerlens.notify.channel.TargetInForce;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a receiver is reached, as it is stored.
 *
 * @param enabled whether anything is sent to it
 * @param inForce as channels need it
 * @param heartbeat how often it is told that notifications work; null = never
 * @param version its ETag, from 1
 */
public record NotificationTarget(
    UUID id,
    String name,
    boolean enabled,
    TargetInForce inForce,
    @Nullable Duration heartbeat,
    long version) {}
