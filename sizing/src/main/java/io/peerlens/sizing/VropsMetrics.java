package io.peerlens.sizing;

import io.peerlens.sizing.Amounts.Supply;
import io.peerlens.sizing.Recommendation.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results as metrics of vRealize Operations. What is not known has no value, rather than a zero
 * that would mean "nothing to do".
 */
public final class VropsMetrics {

  private static final double KB_PER_GB = 1024.0 * 1024;

  private VropsMetrics() {}

  /**
   * Metrics of a machine.
   *
   * @param cpu null = not known, as with the following ones
   * @param snapshots null = not known; empty = there is none
   */
  public static Map<VropsKey, Double> vm(
      VmSize size,
      @Nullable Recommendation cpu,
      @Nullable Recommendation memory,
      @Nullable Idle idle,
      @Nullable PoweredOff off,
      @Nullable List<Snapshot> snapshots) {
    Map<VropsKey, Double> values = new EnumMap<>(VropsKey.class);
    boolean reclaim = (idle != null && idle.idle()) || (off != null && off.reclaim());
    if (cpu != null) {
      values.put(VropsKey.OVERSIZED_VCPUS, Math.max(0, cpu.givesBack()));
      values.put(VropsKey.UNDERSIZED_VCPUS, Math.max(0, -cpu.givesBack()));
      values.put(VropsKey.CPU_RECOMMENDED, reclaim ? 0 : cpu.size() * size.mhzPerVcpu());
    }
    if (memory != null) {
      values.put(VropsKey.OVERSIZED_MEMORY, Math.max(0, memory.givesBack()) * KB_PER_GB);
      values.put(VropsKey.UNDERSIZED_MEMORY, Math.max(0, -memory.givesBack()) * KB_PER_GB);
      values.put(VropsKey.MEMORY_RECOMMENDED, reclaim ? 0 : memory.size() * KB_PER_GB);
    }
    if (cpu != null || memory != null) {
      values.put(VropsKey.OVERSIZED, flag(is(cpu, Kind.OVERSIZED) || is(memory, Kind.OVERSIZED)));
      values.put(
          VropsKey.UNDERSIZED, flag(is(cpu, Kind.UNDERSIZED) || is(memory, Kind.UNDERSIZED)));
    }
    if (idle != null) {
      values.put(VropsKey.IDLE, flag(idle.idle()));
    }
    if (off != null) {
      values.put(VropsKey.POWERED_OFF, flag(off.reclaim()));
    }
    if (snapshots != null) {
      double gb = 0;
      for (Snapshot snapshot : snapshots) {
        gb += snapshot.old() || snapshot.large() ? snapshot.gb() : 0;
      }
      if (!Double.isNaN(gb)) {
        values.put(VropsKey.SNAPSHOT_SPACE, gb);
      }
    }
    return values;
  }

  /**
   * Metrics of a cluster.
   *
   * @param used load when the cluster is busy
   * @param vms null = not known
   */
  public static Map<VropsKey, Double> cluster(
      Cluster cluster, Amounts used, @Nullable VmsRemaining vms, Reclaimable reclaimable) {
    Map<VropsKey, Double> values = new EnumMap<>(VropsKey.class);
    double least = Double.NaN;
    for (double share : cluster.remaining(used)) {
      least = Double.isNaN(share) ? least : Double.isNaN(least) ? share : Math.min(least, share);
    }
    put(values, VropsKey.CAPACITY_REMAINING, 100 * least);
    put(values, VropsKey.CPU_REMAINING, free(cluster, used, Supply.CPU));
    put(values, VropsKey.MEMORY_REMAINING, free(cluster, used, Supply.MEMORY) * KB_PER_GB);
    put(values, VropsKey.DISK_REMAINING, free(cluster, used, Supply.DISK));
    if (vms != null) {
      put(values, VropsKey.VMS_REMAINING, vms.value());
    }
    put(values, VropsKey.RECLAIMABLE_IDLE_VCPUS, reclaimable.idleVcpus());
    put(values, VropsKey.RECLAIMABLE_IDLE_MEMORY, reclaimable.idleMemoryGb() * KB_PER_GB);
    put(values, VropsKey.RECLAIMABLE_IDLE_DISK, reclaimable.idleDiskGb());
    put(values, VropsKey.RECLAIMABLE_POWERED_OFF_DISK, reclaimable.poweredOffDiskGb());
    put(values, VropsKey.RECLAIMABLE_SNAPSHOT_DISK, reclaimable.snapshotDiskGb());
    put(values, VropsKey.RECLAIMABLE_ORPHANED_DISK, reclaimable.orphanedDiskGb());
    return values;
  }

  private static double free(Cluster cluster, Amounts used, Supply supply) {
    double free = cluster.usable(supply) - used.of(supply);
    return Double.isNaN(free) ? Double.NaN : Math.max(0, free);
  }

  private static void put(Map<VropsKey, Double> to, VropsKey key, double value) {
    if (!Double.isNaN(value)) {
      to.put(key, value);
    }
  }

  private static boolean is(@Nullable Recommendation it, Kind kind) {
    return it != null && it.kind() == kind;
  }

  private static double flag(boolean is) {
    return is ? 1 : 0;
  }
}
