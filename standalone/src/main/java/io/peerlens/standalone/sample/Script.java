package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Scripted incidents of the sample datacentre: things worth finding, relative to the first start
 * and repeating, and the moves of a resource scheduler. Times are seconds since 1970.
 */
final class Script {

  /** A kind of trouble. */
  enum Kind {
    OVERLOADED_PEER("does three times the work of its peers", -80 * 60, 24 * 3600, 6 * 3600),
    NOISY_NEIGHBOUR("takes the CPU of its host's other machines", -60 * 60, 8 * 3600, 90 * 60),
    HOST_OUT_OF_MEMORY(
        "runs out of memory after three machines moved to it", -40 * 60, 24 * 3600, 3 * 3600),
    SILENT("sends nothing, then starts again", -25 * 60, 12 * 3600, 2 * 3600);

    final String words;
    final long first;
    final long every;
    final long lasts;

    Kind(String words, long first, long every, long lasts) {
      this.words = words;
      this.first = first;
      this.every = every;
      this.lasts = lasts;
    }
  }

  /**
   * One thing to find.
   *
   * @param vms the machine in question, or those that move
   * @param host where it happens; for a single machine its home
   * @param from second it begins
   * @param to second it is over
   */
  record Event(Kind kind, int occurrence, List<Vm> vms, Host host, long from, long to) {
    boolean covers(long time) {
      return time >= from && time < to;
    }
  }

  private static final long MOVE_SLOT = 3 * 3600;

  private final Inventory inventory;
  private final long seed;
  private final long firstStart;
  private final Map<Long, Event> made = new HashMap<>();

  Script(Inventory inventory, long seed, long firstStart) {
    this.inventory = inventory;
    this.seed = seed;
    this.firstStart = firstStart;
  }

  /** What happens at a moment. */
  List<Event> at(long time) {
    List<Event> events = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      long since = time - firstStart - kind.first;
      if (since >= 0 && since % kind.every < kind.lasts) {
        events.add(event(kind, (int) (since / kind.every)));
      }
    }
    return events;
  }

  /** The newest silence of a machine that is over at a moment: since then it has been up. */
  long lastRestart(Vm vm, long time) {
    long since = time - firstStart - Kind.SILENT.first;
    for (long k = Math.floorDiv(since, Kind.SILENT.every); k >= 0; k--) {
      Event event = event(Kind.SILENT, (int) k);
      if (event.to() <= time && event.vms().getFirst().equals(vm)) {
        return event.to();
      }
    }
    return Long.MIN_VALUE;
  }

  /** All that begins before a moment, in order. */
  List<Event> until(long time) {
    List<Event> events = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int k = 0; firstStart + kind.first + k * kind.every < time; k++) {
        events.add(event(kind, k));
      }
    }
    events.sort(Comparator.comparingLong(Event::from));
    return events;
  }

  /** Where each machine is, by index. */
  Host[] placement(long time) {
    Host[] hosts = new Host[inventory.vms.size()];
    for (Vm vm : inventory.vms) {
      hosts[vm.index()] = vm.home();
    }
    long slot = Math.floorDiv(time, MOVE_SLOT);
    for (Cluster cluster : inventory.clusters) {
      long dice = Noise.hash(seed + 77, slot * 16 + cluster.index());
      long begin = slot * MOVE_SLOT + (long) Noise.between(dice, 1, 600, 5_400);
      long end = (slot + 1) * MOVE_SLOT - (long) Noise.between(dice, 2, 300, 3_000);
      if (time < begin || time >= end) {
        continue;
      }
      List<Vm> members = members(cluster);
      Vm mover = members.get((int) (Noise.uniform(dice, 3) * members.size()));
      List<Host> targets = cluster.hosts();
      Host target = targets.get((int) (Noise.uniform(dice, 4) * targets.size()));
      // A scheduler moves small machines; large ones would fill the target.
      if (mover.tier().memoryMb() <= 16_384) {
        hosts[mover.index()] = target;
      }
    }
    for (Event event : at(time)) {
      if (event.kind() == Kind.HOST_OUT_OF_MEMORY) {
        for (Vm vm : event.vms()) {
          hosts[vm.index()] = event.host();
        }
      }
      if (event.kind() == Kind.NOISY_NEIGHBOUR) {
        hosts[event.vms().getFirst().index()] = event.host();
      }
    }
    return hosts;
  }

  private Event event(Kind kind, int k) {
    return made.computeIfAbsent(kind.ordinal() * 1_000_000L + k, key -> make(kind, k));
  }

  private Event make(Kind kind, int k) {
    long from = firstStart + kind.first + k * kind.every;
    long dice = Noise.hash(seed + 88 + kind.ordinal(), k);
    List<Vm> vms =
        switch (kind) {
          case OVERLOADED_PEER -> List.of(pick("shop", "web", dice));
          case NOISY_NEIGHBOUR -> List.of(pick("batch", "worker", dice));
          case SILENT ->
              List.of(k % 2 == 0 ? pick("search", "api", dice) : pick("mail", "relay", dice));
          case HOST_OUT_OF_MEMORY -> List.of();
        };
    if (kind == Kind.HOST_OUT_OF_MEMORY) {
      Cluster cluster = inventory.clusters.get(k % 2 == 0 ? 0 : 2);
      Host host = cluster.hosts().get((int) (Noise.uniform(dice, 1) * cluster.hosts().size()));
      return new Event(kind, k, movers(cluster, host), host, from, from + kind.lasts);
    }
    return new Event(kind, k, vms, vms.getFirst().home(), from, from + kind.lasts);
  }

  private Vm pick(String app, String tier, long dice) {
    List<Vm> candidates =
        inventory.vms.stream()
            .filter(vm -> vm.tier().app().equals(app) && vm.tier().tier().equals(tier))
            .toList();
    return candidates.get((int) (Noise.uniform(dice, 2) * candidates.size()));
  }

  /** Three machines of the cluster that together are just too much for the host. */
  private List<Vm> movers(Cluster cluster, Host host) {
    double there = 0;
    Map<Integer, List<Vm>> bySize = new HashMap<>();
    for (Vm vm : members(cluster)) {
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

  private List<Vm> members(Cluster cluster) {
    return inventory.vms.stream().filter(vm -> vm.home().cluster().equals(cluster)).toList();
  }
}
