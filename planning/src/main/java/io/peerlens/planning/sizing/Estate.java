package io.peerlens.planning.sizing;

import io.peerlens.planning.sizing.ClusterState.Part;
import io.peerlens.planning.sizing.SizingInventoryQueries.Cluster;
import io.peerlens.planning.sizing.SizingInventoryQueries.Host;
import io.peerlens.sizing.Amounts;
import io.peerlens.sizing.Numa;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Clusters with their hosts, as they are now. Not thread-safe. */
final class Estate {

  private static final List<String> HOST_KEYS =
      List.of("cpu|capacity_provisioned", "mem|host_provisioned");
  private static final List<String> DISK_KEYS =
      List.of("diskspace|total_capacity", "diskspace|total_usage");
  private static final Duration HOUR = Duration.ofHours(1);

  private final Map<Integer, Integer> clusterOf;
  private final Map<Integer, List<Part>> hosts = new HashMap<>();
  private final Map<Integer, Numa> numas = new HashMap<>();
  private final List<Cluster> clusters;

  Estate(SizingInventoryQueries queries, HistoryReader reader, Instant to) {
    clusterOf = queries.members();
    clusters = queries.clusters();
    List<Host> all = queries.hosts();
    double[][] last =
        reader.last(HistoryReader.HOST, HOST_KEYS, all.stream().mapToInt(Host::id).toArray(), to);
    for (int h = 0; h < all.size(); h++) {
      Host host = all.get(h);
      Integer cluster = clusterOf.get(host.id());
      if (cluster != null) {
        double mhz = or(host.cores() * host.coreMhz(), last[0][h]);
        double memory = or(host.memoryGb(), last[1][h] * Measure.KB_TO_GB);
        hosts
            .computeIfAbsent(cluster, id -> new ArrayList<>())
            .add(new Part(host.uuid(), new Amounts(mhz, memory, 0, 0)));
        numas.merge(cluster, numa(host), Estate::smaller);
      }
    }
  }

  private static double or(double first, double second) {
    return first > 0 ? first : second > 0 ? second : Double.NaN;
  }

  private static Numa numa(Host host) {
    int nodes = (int) host.nodes();
    int cores = (int) host.cores();
    return nodes < 1 || nodes > 64 || cores < nodes || cores / nodes > 1024
        ? Numa.NOT_KNOWN
        : new Numa(cores / nodes, nodes, host.memoryGb() / nodes);
  }

  /** The one that holds less; what is not known of one host is not known of the cluster. */
  private static Numa smaller(Numa a, Numa b) {
    if (a.coresPerNode() == 0 || b.coresPerNode() == 0) {
      return Numa.NOT_KNOWN;
    }
    return new Numa(
        Math.min(a.coresPerNode(), b.coresPerNode()),
        Math.min(a.nodes(), b.nodes()),
        Math.min(a.memoryGbPerNode(), b.memoryGbPerNode()));
  }

  List<Cluster> clusters() {
    return clusters;
  }

  /** NUMA nodes of the hosts that a machine can run on. */
  Numa numa(int machine) {
    return numas.getOrDefault(clusterOf.getOrDefault(machine, -1), Numa.NOT_KNOWN);
  }

  /** The cluster of a machine; -1 = it is in none. */
  int cluster(int machine) {
    return clusterOf.getOrDefault(machine, -1);
  }

  /** Capacity of a cluster; its disks are those of the datastores that it counts. */
  ClusterSizing.Capacity capacity(
      Cluster cluster, HistoryReader reader, Instant to, int hostFailures) {
    double[][][] disk =
        reader.columns(
            HistoryReader.CLUSTER,
            DISK_KEYS,
            new int[] {cluster.id()},
            to.minus(HOUR.multipliedBy(ClusterSizing.HOURS)),
            ClusterSizing.HOURS);
    double capacity = History.last(disk[0][0]);
    return new ClusterSizing.Capacity(
        hosts.getOrDefault(cluster.id(), List.of()),
        capacity >= 0 ? capacity : Double.NaN,
        disk[1][0],
        hostFailures);
  }
}
