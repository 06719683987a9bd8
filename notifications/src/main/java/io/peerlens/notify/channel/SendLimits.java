package io.peerlens.notify.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits of sending to a target.
 *
 * @param perMinute messages per minute; null = as many as there are
 * @param burst messages at once before {@code perMinute} holds; null = as {@code perMinute}
 * @param connections messages on their way at the same time
 * @param maxAge how old a message may become before it is given up
 * @param digestAfter messages per minute after which a digest takes their place; null = never
 */
public record SendLimits(
    @Nullable Integer perMinute,
    @Nullable Integer burst,
    int connections,
    Duration maxAge,
    @Nullable Integer digestAfter) {

  /** What holds for a target that says nothing. */
  public static final SendLimits DEFAULT =
      new SendLimits(null, null, 4, Duration.ofHours(24), null);
}
