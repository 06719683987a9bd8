package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Scripted incidents of the sample datacentre: things worth finding, relative to the first start
 * and repeating, with what was changed just before, and the moves of a resource scheduler. Times
 * are seconds since 1970.
 */
final class Script {

  /** A kind of trouble. */
  enum Kind {
    OVERLOADED_PEER(
        "does three times the work of its peers",
        "its weight in the load balancer, in its notes, is three times that of its peers",
        -55 * 60,
        24 * 3600,
        6 * 3600,
        45),
    NOISY_NEIGHBOUR(
        "takes the CPU of its host's other machines",
        "its CPU limit was taken away",
        -45 * 60,
        8 * 3600,
        90 * 60,
        60),
    HOST_OUT_OF_MEMORY(
        "runs out of memory after three machines moved to it",
        "three vMotions",
        -35 * 60,
        24 * 3600,
        3 * 3600,
        0),
    SILENT(
        "sends nothing, then starts again",
        "it was switched off",
        -25 * 60,
        12 * 3600,
        2 * 3600,
        3),
    LIMITED_DISK(
        "waits for its disk",
        "its disk is limited to 100 operations a second",
        -40 * 60,
        24 * 3600,
        4 * 3600,
        40),
    SHORT_QUEUE(
        "lets operations wait for its storage",
        "its devices have a queue of 8 in place of 64",
        -48 * 60,
        24 * 3600,
        5 * 3600,
        50);

    final String words;
    final String cause;
    final long first;
    final long every;
    final long lasts;

    /** Seconds from its cause to its beginning. */
    final long lead;

    Kind(String words, String cause, long first, long every, long lasts, long lead) {
      this.words = words;
      this.cause = cause;
      this.first = first;
      this.every = every;
      this.lasts = lasts;
      this.lead = lead;
    }
  }

  /**
   * One thing to find.
   *
   * @param vms the machine in question, or those that move; none where it is the host
   * @param host where it happens; for a single machine its home
   * @param from second it begins
   * @param to second it is over
   */
  record Event(Kind kind, int occurrence, List<Vm> vms, Host host, long from, long to) {
    boolean covers(long time) {
      return time >= from && time < to;
    }

    /** When its cause was changed, or the first of them. */
    long changedAt() {
      return kind == Kind.HOST_OUT_OF_MEMORY
          ? from - BETWEEN_MOVERS * vms.size()
          : from - kind.lead;
    }
  }

  /** A change in the vCenter, made by somebody or by itself. */
  sealed interface Change {

    /** When it was done. */
    long time();

    /** The machine that was changed. */
    Vm vm();

    /** Who did it; empty = the vCenter itself. */
    String by();

    /** A machine that went to another host without a stop. */
    record Move(long time, Vm vm, Host from, Host to, String by) implements Change {}

    /**
     * Another configuration of a machine.
     *
     * @param what in vCenter's words: {@code KEY: OLD -> NEW;}
     */
    record Reconfiguration(long time, Vm vm, String by, String what) implements Change {}

    /** A machine that was switched on or off. */
    record Power(long time, Vm vm, boolean on, String by) implements Change {}

    /** A snapshot that was made of a machine. */
    record Snapshot(long time, Vm vm, String by) implements Change {}
  }

  private static final long MOVE_SLOT = 3 * 3600;
  private static final long DAY = 86_400;

  /** The moves of a scheduler are told as far back as the history goes. */
  private static final long MOVES_TOLD = 14 * DAY;

  private static final long BETWEEN_MOVERS = 10;
  private static final long SNAPSHOT_AGE = 41 * DAY;

  private final Inventory inventory;
  private final long seed;
  private final long firstStart;
  private final Map<Long, Event> made = new ConcurrentHashMap<>();

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

  /** Causes that are there at a moment: each is there a little earlier than what it brings. */
  List<Event> causesAt(long time) {
    List<Event> events = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      long since = time + kind.lead - firstStart - kind.first;
      if (since >= 0 && since % kind.every < kind.lasts + kind.lead) {
        events.add(event(kind, (int) (since / kind.every)));
      }
    }
    return events;
  }

  /** The first second of which {@link #changes} tells: when the snapshot was made that stayed. */
  long beginning() {
    return snapshotTime();
  }

  /** The machine whose snapshot nobody has removed. */
  Vm withOldSnapshot() {
    return pick("files", "server", Noise.hash(seed + 99, 0));
  }

  /** When that snapshot was made. */
  long snapshotTime() {
    return firstStart - SNAPSHOT_AGE;
  }

  /** What was changed in a stretch of time, in order. */
  List<Change> changes(long from, long to) {
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.Snapshot(snapshotTime(), withOldSnapshot(), "CORP\\n.weber"));
    for (Event event : until(to + 60)) {
      reconfigurations(event, changes);
    }
    for (long time : moveTimes(Math.max(from, firstStart - MOVES_TOLD), to + 60)) {
      moves(time, changes);
    }
    changes.removeIf(change -> change.time() < from || change.time() >= to);
    changes.sort(Comparator.comparingLong(Change::time).thenComparing(c -> c.vm().index()));
    return changes;
  }

  private static void reconfigurations(Event event, List<Change> changes) {
    long begin = event.from() - event.kind().lead;
    long end = event.to();
    switch (event.kind()) {
      case OVERLOADED_PEER ->
          both(
              event,
              "CORP\\svc-balancer",
              "config.annotation: \"%s\" -> \"%s\"; ",
              Settings.weight(Settings.WEIGHT),
              Settings.weight(Settings.HIGH_WEIGHT),
              changes);
      case NOISY_NEIGHBOUR ->
          both(
              event,
              "CORP\\m.okafor",
              "config.cpuAllocation.limit: %s -> %s; ",
              Settings.cpuLimit(event.vms().getFirst()),
              Settings.UNLIMITED,
              changes);
      case LIMITED_DISK ->
          both(
              event,
              "CORP\\a.ruiz",
              "config.hardware.device(2000).storageIOAllocation.limit: %s -> %s; ",
              Settings.UNLIMITED,
              Settings.IOPS_LIMIT,
              changes);
      case SILENT -> {
        Vm vm = event.vms().getFirst();
        changes.add(new Change.Power(begin, vm, false, "CORP\\t.sato"));
        changes.add(new Change.Power(end, vm, true, "CORP\\t.sato"));
      }
      case HOST_OUT_OF_MEMORY, SHORT_QUEUE -> {} // moves; and what a vCenter has no event of
    }
  }

  private static void both(
      Event event, String by, String form, Object usual, Object other, List<Change> changes) {
    Vm vm = event.vms().getFirst();
    changes.add(
        new Change.Reconfiguration(
            event.from() - event.kind().lead, vm, by, form.formatted(usual, other)));
    changes.add(new Change.Reconfiguration(event.to(), vm, by, form.formatted(other, usual)));
  }

  /** Moments at which machines may go from one host to another. */
  private List<Long> moveTimes(long from, long to) {
    TreeSet<Long> times = new TreeSet<>();
    for (long slot = Math.floorDiv(from, MOVE_SLOT); slot * MOVE_SLOT < to; slot++) {
      for (Cluster cluster : inventory.clusters) {
        long dice = Noise.hash(seed + 77, slot * 16 + cluster.index());
        times.add(moveBegin(slot, dice));
        times.add(moveEnd(slot, dice));
      }
    }
    for (Event event : until(to)) {
      if (event.kind() == Kind.HOST_OUT_OF_MEMORY || event.kind() == Kind.NOISY_NEIGHBOUR) {
        times.add(event.from());
        times.add(event.to());
      }
    }
    return times.stream().filter(time -> time >= from && time < to).toList();
  }

  private void moves(long time, List<Change> changes) {
    Host[] before = placement(time - 1);
    Host[] now = placement(time);
    List<Vm> gathered =
        until(time + 1).stream()
            .filter(event -> event.kind() == Kind.HOST_OUT_OF_MEMORY)
            .filter(event -> event.from() == time || event.to() == time)
            .flatMap(event -> event.vms().stream())
            .toList();
    for (Vm vm : inventory.vms) {
      Host from = before[vm.index()];
      Host to = now[vm.index()];
      if (!from.equals(to)) {
        int place = gathered.indexOf(vm);
        changes.add(
            place < 0
                ? new Change.Move(time, vm, from, to, "")
                : new Change.Move(
                    time - BETWEEN_MOVERS * (gathered.size() - place),
                    vm,
                    from,
                    to,
                    "CORP\\j.lind"));
      }
    }
  }

  private static long moveBegin(long slot, long dice) {
    return slot * MOVE_SLOT + (long) Noise.between(dice, 1, 600, 5_400);
  }

  private static long moveEnd(long slot, long dice) {
    return (slot + 1) * MOVE_SLOT - (long) Noise.between(dice, 2, 300, 3_000);
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
      if (time < moveBegin(slot, dice) || time >= moveEnd(slot, dice)) {
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
          case LIMITED_DISK -> List.of(pick("shop", "db", dice));
          case HOST_OUT_OF_MEMORY, SHORT_QUEUE -> List.of();
        };
    if (kind == Kind.SHORT_QUEUE) {
      return new Event(kind, k, vms, withShortQueue(k, dice), from, from + kind.lasts);
    }
    if (kind == Kind.HOST_OUT_OF_MEMORY) {
      Host host = outOfMemory(k);
      return new Event(kind, k, movers(host.cluster(), host), host, from, from + kind.lasts);
    }
    return new Event(kind, k, vms, vms.getFirst().home(), from, from + kind.lasts);
  }

  /** The host that runs out of memory. */
  private Host outOfMemory(int k) {
    long dice = Noise.hash(seed + 88 + Kind.HOST_OUT_OF_MEMORY.ordinal(), k);
    Cluster cluster = inventory.clusters.get(k % 2 == 0 ? 0 : 2);
    return cluster.hosts().get((int) (Noise.uniform(dice, 1) * cluster.hosts().size()));
  }

  /** A host of the first cluster on which no other fault happens, as far as they have a host. */
  private Host withShortQueue(int k, long dice) {
    List<Host> quiet =
        inventory.clusters.getFirst().hosts().stream()
            .filter(host -> !host.equals(outOfMemory(k)))
            .filter(
                host ->
                    inventory.vms.stream()
                        .noneMatch(vm -> vm.home().equals(host) && isShopDatabase(vm)))
            .toList();
    return quiet.get((int) (Noise.uniform(dice, 1) * quiet.size()));
  }

  private static boolean isShopDatabase(Vm vm) {
    return vm.tier().app().equals("shop") && vm.tier().tier().equals("db");
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
