package io.peerlens.ingest.key;

/**
 * Key of one metric of an object, as vRealize Operations writes it: {@code group:instance|metric},
 * for instance {@code net:vmnic0|usage_average}, or without instance for the aggregate: {@code
 * cpu|usage_average}.
 *
 * <p>The instance follows the first segment of the group, so {@code guestfilesystem:/var|disk|free}
 * is group {@code guestfilesystem|disk}, instance {@code /var}, metric {@code free}. A key without
 * {@code |} has an empty group.
 *
 * @param group what is reported together, {@code cpu}; empty for a key without {@code |}
 * @param instance which of several alike parts, {@code vmnic0}; empty for the aggregate
 * @param metric the last segment, {@code usage_average}
 */
public record MetricKey(String group, String instance, String metric) {

  /** vRealize Operations' name for the instance of the value over all instances. */
  public static final String AGGREGATE_INSTANCE = "Aggregate of all instances";

  /**
   * The same key, or that of the aggregate when the instance is {@value #AGGREGATE_INSTANCE}: the
   * aggregate is stored without one.
   */
  public MetricKey ofAggregate() {
    return instance.equals(AGGREGATE_INSTANCE) ? new MetricKey(group, "", metric) : this;
  }

  /** Takes a key apart; every text is a key. */
  public static MetricKey parse(String key) {
    int bar = key.lastIndexOf('|');
    if (bar < 0) {
      return new MetricKey("", "", key);
    }
    String metric = key.substring(bar + 1);
    String path = key.substring(0, bar);
    int colon = path.indexOf(':');
    int firstBar = path.indexOf('|');
    if (colon < 0 || (firstBar >= 0 && firstBar < colon)) {
      return new MetricKey(path, "", metric);
    }
    String group = path.substring(0, colon);
    if (firstBar < 0) {
      return new MetricKey(group, path.substring(colon + 1), metric);
    }
    return new MetricKey(
        group + path.substring(firstBar), path.substring(colon + 1, firstBar), metric);
  }

  /** Whether this is the value over all instances, or of an object that has none. */
  public boolean isAggregate() {
    return instance.isEmpty();
  }

  @Override
  public String toString() {
    if (group.isEmpty()) {
      return metric;
    }
    if (instance.isEmpty()) {
      return group + '|' + metric;
    }
    int bar = group.indexOf('|');
    return bar < 0
        ? group + ':' + instance + '|' + metric
        : group.substring(0, bar) + ':' + instance + group.substring(bar) + '|' + metric;
  }
}
