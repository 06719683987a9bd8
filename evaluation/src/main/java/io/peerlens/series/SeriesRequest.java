package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Query of series: metrics, objects, window and step.
 *
 * @param objects unknown ones are left out of the answer
 * @param metrics a key without instance means the aggregate
 * @param from inclusive; rounded down to the step
 * @param to exclusive, after {@code from}; rounded up to the step
 * @param step width of a step, at least 1 s; null = chosen so that the answer has few enough steps;
 *     wider where nothing so fine is kept
 * @param maxPoints how many steps there are at most when the step is chosen
 * @param withRange whether least and greatest values are wanted too
 * @param zone whose days steps of whole days are; null = UTC
 * @param percentile which one, for that aggregation; null = {@link Percentile#DEFAULT}
 */
public record SeriesRequest(
    List<UUID> objects,
    List<MetricKey> metrics,
    Instant from,
    Instant to,
    @Nullable Duration step,
    Aggregation aggregation,
    int maxPoints,
    boolean withRange,
    @Nullable ZoneId zone,
    @Nullable Percentile percentile) {

  /** With days of UTC. */
  public SeriesRequest(
      List<UUID> objects,
      List<MetricKey> metrics,
      Instant from,
      Instant to,
      @Nullable Duration step,
      Aggregation aggregation,
      int maxPoints,
      boolean withRange) {
    this(objects, metrics, from, to, step, aggregation, maxPoints, withRange, null, null);
  }

  public SeriesRequest {
    objects = List.copyOf(objects);
    metrics = List.copyOf(metrics);
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("from " + from + " is not before to " + to);
    }
    if (step != null && step.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("A step of " + step + " is less than 1 s");
    }
    if (maxPoints < 1) {
      throw new IllegalArgumentException("maxPoints is " + maxPoints);
    }
    if (aggregation == Aggregation.PERCENTILE && percentile == null) {
      percentile = Percentile.DEFAULT;
    }
  }
}
