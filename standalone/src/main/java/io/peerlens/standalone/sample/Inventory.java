package io.peerlens.standalone.sample;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Inventory of the sample datacentre: made once from the seed, before any load is computed. */
final class Inventory {

  static final String VCENTER = "vcenter.sample.example";
  static final String COLLECTOR = "sample-collector";
  static final int CORES = 24;
  static final int SOCKETS = 2; // each of them a NUMA node
  static final int CORES_PER_SOCKET = CORES / SOCKETS;
  static final int CORE_MHZ = 2_600;
  static final int HOST_MEMORY_MB = 196_608;
  private static final int DATASTORES_PER_CLUSTER = 3;
  private static final long DATASTORE_KB = 24L << 30; // 24 TB

  record Datacenter(int index, String name, String moid) {}

  record Cluster(int index, String name, String moid, Datacenter datacenter, List<Host> hosts) {}

  /**
   * A hypervisor.
   *
   * @param bootAge seconds from its boot to the first start of the sample
   */
  record Host(int index, String name, String moid, Cluster cluster, long seed, long bootAge) {}

  record Datastore(int index, String name, String moid, String lun, Cluster cluster, long seed) {
    long capacityKb() {
      return DATASTORE_KB;
    }
  }

  record Pool(int index, String name, String moid, Cluster cluster) {}

  /**
   * A virtual machine.
   *
   * @param home the host where it belongs; moves take it elsewhere for a while
   * @param address IPv4 address of its network card
   * @param scale its share of the tier's load, around 1
   * @param detailed whether its single CPUs are reported too
   */
  record Vm(
      int index,
      String name,
      String moid,
      String uuid,
      Tier tier,
      Host home,
      Datastore datastore,
      Pool pool,
      String address,
      long seed,
      double scale,
      long bootAge,
      boolean detailed) {

    double capacityMhz() {
      return (double) tier.cpus() * CORE_MHZ;
    }

    long memoryKb() {
      return (long) tier.memoryMb() << 10;
    }
  }

  final List<Datacenter> datacenters = new ArrayList<>();
  final List<Cluster> clusters = new ArrayList<>();
  final List<Host> hosts = new ArrayList<>();
  final List<Datastore> datastores = new ArrayList<>();
  final List<Pool> pools = new ArrayList<>();
  final List<Vm> vms = new ArrayList<>();

  Inventory(long seed) {
    datacenters.add(new Datacenter(0, "east", "datacenter-3"));
    datacenters.add(new Datacenter(1, "west", "datacenter-21"));
    cluster(seed, "east-prod", 0, 9);
    cluster(seed, "east-general", 0, 7);
    cluster(seed, "west-main", 1, 8);
    place(seed);
  }

  private void cluster(long seed, String name, int datacenter, int size) {
    int index = clusters.size();
    List<Host> members = new ArrayList<>();
    Cluster cluster =
        new Cluster(index, name, "domain-c" + (100 + index), datacenters.get(datacenter), members);
    clusters.add(cluster);
    for (int i = 1; i <= size; i++) {
      int h = hosts.size();
      long own = Noise.hash(seed, 10_000 + h);
      Host host =
          new Host(
              h,
              "%s-esx%02d".formatted(name, i),
              "host-" + (200 + h),
              cluster,
              own,
              (long) Noise.between(own, 1, 20, 200) * 86_400
                  + (long) Noise.between(own, 2, 0, 86_400));
      hosts.add(host);
      members.add(host);
    }
    for (int i = 1; i <= DATASTORES_PER_CLUSTER; i++) {
      int d = datastores.size();
      long own = Noise.hash(seed, 20_000 + d);
      datastores.add(
          new Datastore(
              d,
              "%s-san%02d".formatted(name, i),
              "datastore-" + (300 + d),
              "naa.6000%012x".formatted(own & 0xffffffffffffL),
              cluster,
              own));
    }
  }

  /** The machines of a cluster. */
  List<Vm> members(Cluster cluster) {
    return vms.stream().filter(vm -> vm.home().cluster().equals(cluster)).toList();
  }

  /** The first three numbers of the addresses of a tier, which has a network of its own. */
  static String network(Tier tier) {
    return "10.20." + Tier.ALL.indexOf(tier);
  }

  /** Address of the distributed switch of a cluster, which exports flows. */
  static String exporter(Cluster cluster) {
    return "10.10.%d.2".formatted(cluster.index());
  }

  /** The largest first, each to the allowed host that is the least full. */
  private void place(long seed) {
    record Wanted(Tier tier, int number) {}
    List<Wanted> wanted = new ArrayList<>();
    for (Tier tier : Tier.ALL) {
      for (int number = 1; number <= tier.count(); number++) {
        wanted.add(new Wanted(tier, number));
      }
    }
    double[] memory = new double[hosts.size()];
    double[] cpu = new double[hosts.size()];
    Map<Wanted, Host> homes = new HashMap<>();
    for (Wanted w :
        wanted.stream()
            .sorted(Comparator.comparingInt((Wanted w) -> -w.tier().memoryMb()))
            .toList()) {
      Host best =
          w.tier().clusters().stream()
              .flatMap(c -> clusters.get(c).hosts().stream())
              .min(Comparator.comparingDouble(h -> memory[h.index()] + 0.4 * cpu[h.index()]))
              .orElseThrow();
      memory[best.index()] += (double) w.tier().memoryMb() / HOST_MEMORY_MB;
      cpu[best.index()] +=
          w.tier().cpus() * (w.tier().idleCpu() + w.tier().peakCpu()) / 100 / CORES;
      homes.put(w, best);
    }
    Map<String, Pool> poolsByName = new HashMap<>();
    for (Wanted w : wanted) {
      int v = vms.size();
      long own = Noise.hash(seed, 30_000 + v);
      Host home = homes.get(w);
      if (home == null) {
        throw new IllegalStateException("Every machine was placed");
      }
      Cluster cluster = home.cluster();
      Pool pool =
          poolsByName.computeIfAbsent(
              cluster.name() + "/" + w.tier().env(),
              key -> {
                Pool made =
                    new Pool(
                        pools.size(), w.tier().env(), "resgroup-" + (400 + pools.size()), cluster);
                pools.add(made);
                return made;
              });
      Datastore datastore =
          datastores.get(
              cluster.index() * DATASTORES_PER_CLUSTER
                  + (int) (Noise.uniform(own, 3) * DATASTORES_PER_CLUSTER));
      String name = w.tier().machineName(w.number());
      vms.add(
          new Vm(
              v,
              name,
              "vm-" + (1_000 + v),
              UUID.nameUUIDFromBytes((seed + "/" + name).getBytes(StandardCharsets.UTF_8))
                  .toString(),
              w.tier(),
              home,
              datastore,
              pool,
              network(w.tier()) + "." + (9 + w.number()),
              own,
              1 + w.tier().spread() * Noise.between(own, 4, -1.5, 1.5),
              (long) Noise.between(own, 5, 2, 90) * 86_400
                  + (long) Noise.between(own, 6, 0, 86_400),
              v % 10 == 0));
    }
  }
}
