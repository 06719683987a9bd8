package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Query of a ranking.
 *
 * @param adapterKind needed only when several adapter kinds have a kind of this name
 * @param from inclusive
 * @param to exclusive, after {@code from}
 * @param limit how many objects to give
 * @param descending whether the largest value comes first
 * @param parent only direct children of this object
 * @param ancestor only objects below this one
 * @param sparkline whether each ranked object gets a line over the window
 * @param before whether each value is compared with that of the window before
 * @param weekAgo whether each value is compared with that of the same window a week ago
 * @param percentile which one, for that aggregation; null = {@link Percentile#DEFAULT}
 */
public record TopRequest(
    MetricKey metric,
    String objectKind,
    @Nullable String adapterKind,
    Aggregation aggregation,
    Instant from,
    Instant to,
    int limit,
    boolean descending,
    @Nullable UUID parent,
    @Nullable UUID ancestor,
    boolean sparkline,
    boolean before,
    boolean weekAgo,
    @Nullable Percentile percentile) {

  public TopRequest {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("from " + from + " is not before to " + to);
    }
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit);
    }
    if (aggregation == Aggregation.PERCENTILE && percentile == null) {
      percentile = Percentile.DEFAULT;
    }
  }
}
