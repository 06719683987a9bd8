package io.peerlens.outlier.event;

import io.peerlens.alert.StreamedEvents;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Outlier events in the stream of alerts. */
public final class StreamedOutliers implements StreamedEvents {

  private final OutlierEventQueries queries;

  StreamedOutliers(OutlierEventQueries queries) {
    this.queries = queries;
  }

  @Override
  public String name() {
    return "outlier";
  }

  @Override
  public Map<UUID, Object> byId(Collection<UUID> ids) {
    Map<UUID, Object> byId = new HashMap<>();
    queries.byId(ids).forEach(event -> byId.put(event.getId(), event));
    return byId;
  }
}
