package io.peerlens.capacity;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.store.ComputedSampleStore;
import io.peerlens.store.ComputedSetStore.Metric;
import io.peerlens.store.ComputedSetStore.Owner;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Time remaining of objects, in days, written as metrics: {@code
 * OnlineCapacityAnalytics|diskspace|timeRemaining} and the same of {@code mem}, with {@code
 * timeRemainingEarliest} and {@code timeRemainingLatest} beside them, and the least of all as
 * {@code OnlineCapacityAnalytics|timeRemaining}. Not thread-safe.
 */
final class TimeRemainingMetrics {

  static final String GROUP = "OnlineCapacityAnalytics";

  private static final Metric DAYS = new Metric("timeRemaining", "days");

  /** Of a container. */
  static final List<Metric> OF_CONTAINER =
      List.of(
          DAYS,
          new Metric("timeRemainingEarliest", "days"),
          new Metric("timeRemainingLatest", "days"));

  private final Forecasts forecasts;
  private final BiFunction<String, List<Metric>, ComputedSampleStore> stores;
  private final InstantSource clock;
  private final Map<String, ComputedSampleStore> byGroup = new HashMap<>();

  /**
   * @param stores makes one for a metric group
   */
  TimeRemainingMetrics(
      Forecasts forecasts,
      BiFunction<String, List<Metric>, ComputedSampleStore> stores,
      InstantSource clock) {
    this.forecasts = forecasts;
    this.stores = stores;
    this.clock = clock;
  }

  /** The key of the days that are left of a container. */
  static String key(Container container, String instance) {
    return new MetricKey(group(container), instance, DAYS.name()).toString();
  }

  private static String group(Container container) {
    return GROUP + "|" + container.name();
  }

  /** Computes and writes all of them, as of now. */
  void run() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MINUTES);
    Map<String, Map<ObjectKind, Map<Owner, double[]>>> ofContainers = new LinkedHashMap<>();
    Map<ObjectKind, Map<Owner, double[]>> least = new LinkedHashMap<>();
    for (Forecast forecast : forecasts.of(null, null)) {
      ObjectKind kind = forecast.container().kind();
      double days = forecast.remaining().days();
      ofContainers
          .computeIfAbsent(group(forecast.container()), g -> new LinkedHashMap<>())
          .computeIfAbsent(kind, k -> new LinkedHashMap<>())
          .put(
              new Owner(forecast.objectId(), forecast.instance()),
              new double[] {days, forecast.remaining().earliest(), forecast.remaining().latest()});
      least
          .computeIfAbsent(kind, k -> new LinkedHashMap<>())
          .merge(
              new Owner(forecast.objectId(), ""),
              new double[] {days},
              (a, b) -> a[0] <= b[0] ? a : b);
    }
    ofContainers.forEach((group, values) -> store(group, OF_CONTAINER).write(now, values));
    if (!least.isEmpty()) {
      store(GROUP, List.of(DAYS)).write(now, least);
    }
  }

  private ComputedSampleStore store(String group, List<Metric> metrics) {
    return byGroup.computeIfAbsent(group, name -> stores.apply(name, metrics));
  }
}
