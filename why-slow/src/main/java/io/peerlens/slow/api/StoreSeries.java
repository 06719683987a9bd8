package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.HOST;
import static io.peerlens.slow.api.Kinds.STORE;

import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Latency and operations of datastores: their own series, else put together from those of the hosts
 * of the cluster, which Telegraf sends by LUN.
 */
final class StoreSeries {

  static final String TOTAL = "datastore|totalLatency_average";
  static final String READ = "datastore:%s|totalReadLatency_average";
  static final String WRITE = "datastore:%s|totalWriteLatency_average";
  static final String READS = "datastore|numberReadAveraged_average";
  private static final String WRITES = "datastore|numberWriteAveraged_average";
  private static final String HOST_READS = "datastore:%s|numberReadAveraged_average";
  private static final String HOST_WRITES = "datastore:%s|numberWriteAveraged_average";

  private final SeriesBatch batch;
  private final Place place;
  private final ObjectGraph graph;

  /** The instance of each datastore at the hosts, by its name. */
  private final Map<String, String> luns = new HashMap<>();

  StoreSeries(SeriesBatch batch, Place place, ObjectGraph graph) {
    this.batch = batch;
    this.place = place;
    this.graph = graph;
    for (int host : place.hosts()) {
      place
          .properties()
          .getOrDefault(host, Map.of())
          .forEach(
              (key, name) -> {
                if (key.startsWith("datastore:") && key.endsWith("|name")) {
                  luns.putIfAbsent(name, key.substring("datastore:".length(), key.length() - 5));
                }
              });
    }
  }

  /** Wishes all that is told of some datastores. */
  void want(Collection<Integer> stores) {
    for (String key : List.of(TOTAL, READS, WRITES)) {
      batch.want(STORE, key, stores);
    }
    for (int store : stores) {
      String lun = lun(store);
      if (lun != null) {
        for (String key : List.of(READ, WRITE, HOST_READS, HOST_WRITES)) {
          batch.want(HOST, key.formatted(lun), place.hosts());
        }
      }
    }
  }

  /** Its instance at the hosts; null = not known. */
  @Nullable String lun(int store) {
    return luns.get(Kinds.name(graph, store));
  }

  /** Whether it tells its latency itself. */
  boolean tells(int store) {
    return batch.get(STORE, TOTAL, store) != null;
  }

  /**
   * Latency in ms: its own, else the median of the hosts', which one host's queue does not move;
   * null = fewer than two hosts tell it.
   */
  double @Nullable [] latency(int store) {
    double[] own = batch.get(STORE, TOTAL, store);
    String lun = lun(store);
    if (own != null || lun == null) {
      return own;
    }
    List<double[]> of = new ArrayList<>();
    for (int host : place.hosts()) {
      double[] values = batch.get(HOST, READ.formatted(lun), host);
      if (values != null) {
        of.add(values);
      }
    }
    return of.size() < 2 ? null : median(of);
  }

  private static double[] median(List<double[]> of) {
    double[] middle = new double[of.getFirst().length];
    Arrays.setAll(
        middle,
        i -> {
          double[] sorted =
              of.stream()
                  .mapToDouble(one -> one[i])
                  .filter(one -> !Double.isNaN(one))
                  .sorted()
                  .toArray();
          return sorted.length == 0
              ? Double.NaN
              : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        });
    return middle;
  }

  /** Operations a second: its own, else the sum of the hosts'; null = not known. */
  double @Nullable [] iops(int store) {
    double[] own = batch.sum(STORE, store, READS, WRITES);
    String lun = lun(store);
    if (own != null || lun == null) {
      return own;
    }
    double[] sum = null;
    for (int host : place.hosts()) {
      double[] one = batch.sum(HOST, host, HOST_READS.formatted(lun), HOST_WRITES.formatted(lun));
      if (one != null) {
        sum = sum == null ? one : SeriesBatch.plus(sum, one);
      }
    }
    return sum;
  }
}
