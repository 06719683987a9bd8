package io.peerlens.event.decode;

import java.time.Duration;

/**
 * Limits that an event must keep to be recorded; what exceeds them goes to the dead letters.
 *
 * @param maxFuture how far ahead of the clock an event may have happened
 * @param maxAge how long ago an event may have happened
 * @param maxRecordBytes size of a Kafka record value
 */
public record EventGuards(Duration maxFuture, Duration maxAge, int maxRecordBytes) {

  public static final EventGuards DEFAULT =
      new EventGuards(Duration.ofMinutes(10), Duration.ofDays(400), 4 << 20);
}
