package io.peerlens.ingest;

import java.time.Duration;

/**
 * Limits that keep one broken producer from harming everything else. What exceeds them goes to the
 * dead letters and can be replayed after the limit was raised.
 *
 * @param maxFuture how far ahead of the clock a sample may be
 * @param maxAge how old a sample may be
 * @param newObjectsPerMinute new objects that a node accepts in a minute
 * @param newMetricsPerMinute new metric names that a node accepts in a minute
 * @param newSetsPerMinute new metric sets (an object's group and instance) that a node accepts in a
 *     minute, not counting what new objects bring along
 * @param maxRecordBytes size of a Kafka record value
 * @param maxNameLength characters of a name, tag, property value or key
 */
public record IngestGuards(
    Duration maxFuture,
    Duration maxAge,
    int newObjectsPerMinute,
    int newMetricsPerMinute,
    int newSetsPerMinute,
    int maxRecordBytes,
    int maxNameLength) {

  public static final IngestGuards DEFAULT =
      new IngestGuards(
          Duration.ofMinutes(10), Duration.ofDays(400), 50_000, 2_000, 20_000, 4 << 20, 500);
}
