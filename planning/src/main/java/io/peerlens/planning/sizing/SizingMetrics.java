package io.peerlens.planning.sizing;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.sizing.VropsKey;
import io.peerlens.store.ComputedSampleStore;
import io.peerlens.store.ComputedSetStore.Metric;
import io.peerlens.store.ComputedSetStore.Owner;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Results as ordinary metrics under the names of vRealize Operations. They are written again and
 * again, since the last value of a metric counts for a day only. Thread-safe.
 */
final class SizingMetrics {

  private static final List<ObjectKind> KINDS =
      List.of(HistoryReader.VM, HistoryReader.CLUSTER, Orphans.DATASTORE);

  private final ResultStore results;
  private final BiFunction<String, List<Metric>, ComputedSampleStore> stores;
  private final InstantSource clock;
  private final Map<String, ComputedSampleStore> byGroup = new HashMap<>();

  /**
   * @param stores makes one for a metric group
   */
  SizingMetrics(
      ResultStore results,
      BiFunction<String, List<Metric>, ComputedSampleStore> stores,
      InstantSource clock) {
    this.results = results;
    this.stores = stores;
    this.clock = clock;
  }

  /** Writes what the last evaluation found, as of now. */
  synchronized void write() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MINUTES);
    for (ObjectKind kind : KINDS) {
      write(now, kind, results.metrics(kind));
    }
  }

  private void write(Instant now, ObjectKind kind, Map<Integer, Map<VropsKey, Double>> metrics) {
    Map<String, List<VropsKey>> groups = new LinkedHashMap<>();
    for (VropsKey key : VropsKey.values()) {
      if (metrics.values().stream().anyMatch(of -> of.containsKey(key))) {
        groups
            .computeIfAbsent(MetricKey.parse(key.key()).group(), name -> new ArrayList<>())
            .add(key);
      }
    }
    groups.forEach(
        (group, keys) -> {
          Map<Owner, double[]> values = new HashMap<>();
          metrics.forEach(
              (object, of) -> {
                double[] row =
                    keys.stream().mapToDouble(key -> of.getOrDefault(key, Double.NaN)).toArray();
                if (!Arrays.stream(row).allMatch(Double::isNaN)) {
                  values.put(new Owner(object, ""), row);
                }
              });
          store(kind, group, keys).write(now, Map.of(kind, values));
        });
  }

  private ComputedSampleStore store(ObjectKind kind, String group, List<VropsKey> keys) {
    List<Metric> metrics =
        keys.stream()
            .map(key -> new Metric(MetricKey.parse(key.key()).metric(), unit(key)))
            .toList();
    return byGroup.computeIfAbsent(
        kind + "/" + group + "/" + keys, name -> stores.apply(group, metrics));
  }

  private static @Nullable String unit(VropsKey key) {
    return switch (key.unit()) {
      case FLAG, COUNT -> null;
      case PERCENT -> "%";
      case MHZ -> "MHz";
      case KB -> "KB";
      case GB -> "GB";
    };
  }
}
