package io.peerlens.assistant;

import io.peerlens.api.SeriesApi;
import io.peerlens.api.model.ObjectKind;
import io.peerlens.api.model.SortDirection;
import io.peerlens.api.model.TopResult;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ranking of the objects of a kind by a metric: those parameters of the operation that tools use.
 *
 * @param below only objects below this one; null = all
 */
record ObjectRanking(
    ObjectKind kind,
    String metric,
    Statistic statistic,
    SortDirection order,
    @Nullable UUID below,
    TimeSpan span) {

  TopResult find(SeriesApi api, int limit) {
    return Inventory.body(
        api.topObjects(
            metric,
            kind.getObjectKind(),
            kind.getAdapterKind(),
            statistic.aggregation(),
            statistic.percentile(),
            span.from().toString(),
            span.to().toString(),
            limit,
            order,
            null, // parent
            below,
            false, // sparkline
            null)); // compare
  }
}
