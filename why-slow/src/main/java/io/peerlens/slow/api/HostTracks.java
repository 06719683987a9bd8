package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.CLUSTER;
import static io.peerlens.slow.api.Kinds.HOST;

import io.peerlens.slow.Band;
import io.peerlens.slow.Signal;
import io.peerlens.slow.api.Tracks.Peers;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Series of the cluster, of the machine's host, and of the network between hosts. */
final class HostTracks {

  private static final String KERNEL = "disk|kernelLatency_average";
  private static final String COMMANDS = "disk|commandsAveraged_average";
  private static final String CPU = "cpu|usage_average";
  private static final String MEMORY = "mem|usage_average";
  private static final String SWAP = "mem|swapinRate_average";
  private static final String DROPPED = "net|droppedPct";
  private static final String DROPPED_RX = "net|droppedRx_summation";
  private static final String DROPPED_TX = "net|droppedTx_summation";
  private static final String PACKETS_RX = "net|packetsRx_summation";
  private static final String PACKETS_TX = "net|packetsTx_summation";
  private static final String ERRORS = "net|error_packets";
  private static final String LATENCY = "disk|totalLatency_average";
  private static final String OUTSTANDING = "datastore|demand_oio";

  private static final String CLIENT = "clusterdomclient|";
  private static final String OF_HOST = "hostdomclient:hostname=%s|";
  private static final String NET = "vsanhostnet:hostname=%s|";

  private static final double MS = 0.001;

  /** vSAN tells rates of loss in thousandths. */
  private static final double PER_MILLE = 0.1;

  private final Tracks tracks;
  private final ObjectGraph graph;
  private final boolean vsan;

  HostTracks(Tracks tracks, ObjectGraph graph, boolean vsan) {
    this.tracks = tracks;
    this.graph = graph;
    this.vsan = vsan;
  }

  static void want(SeriesBatch batch, Place place, ObjectGraph graph) {
    for (String key :
        List.of(
            KERNEL,
            COMMANDS,
            CPU,
            MEMORY,
            SWAP,
            DROPPED,
            DROPPED_RX,
            DROPPED_TX,
            PACKETS_RX,
            PACKETS_TX,
            ERRORS)) {
      batch.want(HOST, key, place.hosts());
    }
    Integer cluster = place.cluster();
    if (cluster == null) {
      return;
    }
    List<Integer> one = List.of(cluster);
    for (String key : List.of(LATENCY, OUTSTANDING, COMMANDS)) {
      batch.want(CLUSTER, key, one);
    }
    for (String metric :
        List.of(
            "congestion",
            "oio",
            "latency_avg_read",
            "latency_avg_write",
            "iops_read",
            "iops_write")) {
      batch.want(CLUSTER, CLIENT + metric, one);
    }
    for (int host : place.hosts()) {
      String name = Kinds.name(graph, host);
      for (String metric : List.of("latency_avg_read", "latency_avg_write")) {
        batch.want(CLUSTER, OF_HOST.formatted(name) + metric, one);
      }
      for (String metric :
          List.of("rx_packets_loss_rate", "tx_packets_loss_rate", "tcp_tx_rexmit_rate")) {
        batch.want(CLUSTER, NET.formatted(name) + metric, one);
      }
    }
  }

  void add(boolean loadKnown) {
    cluster(loadKnown);
    Integer host = tracks.place().host();
    if (host == null) {
      tracks.missing(Band.HOST, "its host", Tracks.EITHER, true);
      tracks.missing(Band.NETWORK, "its host", Tracks.EITHER, true);
      return;
    }
    host(host);
    network(host);
  }

  private String alike() {
    Integer cluster = tracks.place().cluster();
    return cluster == null ? "hosts" : "hosts of " + Kinds.name(graph, cluster);
  }

  private void cluster(boolean loadKnown) {
    Integer cluster = tracks.place().cluster();
    if (!loadKnown) {
      tracks.missing(Band.CLUSTER, "what other machines ask for", Tracks.EITHER, true);
    }
    if (cluster == null) {
      tracks.missing(Band.CLUSTER, "its cluster", Tracks.EITHER, false);
      return;
    }
    if (vsan) {
      of(Signal.CONGESTION, cluster, 1, CLIENT + "congestion");
      of(Signal.CLUSTER_OUTSTANDING, cluster, 1, CLIENT + "oio");
      of(Signal.CLUSTER_LATENCY, cluster, MS, CLIENT + "latency_avg_write");
      tracks.add(
          Signal.CLUSTER_IOPS,
          cluster,
          CLIENT + "iops_read",
          "",
          tracks.batch().sum(CLUSTER, cluster, CLIENT + "iops_read", CLIENT + "iops_write"),
          null,
          Peers.NONE);
      if (!tracks.has(Signal.CONGESTION)) {
        tracks.missing(Band.CLUSTER, "vSAN congestion", Tracks.VSAN, true);
      }
    } else {
      of(Signal.CLUSTER_LATENCY, cluster, 1, LATENCY);
      of(Signal.CLUSTER_OUTSTANDING, cluster, 1, OUTSTANDING);
      of(Signal.CLUSTER_IOPS, cluster, 1, COMMANDS);
      if (!tracks.has(Signal.CLUSTER_LATENCY) && !tracks.has(Signal.CLUSTER_IOPS)) {
        tracks.missing(Band.CLUSTER, "disk latency and operations", Tracks.VCENTER, false);
      }
    }
  }

  private void of(Signal signal, int cluster, double factor, String key) {
    tracks.addFirst(signal, CLUSTER, cluster, "", factor, List.of(), "", key);
  }

  private void host(int host) {
    List<Integer> hosts = tracks.place().hosts();
    String alike = alike();
    tracks.addFirst(Signal.HOST_CPU, HOST, host, "", 1, hosts, alike, CPU);
    tracks.addFirst(Signal.HOST_MEMORY, HOST, host, "", 1, hosts, alike, MEMORY);
    tracks.addFirst(Signal.HOST_SWAP, HOST, host, "", 1, hosts, alike, SWAP);
    tracks.addFirst(Signal.HOST_IOPS, HOST, host, "", 1, hosts, alike, COMMANDS);
    if (vsan) {
      dom(host, "read");
      dom(host, "write");
      if (!tracks.has(Signal.HOST_LATENCY)) {
        tracks.missing(Band.HOST, "DOM latency of vSAN", Tracks.VSAN, true);
      }
    } else {
      tracks.addFirst(Signal.KERNEL_LATENCY, HOST, host, "", 1, hosts, alike, KERNEL);
    }
  }

  private void dom(int host, String what) {
    ofHosts(
        Signal.HOST_LATENCY, host, OF_HOST + "latency_avg_" + what, "vSAN " + what, MS, List.of());
  }

  /** A figure that vSAN tells of each host as an instance of the cluster. */
  private void ofHosts(
      Signal signal, int host, String form, String name, double factor, List<String> highestOf) {
    Integer cluster = tracks.place().cluster();
    if (cluster == null) {
      return;
    }
    String key = form.formatted(Kinds.name(graph, host));
    double[] values = joined(cluster, host, form, highestOf, factor);
    List<double[]> peers = new ArrayList<>();
    for (int other : tracks.place().hosts()) {
      double[] of = other == host ? null : joined(cluster, other, form, highestOf, factor);
      if (of != null) {
        peers.add(of);
      }
    }
    tracks.add(
        signal,
        cluster,
        key,
        name,
        values,
        highestOf.isEmpty() ? tracks.usual(CLUSTER, key, cluster, factor) : null,
        new Peers(alike(), peers));
  }

  private double @Nullable [] joined(
      int cluster, int host, String form, List<String> others, double factor) {
    String name = Kinds.name(graph, host);
    double[] values = tracks.batch().get(CLUSTER, form.formatted(name), cluster);
    if (values == null) {
      return null;
    }
    double[] highest = values.clone();
    for (String other : others) {
      double[] more = tracks.batch().get(CLUSTER, other.formatted(name), cluster);
      if (more != null) {
        Arrays.setAll(
            highest, i -> Double.isNaN(more[i]) ? highest[i] : Math.max(highest[i], more[i]));
      }
    }
    return SeriesBatch.times(highest, factor);
  }

  private void network(int host) {
    String name = Kinds.name(graph, host);
    if (vsan) {
      ofHosts(
          Signal.PACKET_LOSS,
          host,
          NET + "rx_packets_loss_rate",
          name,
          PER_MILLE,
          List.of(NET + "tx_packets_loss_rate"));
      ofHosts(Signal.RETRANSMITS, host, NET + "tcp_tx_rexmit_rate", name, PER_MILLE, List.of());
      if (!tracks.has(Signal.RETRANSMITS)) {
        tracks.missing(Band.NETWORK, "retransmits", Tracks.VSAN, false);
      }
    }
    if (!tracks.has(Signal.PACKET_LOSS)) {
      List<Integer> hosts = tracks.place().hosts();
      if (!tracks.addFirst(Signal.PACKET_LOSS, HOST, host, "", 1, hosts, alike(), DROPPED)) {
        tracks.add(
            Signal.PACKET_LOSS,
            host,
            DROPPED_RX,
            "",
            dropped(host),
            null,
            new Peers(
                alike(),
                hosts.stream()
                    .filter(one -> one != host)
                    .map(this::dropped)
                    .filter(Objects::nonNull)
                    .toList()));
      }
    }
    tracks.addFirst(
        Signal.PACKET_ERRORS, HOST, host, "", 1, tracks.place().hosts(), alike(), ERRORS);
    if (!tracks.has(Signal.PACKET_LOSS)) {
      tracks.missing(Band.NETWORK, "lost packets", vsan ? Tracks.VSAN : Tracks.EITHER, true);
    }
  }

  /** Share of the packets that were dropped, in per cent; null = not known. */
  private double @Nullable [] dropped(int host) {
    double[] dropped = tracks.batch().sum(HOST, host, DROPPED_RX, DROPPED_TX);
    double[] packets = tracks.batch().sum(HOST, host, PACKETS_RX, PACKETS_TX);
    if (dropped == null || packets == null) {
      return null;
    }
    double[] share = new double[dropped.length];
    Arrays.setAll(
        share,
        i -> {
          double all = dropped[i] + packets[i];
          return all > 0 ? 100 * dropped[i] / all : all == 0 ? 0 : Double.NaN;
        });
    return share;
  }
}
