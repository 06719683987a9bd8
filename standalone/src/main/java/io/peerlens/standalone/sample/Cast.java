package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Script.Event;
import io.peerlens.standalone.sample.Script.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who is struck by the faults of the {@link Script}. Everything follows from the seed. */
final class Cast {

  /** The cluster whose datastore is taken by one machine, so that no other fault hides it. */
  private static final int HOG_CLUSTER = 1;

  private final Inventory inventory;
  private final long seed;
  private final long firstStart;

  Cast(Inventory inventory, long seed, long firstStart) {
    this.inventory = inventory;
    this.seed = seed;
    this.firstStart = firstStart;
  }

  /** An occurrence of a fault. */
  Event of(Kind kind, int k) {
    long dice = Noise.hash(seed + 88 + kind.ordinal(), k);
    return switch (kind) {
      case OVERLOADED_PEER -> of(kind, k, pick("shop", "web", dice), List.of());
      case NOISY_NEIGHBOUR -> of(kind, k, pick("batch", "worker", dice), List.of());
      case SILENT -> of(kind, k, silent(k), List.of());
      case LIMITED_DISK -> {
        Vm limited = pick("shop", "db", dice);
        yield of(kind, k, limited, FlowRecords.clients(inventory, "batch", "worker", limited));
      }
      case POLICY_LIMIT -> {
        Vm limited = limitedByPolicy(k, dice);
        yield of(kind, k, limited, FlowRecords.clients(inventory, "search", "api", limited));
      }
      case DATASTORE_HOG ->
          of(
              kind,
              k,
              one(
                  tier("ci", "agent").stream()
                      .filter(vm -> vm.home().cluster().index() == HOG_CLUSTER)
                      .toList(),
                  dice),
              List.of());
      case GUEST_ONLY -> of(kind, k, pick("desktop", "vdi", dice), List.of());
      case SHORT_QUEUE -> of(kind, k, List.of(), withShortQueue(k, dice));
      case FULL_BUFFER -> of(kind, k, List.of(), Vsan.worn(inventory));
      case DROPPED_PACKETS -> of(kind, k, List.of(), vsanHosts().get(0));
      case SLOW_DISK -> of(kind, k, List.of(), vsanHosts().get(1));
      case HOST_OUT_OF_MEMORY -> {
        Host host = outOfMemory(k);
        yield of(kind, k, movers(host.cluster(), host), host);
      }
    };
  }

  private Event of(Kind kind, int k, Vm vm, List<Vm> waiting) {
    long from = firstStart + kind.first + k * kind.every;
    return new Event(kind, k, List.of(vm), waiting, vm.home(), from, from + kind.lasts);
  }

  private Event of(Kind kind, int k, List<Vm> vms, Host host) {
    long from = firstStart + kind.first + k * kind.every;
    return new Event(kind, k, vms, List.of(), host, from, from + kind.lasts);
  }

  /**
   * The machines that are slow because of a fault.
   *
   * @param host where each machine is, by index
   */
  List<Vm> slow(Event event, Host[] host) {
    Datastore vsan = Vsan.datastore(inventory);
    return inventory.vms.stream()
        .filter(
            vm -> {
              boolean here = host[vm.index()].equals(event.host());
              boolean itself = event.vms().contains(vm);
              return switch (event.kind()) {
                case LIMITED_DISK, POLICY_LIMIT -> itself || event.waiting().contains(vm);
                case GUEST_ONLY -> itself;
                case NOISY_NEIGHBOUR -> here && !itself;
                case HOST_OUT_OF_MEMORY, SHORT_QUEUE -> here;
                case FULL_BUFFER, DROPPED_PACKETS -> here && vm.datastore().equals(vsan);
                case SLOW_DISK -> Vsan.liesOn(vm, event.host()) && vm.datastore().equals(vsan);
                case DATASTORE_HOG ->
                    !itself && vm.datastore().equals(event.vms().getFirst().datastore());
                case OVERLOADED_PEER, SILENT -> false;
              };
            })
        .toList();
  }

  /** One machine of a tier. */
  Vm pick(String app, String tier, long dice) {
    return one(tier(app, tier), dice);
  }

  private Vm silent(int k) {
    long dice = Noise.hash(seed + 88 + Kind.SILENT.ordinal(), k);
    return k % 2 == 0 ? pick("search", "api", dice) : pick("mail", "relay", dice);
  }

  /** A machine with search data in vSAN, away from the full buffer, that machines which run ask. */
  private Vm limitedByPolicy(int k, long dice) {
    long from = firstStart + Kind.POLICY_LIMIT.first + k * Kind.POLICY_LIMIT.every;
    long silences = Math.floorDiv(from - firstStart - Kind.SILENT.first, Kind.SILENT.every);
    List<Vm> silent =
        List.of(silent((int) Math.max(0, silences)), silent((int) Math.max(0, silences + 1)));
    List<Vm> inVsan =
        tier("search", "data").stream().filter(vm -> Vsan.hasPolicyLimit(inventory, vm)).toList();
    List<Vm> asked =
        inVsan.stream()
            .filter(vm -> !vm.home().equals(Vsan.worn(inventory)))
            .filter(
                vm ->
                    FlowRecords.clients(inventory, "search", "api", vm).stream()
                        .anyMatch(client -> !silent.contains(client)))
            .toList();
    return one(asked.isEmpty() ? inVsan : asked, dice);
  }

  /** Hosts of vSAN other than that with the full buffer, in an order of chance. */
  private List<Host> vsanHosts() {
    List<Host> hosts = new ArrayList<>(Vsan.datastore(inventory).cluster().hosts());
    hosts.remove(Vsan.worn(inventory));
    int first = (int) (Noise.uniform(seed, 63) * hosts.size());
    return List.of(hosts.get(first), hosts.get((first + 1) % hosts.size()));
  }

  /** The host that runs out of memory. */
  private Host outOfMemory(int k) {
    long dice = Noise.hash(seed + 88 + Kind.HOST_OUT_OF_MEMORY.ordinal(), k);
    Cluster cluster = inventory.clusters.get(k % 2 == 0 ? 0 : 2);
    return cluster.hosts().get((int) (Noise.uniform(dice, 1) * cluster.hosts().size()));
  }

  /** A host of the first cluster on which no other fault happens, as far as they have a host. */
  private Host withShortQueue(int k, long dice) {
    List<Vm> databases = tier("shop", "db");
    List<Host> quiet =
        inventory.clusters.getFirst().hosts().stream()
            .filter(host -> !host.equals(outOfMemory(k)))
            .filter(host -> databases.stream().noneMatch(vm -> vm.home().equals(host)))
            .toList();
    return quiet.get((int) (Noise.uniform(dice, 1) * quiet.size()));
  }

  private List<Vm> tier(String app, String tier) {
    return inventory.vms.stream()
        .filter(vm -> vm.tier().app().equals(app) && vm.tier().tier().equals(tier))
        .toList();
  }

  private static Vm one(List<Vm> candidates, long dice) {
    return candidates.get((int) (Noise.uniform(dice, 2) * candidates.size()));
  }

  /** Three machines of the cluster that together are just too much for the host. */
  private List<Vm> movers(Cluster cluster, Host host) {
    double there = 0;
    Map<Integer, List<Vm>> bySize = new HashMap<>();
    for (Vm vm : inventory.members(cluster)) {
      if (vm.home().equals(host)) {
        there += Physics.consumedShare(vm, 0) * vm.tier().memoryMb();
      } else {
        List<Vm> same = bySize.computeIfAbsent(vm.tier().memoryMb(), size -> new ArrayList<>());
        if (same.size() < 3) {
          same.add(vm);
        }
      }
    }
    List<Vm> candidates = new ArrayList<>();
    bySize.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> candidates.addAll(entry.getValue()));
    double missing = Inventory.HOST_MEMORY_MB * 1.08 - there;
    List<Vm> best = List.of();
    double bestExcess = Double.POSITIVE_INFINITY;
    for (int a = 0; a < candidates.size(); a++) {
      for (int b = a + 1; b < candidates.size(); b++) {
        for (int c = b + 1; c < candidates.size(); c++) {
          List<Vm> three = List.of(candidates.get(a), candidates.get(b), candidates.get(c));
          double excess = -missing;
          for (Vm vm : three) {
            excess += Physics.consumedShare(vm, 0) * vm.tier().memoryMb();
          }
          // Too little is worse than too much: the host has to run out.
          double cost = excess < 0 ? -10 * excess : excess;
          if (cost < bestExcess) {
            bestExcess = cost;
            best = three;
          }
        }
      }
    }
    return best;
  }
}
