package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.MACHINE;

import io.peerlens.slow.Band;
import io.peerlens.slow.Neighbour;
import io.peerlens.slow.Signal;
import io.peerlens.slow.Usual;
import io.peerlens.slow.api.Tracks.Peers;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Series of a machine, and of those that share something with it. */
final class GuestTracks {

  private static final String CPU_LIMITED = "rescpu|maxLimited1_latest";
  private static final String MEMORY_WAIT = "mem|latency_average";
  private static final String SWAP_IN = "mem|swapinRate_average";
  private static final String OUTSTANDING = "virtualDisk|vDiskOIO";

  private final Tracks tracks;
  private final MachineKeys keys;
  private final int machine;

  GuestTracks(Tracks tracks, MachineKeys keys) {
    this.tracks = tracks;
    this.keys = keys;
    this.machine = tracks.place().machine();
  }

  /** What is read of the machine alone. */
  static void want(SeriesBatch batch, int machine) {
    for (String key : List.of(CPU_LIMITED, MEMORY_WAIT, SWAP_IN, OUTSTANDING)) {
      batch.want(MACHINE, key, List.of(machine));
    }
  }

  /**
   * @param alike who its peers are, in words
   */
  void add(String alike) {
    Set<String> disks = keys.disks(machine);
    boolean any = false;
    for (String disk : disks) {
      any |= latency(disk, alike);
    }
    if (!any) {
      any = latency("", alike);
    }
    if (!any) {
      tracks.missing(Band.GUEST, "disk latency", Tracks.EITHER, true);
    }
    iops();
    List<Integer> machines = tracks.place().machines();
    tracks.addFirst(Signal.CPU_USAGE, MACHINE, machine, "", 1, machines, alike, MachineKeys.CPU);
    if (!tracks.addFirst(
        Signal.CPU_WAIT, MACHINE, machine, "", 1, machines, alike, keys.readyKey(machine))) {
      tracks.missing(Band.GUEST, "CPU ready", Tracks.EITHER, false);
    }
    // rescpu is in hundredths of a per cent.
    tracks.addFirst(Signal.CPU_LIMITED, MACHINE, machine, "", 0.01, List.of(), "", CPU_LIMITED);
    tracks.addFirst(Signal.MEMORY_WAIT, MACHINE, machine, "", 1, List.of(), "", MEMORY_WAIT);
    tracks.addFirst(Signal.SWAP_IN, MACHINE, machine, "", 1, List.of(), "", SWAP_IN);
    tracks.addFirst(Signal.OUTSTANDING, MACHINE, machine, "", 1, List.of(), "", OUTSTANDING);
  }

  private boolean latency(String disk, String alike) {
    boolean read = latency(Signal.READ_LATENCY, MachineKeys.READ_LATENCY, disk, alike);
    boolean write = latency(Signal.WRITE_LATENCY, MachineKeys.WRITE_LATENCY, disk, alike);
    if (read || write) {
      tracks.add(
          Signal.BLOCK,
          machine,
          MachineKeys.ofDisk(MachineKeys.READ_KB, disk),
          disk.isEmpty() ? "" : name(disk),
          keys.block(machine, disk),
          null,
          Peers.NONE);
    }
    return read || write;
  }

  private boolean latency(Signal signal, String key, String disk, String alike) {
    double[] values = disk.isEmpty() ? keys.latency(key, machine) : keys.ofDisk(key, machine, disk);
    String source = disk.isEmpty() ? keys.source(key, machine) : MachineKeys.ofDisk(key, disk);
    Usual usual = tracks.usual(MACHINE, source, machine, 1);
    tracks.add(
        signal,
        machine,
        source,
        disk.isEmpty() ? "" : name(disk),
        values,
        usual,
        new Peers(
            alike,
            tracks.place().machines().stream()
                .filter(one -> one != machine)
                .map(one -> keys.latency(key, one))
                .filter(Objects::nonNull)
                .toList()));
    return values != null;
  }

  /** What people call a disk. */
  String name(String disk) {
    String label = tracks.place().property(machine, "virtualDisk:" + disk + "|label");
    return label.isEmpty() ? disk : label;
  }

  private void iops() {
    tracks.add(
        Signal.IOPS,
        machine,
        keys.source(MachineKeys.READS, machine),
        "",
        keys.iops(machine, ""),
        null,
        Peers.NONE);
    if (!tracks.has(Signal.IOPS)) {
      tracks.missing(Band.GUEST, "operations a second", Tracks.EITHER, true);
    }
  }

  /** The other machines of its cluster. */
  List<Neighbour> neighbours(ObjectGraph graph) {
    Place place = tracks.place();
    @Nullable Integer host = place.host();
    Set<Integer> onHost = host == null ? Set.of() : Set.copyOf(Kinds.below(graph, host, MACHINE));
    int steps = tracks.batch().steps();
    List<Neighbour> found = new ArrayList<>();
    for (int one : place.machines()) {
      if (one != machine) {
        double[] iops = keys.iops(one, "");
        double[] mhz = keys.mhz(one);
        if (iops == null && mhz == null) {
          continue; // It is off, or silent: it takes nothing.
        }
        Set<Integer> stores = new HashSet<>(Kinds.below(graph, one, Kinds.STORE));
        stores.retainAll(place.stores());
        found.add(
            new Neighbour(
                one,
                graph.name(MACHINE, graph.number(MACHINE, one)),
                onHost.contains(one),
                place.stores().isEmpty() || !stores.isEmpty(),
                iops == null ? SeriesBatch.none(steps) : iops,
                mhz == null ? SeriesBatch.none(steps) : mhz));
      }
    }
    return found;
  }
}
