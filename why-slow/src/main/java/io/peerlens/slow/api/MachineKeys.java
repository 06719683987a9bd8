package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.MACHINE;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is read of all machines of a cluster: their operations, latency and CPU. vCenter has
 * operations and latency of each disk; the collector of vCenter adds their sums, Telegraf does not,
 * and then those of the disks are put together here.
 */
final class MachineKeys {

  static final String READ_LATENCY = "virtualDisk|totalReadLatency_average";
  static final String WRITE_LATENCY = "virtualDisk|totalWriteLatency_average";
  static final String READS = "virtualDisk|numberReadAveraged_average";
  static final String WRITES = "virtualDisk|numberWriteAveraged_average";
  static final String READ_KB = "virtualDisk|read_average";
  static final String WRITE_KB = "virtualDisk|write_average";
  static final String MHZ = "cpu|usagemhz_average";
  static final String CPU = "cpu|usage_average";
  static final String READY = "cpu|readyPct";
  static final String READINESS = "cpu|readiness_average";

  private static final List<String> DISK =
      List.of(READ_LATENCY, WRITE_LATENCY, READS, WRITES, READ_KB, WRITE_KB);

  /** So many disks of machines other than the slow one are told apart. */
  private static final int INSTANCES = 16;

  private final SeriesBatch batch;
  private final Map<String, Map<Integer, Set<String>>> instances = new HashMap<>();

  MachineKeys(SeriesBatch batch) {
    this.batch = batch;
  }

  /** Wishes all of it. */
  void want(Collection<Integer> machines) {
    Set<Integer> all = new TreeSet<>(machines);
    for (String key : DISK) {
      batch.want(MACHINE, key, machines);
      batch.want(MACHINE, ofStores(key), machines);
      Map<Integer, Set<String>> found = batch.instances(MACHINE, key, all);
      instances.put(key, found);
      Set<String> names = new TreeSet<>();
      found.values().forEach(names::addAll);
      names.stream()
          .limit(INSTANCES)
          .forEach(
              name ->
                  batch.want(
                      MACHINE,
                      ofDisk(key, name),
                      machines.stream()
                          .filter(one -> found.getOrDefault(one, Set.of()).contains(name))
                          .toList()));
    }
    for (String key : List.of(MHZ, CPU, READY, READINESS)) {
      batch.want(MACHINE, key, machines);
    }
  }

  /** Its disks by instance; empty = they are not told apart. */
  Set<String> disks(int machine) {
    Set<String> disks = new TreeSet<>();
    instances.values().forEach(of -> disks.addAll(of.getOrDefault(machine, Set.of())));
    return disks;
  }

  static String ofDisk(String key, String disk) {
    return disk.isEmpty() ? key : key.replace("virtualDisk|", "virtualDisk:" + disk + "|");
  }

  private static String ofStores(String key) {
    return key.replace("virtualDisk|", "datastore|");
  }

  /** The key that a series of a whole machine comes from. */
  String source(String key, int machine) {
    return batch.get(MACHINE, key, machine) == null
            && batch.get(MACHINE, ofStores(key), machine) != null
        ? ofStores(key)
        : key;
  }

  /** A latency, in ms: of the machine, of its datastores, else of its slowest disk. */
  double @Nullable [] latency(String key, int machine) {
    double[] whole = whole(key, machine);
    return whole == null ? ofDisks(key, machine, Math::max) : whole;
  }

  /** Operations a second or KB/s: of the machine, of its datastores, else of all its disks. */
  double @Nullable [] rate(String reads, String writes, int machine) {
    double[] read = whole(reads, machine);
    double[] write = whole(writes, machine);
    read = read == null ? ofDisks(reads, machine, Double::sum) : read;
    write = write == null ? ofDisks(writes, machine, Double::sum) : write;
    return read == null || write == null ? null : SeriesBatch.plus(read, write);
  }

  private double @Nullable [] whole(String key, int machine) {
    return batch.get(MACHINE, source(key, machine), machine);
  }

  private double @Nullable [] ofDisks(String key, int machine, DoubleBinaryOperator join) {
    double[] joined = null;
    for (String disk : instances.getOrDefault(key, Map.of()).getOrDefault(machine, Set.of())) {
      double[] one = batch.get(MACHINE, ofDisk(key, disk), machine);
      if (one != null) {
        double[] before = joined;
        double[] next = one.clone();
        if (before != null) {
          Arrays.setAll(
              next,
              i ->
                  Double.isNaN(one[i])
                      ? before[i]
                      : Double.isNaN(before[i]) ? one[i] : join.applyAsDouble(before[i], one[i]));
        }
        joined = next;
      }
    }
    return joined;
  }

  /** A figure of one disk; null = not known. */
  double @Nullable [] ofDisk(String key, int machine, String disk) {
    return batch.get(MACHINE, ofDisk(key, disk), machine);
  }

  double @Nullable [] iops(int machine, String disk) {
    return disk.isEmpty()
        ? rate(READS, WRITES, machine)
        : batch.sum(MACHINE, machine, ofDisk(READS, disk), ofDisk(WRITES, disk));
  }

  /** Mean size of an operation in KB; null = not known. */
  double @Nullable [] block(int machine, String disk) {
    double[] iops = iops(machine, disk);
    double[] kb =
        disk.isEmpty()
            ? rate(READ_KB, WRITE_KB, machine)
            : batch.sum(MACHINE, machine, ofDisk(READ_KB, disk), ofDisk(WRITE_KB, disk));
    if (iops == null || kb == null) {
      return null;
    }
    double[] size = new double[iops.length];
    Arrays.setAll(size, i -> iops[i] > 0 ? kb[i] / iops[i] : Double.NaN);
    return size;
  }

  double @Nullable [] mhz(int machine) {
    return batch.get(MACHINE, MHZ, machine);
  }

  /** The key of CPU ready that it has. */
  String readyKey(int machine) {
    return batch.get(MACHINE, READY, machine) == null ? READINESS : READY;
  }
}
