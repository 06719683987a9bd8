package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.CLUSTER;
import static io.peerlens.slow.api.Kinds.HOST;
import static io.peerlens.slow.api.Kinds.STORE;

import io.peerlens.slow.Band;
import io.peerlens.slow.Signal;
import io.peerlens.slow.api.Tracks.Peers;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Series of disk groups and their devices; without vSAN of datastores: what their device takes, and
 * what a host takes with them.
 */
final class StoreTracks {

  private static final String GROUP = "diskgroup";
  private static final List<String> DEVICES = List.of("cachedisk", "capacitydisk");

  private static final String DEVICE = "disk|deviceLatency_average";

  private static final double MS = 0.001;

  /** So many disk groups and devices of a cluster are looked at. */
  private static final int MOST = 500;

  private final Tracks tracks;
  private final ObjectGraph graph;
  private final boolean vsan;
  private final StoreSeries series;

  StoreTracks(Tracks tracks, ObjectGraph graph, boolean vsan) {
    this.tracks = tracks;
    this.graph = graph;
    this.vsan = vsan;
    this.series = new StoreSeries(tracks.batch(), tracks.place(), graph);
  }

  /** Datastores that the hosts of a cluster have. */
  static List<Integer> stores(Place place, ObjectGraph graph) {
    List<Integer> all = new ArrayList<>(Kinds.below(graph, place.hosts(), STORE));
    place.stores().stream().filter(one -> !all.contains(one)).forEach(all::add);
    return all;
  }

  static void want(SeriesBatch batch, Place place, ObjectGraph graph) {
    Integer cluster = place.cluster();
    if (cluster != null) {
      Set<Integer> one = Set.of(cluster);
      for (String metric :
          List.of(
              "wb_free_pct",
              "log_congestion",
              "latency_avg_read",
              "latency_avg_write",
              "iops_read",
              "iops_write")) {
        batch.wantInstances(CLUSTER, GROUP + "|" + metric, one);
      }
      for (String device : DEVICES) {
        for (String metric :
            List.of("latency_dev_read", "latency_dev_write", "iops_read", "iops_write")) {
          batch.wantInstances(CLUSTER, device + "|" + metric, one);
        }
      }
    }
    new StoreSeries(batch, place, graph).want(stores(place, graph));
    batch.want(HOST, DEVICE, place.hosts());
  }

  void add() {
    if (vsan) {
      groups();
      if (!tracks.has(Signal.BUFFER)) {
        tracks.missing(Band.DISK_GROUP, "write buffer", Tracks.VSAN, true);
      }
      if (!tracks.has(Signal.DEVICE_LATENCY)) {
        tracks.missing(Band.DISK_GROUP, "device latency", Tracks.VSAN, true);
      }
    } else {
      stores();
      if (!tracks.has(Signal.DEVICE_LATENCY)) {
        tracks.missing(Band.DISK_GROUP, "latency of its datastores", Tracks.VCENTER, true);
      }
    }
  }

  // ---- vSAN -------------------------------------------------------------------------------------

  private void groups() {
    Integer cluster = tracks.place().cluster();
    if (cluster == null) {
      return;
    }
    each(cluster, GROUP, "wb_free_pct", Signal.BUFFER, of -> full(of.get("wb_free_pct")));
    each(cluster, GROUP, "log_congestion", Signal.LOG_CONGESTION, of -> of.get("log_congestion"));
    each(
        cluster,
        GROUP,
        "latency_avg_read",
        Signal.DEVICE_LATENCY,
        of -> millis(of.get("latency_avg_read")));
    each(
        cluster,
        GROUP,
        "latency_avg_write",
        Signal.DEVICE_LATENCY,
        of -> millis(of.get("latency_avg_write")));
    each(cluster, GROUP, "iops_read", Signal.DEVICE_IOPS, of -> sum(of));
    for (String device : DEVICES) {
      each(
          cluster,
          device,
          "latency_dev_read",
          Signal.DEVICE_LATENCY,
          of -> millis(of.get("latency_dev_read")));
      each(
          cluster,
          device,
          "latency_dev_write",
          Signal.DEVICE_LATENCY,
          of -> millis(of.get("latency_dev_write")));
      each(cluster, device, "iops_read", Signal.DEVICE_IOPS, of -> sum(of));
    }
  }

  /** A figure of a group or device from its series by metric. */
  private interface Figure {
    double @Nullable [] of(Map<String, double[]> series);
  }

  private void each(int cluster, String group, String metric, Signal signal, Figure figure) {
    SeriesBatch batch = tracks.batch();
    Map<String, double[]> all = new LinkedHashMap<>();
    Set<String> instances =
        batch
            .instances(CLUSTER, group + "|" + metric, Set.of(cluster))
            .getOrDefault(cluster, Set.of());
    for (String instance : instances) {
      Map<String, double[]> of = new HashMap<>();
      for (String one : List.of(metric, "iops_read", "iops_write")) {
        double[] values = batch.get(CLUSTER, group + ":" + instance + "|" + one, cluster);
        if (values != null) {
          of.put(one, values);
        }
      }
      double[] values = all.size() < MOST ? figure.of(of) : null;
      if (values != null) {
        all.put(instance, values);
      }
    }
    String kind = group.equals(GROUP) ? "disk groups" : "devices of its kind";
    all.forEach(
        (instance, values) ->
            tracks.add(
                signal,
                cluster,
                group + ":" + instance + "|" + metric,
                name(group, instance),
                values,
                null,
                new Peers(
                    kind,
                    all.entrySet().stream()
                        .filter(other -> !other.getKey().equals(instance))
                        .map(Map.Entry::getValue)
                        .toList())));
  }

  private static double @Nullable [] full(double @Nullable [] free) {
    if (free == null) {
      return null;
    }
    double[] full = new double[free.length];
    Arrays.setAll(full, i -> 100 - free[i]);
    return full;
  }

  private static double @Nullable [] millis(double @Nullable [] micros) {
    return micros == null ? null : SeriesBatch.times(micros, MS);
  }

  private static double @Nullable [] sum(Map<String, double[]> of) {
    double[] reads = of.get("iops_read");
    double[] writes = of.get("iops_write");
    return reads == null || writes == null ? null : SeriesBatch.plus(reads, writes);
  }

  /** Such as "esx-3 52e1": host and the end of the device's name. */
  static String name(String group, String instance) {
    String host = part(instance, "hostname=");
    String device = part(instance, "devicename=");
    String end = device.length() > 4 ? device.substring(device.length() - 4) : device;
    String node = host.indexOf('.') > 0 ? host.substring(0, host.indexOf('.')) : host;
    String name = (node + " " + end).strip();
    return name.isEmpty() ? instance : group.equals(GROUP) ? name : name + " device";
  }

  private static String part(String instance, String key) {
    for (String one : instance.split(",")) {
      if (one.startsWith(key)) {
        return one.substring(key.length());
      }
    }
    return "";
  }

  // ---- datastores -------------------------------------------------------------------------------

  private void stores() {
    Map<Integer, double[]> latencies = new LinkedHashMap<>();
    for (int store : stores(tracks.place(), graph)) {
      double[] of = series.latency(store);
      if (of != null) {
        latencies.put(store, of);
      }
    }
    Integer host = tracks.place().host();
    for (int store : tracks.place().stores()) {
      String name = Kinds.name(graph, store);
      String lun = series.lun(store);
      List<double[]> peers =
          latencies.entrySet().stream()
              .filter(other -> other.getKey() != store)
              .map(Map.Entry::getValue)
              .toList();
      boolean own = series.tells(store);
      tracks.add(
          Signal.DEVICE_LATENCY,
          store,
          own || lun == null ? StoreSeries.TOTAL : StoreSeries.READ.formatted(lun),
          name,
          latencies.get(store),
          own ? tracks.usual(STORE, StoreSeries.TOTAL, store, 1) : null,
          new Peers("datastores of its cluster", peers));
      tracks.add(
          Signal.DEVICE_IOPS, store, StoreSeries.READS, name, series.iops(store), null, Peers.NONE);
      if (lun != null && host != null) {
        atHost(host, name, lun, StoreSeries.READ);
        atHost(host, name, lun, StoreSeries.WRITE);
      }
    }
    if (!tracks.has(Signal.DEVICE_LATENCY) && host != null) {
      tracks.addFirst(
          Signal.DEVICE_LATENCY,
          HOST,
          host,
          "",
          1,
          tracks.place().hosts(),
          "hosts of its cluster",
          DEVICE);
    }
  }

  /** What a host takes with a datastore: its peers are the other hosts with the same one. */
  private void atHost(int host, String name, String lun, String key) {
    tracks.addFirst(
        Signal.HOST_LATENCY,
        HOST,
        host,
        name,
        1,
        tracks.place().hosts(),
        "hosts with " + name,
        key.formatted(lun));
  }
}
