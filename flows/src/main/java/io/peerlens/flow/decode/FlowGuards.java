package io.peerlens.flow.decode;

import java.time.Duration;

/**
 * Limits that keep one broken exporter from harming everything else. What exceeds them goes to the
 * dead letters and can be replayed after the limit was raised.
 *
 * @param maxFuture how far ahead of the clock a flow may end or be received
 * @param maxAge how long ago a flow may have ended, or been received
 * @param maxDuration how long a flow may last; it is spread over all minutes that it covers
 * @param maxRecordBytes size of a Kafka record value
 */
public record FlowGuards(
    Duration maxFuture, Duration maxAge, Duration maxDuration, int maxRecordBytes) {

  public static final FlowGuards DEFAULT =
      new FlowGuards(Duration.ofMinutes(10), Duration.ofHours(36), Duration.ofDays(1), 4 << 20);
}
