package io.peerlens.notify.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much a target takes.
 *
 * @param perMinute messages per minute; null = as many as there are
 * @param burst messages at once before {@code perMinute} holds; null = as {@code perMinute}
 * @param connections messages on their way at the same time
 * @param maxAge how old a message may become before it is given up
 * @param digestAfter messages per minute after which a digest takes their place; null = never
 */
public record Limits(
    @Nullable Integer perMinute,
    @Nullable Integer burst,
    int connections,
    Duration maxAge,
    @Nullable Integer digestAfter) {

  /** What holds for a target that says nothing. */
  public static final Limits DEFAULT = new Limits(null, null, 4, Duration.ofHours(24), null);
}
