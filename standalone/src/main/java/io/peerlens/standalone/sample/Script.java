package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import java.util.ArrayList;
import java.util.Comparator;
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
        50),
    POLICY_LIMIT(
        "waits for its disk, and machines that ask it wait with it",
        "its disk got the storage policy silver-40, of 40 operations a second of 32 KB",
        -38 * 60,
        24 * 3600,
        4 * 3600,
        40),
    FULL_BUFFER(
        "lets writes wait for the full buffer of its disk group",
        "nothing was changed: its cache device is worn",
        -50 * 60,
        24 * 3600,
        5 * 3600,
        0),
    DROPPED_PACKETS(
        "loses packets on a card, so that its machines wait for storage",
        "nothing was changed: a cable is bad",
        -19 * 3600,
        24 * 3600,
        3 * 3600,
        0),
    SLOW_DISK(
        "has a disk that takes long, so that machines wait for what lies on it",
        "nothing was changed: the disk is about to fail",
        -15 * 3600,
        24 * 3600,
        3 * 3600,
        0),
    DATASTORE_HOG(
        "takes most of what its datastore can move, so that the others there wait",
        "nothing was changed: somebody copies all of its data",
        -11 * 3600,
        24 * 3600,
        2 * 3600,
        0),
    GUEST_ONLY(
        "is slow by itself: a program of its own takes all of its processors",
        "nothing was changed: it searches its disk for viruses",
        -33 * 60,
        24 * 3600,
        4 * 3600,
        0);

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
   * @param waiting machines that ask the one in question and so get on more slowly
   * @param host where it happens; for a single machine its home
   * @param from second it begins
   * @param to second it is over
   */
  record Event(
      Kind kind, int occurrence, List<Vm> vms, List<Vm> waiting, Host host, long from, long to) {
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

  /** How long before the first start the first fault lies, and some time to see what was usual. */
  static final long EARLIEST = 25 * 3600;

  private static final long MOVE_SLOT = 3 * 3600;
  private static final long DAY = 86_400;

  /** The moves of a scheduler are told as far back as the history goes. */
  private static final long MOVES_TOLD = 14 * DAY;

  private static final long BETWEEN_MOVERS = 10;
  private static final long SNAPSHOT_AGE = 41 * DAY;

  private final Inventory inventory;
  private final long seed;
  private final long firstStart;
  private final Cast cast;
  private final Map<Long, Event> made = new ConcurrentHashMap<>();

  Script(Inventory inventory, long seed, long firstStart) {
    this.inventory = inventory;
    this.seed = seed;
    this.firstStart = firstStart;
    cast = new Cast(inventory, seed, firstStart);
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
    return cast.pick("files", "server", Noise.hash(seed + 99, 0));
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
      // Moves; what a vCenter has no event of; and what nobody changed.
      case HOST_OUT_OF_MEMORY,
          SHORT_QUEUE,
          POLICY_LIMIT,
          FULL_BUFFER,
          DROPPED_PACKETS,
          SLOW_DISK,
          DATASTORE_HOG,
          GUEST_ONLY -> {}
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

  /** The machines that are slow because of a fault, a quarter of its time after it began. */
  List<Vm> slow(Event event) {
    return cast.slow(event, placement(event.from() + event.kind().lasts / 4));
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
      List<Vm> members = inventory.members(cluster);
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
    return made.computeIfAbsent(kind.ordinal() * 1_000_000L + k, key -> cast.of(kind, k));
  }
}
