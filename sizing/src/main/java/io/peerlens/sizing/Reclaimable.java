package io.peerlens.sizing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums of what machines can give back. Each machine counts once, as what gives back most easily:
 * powered off before idle before snapshots, so that a powered-off machine's snapshots are not
 * counted again (VMware documentation GUID-7DBBF4C4, "Reclamation settings").
 *
 * @param idleVcpus of idle machines
 * @param idleMemoryGb the same
 * @param idleDiskGb the same
 * @param poweredOffDiskGb of machines that are powered off for long enough
 * @param snapshotDiskGb of old or large snapshots of all others
 * @param orphanedDiskGb of disks that nobody refers to; NaN = not known
 */
public record Reclaimable(
    int idleVcpus,
    double idleMemoryGb,
    double idleDiskGb,
    double poweredOffDiskGb,
    double snapshotDiskGb,
    double orphanedDiskGb) {

  /**
   * Machine with what the rules say of it.
   *
   * @param diskGb that its files take; NaN = not known, counted as nothing
   * @param off null = not known
   * @param idle null = not known
   */
  public record Vm(
      VmSize size,
      double diskGb,
      @Nullable PoweredOff off,
      @Nullable Idle idle,
      List<Snapshot> snapshots) {}

  /**
   * Adds up.
   *
   * @param orphanedDiskGb NaN = not known
   */
  public static Reclaimable of(List<Vm> vms, double orphanedDiskGb) {
    int vcpus = 0;
    double memory = 0;
    double idleDisk = 0;
    double offDisk = 0;
    double snapshots = 0;
    for (Vm vm : vms) {
      PoweredOff off = vm.off();
      Idle idle = vm.idle();
      if (off != null && off.reclaim()) {
        offDisk += known(off.givesBackGb());
      } else if (idle != null && idle.idle()) {
        vcpus += vm.size().vcpus();
        memory += vm.size().memoryGb();
        idleDisk += known(vm.diskGb());
      } else {
        for (Snapshot snapshot : vm.snapshots()) {
          snapshots += snapshot.old() || snapshot.large() ? known(snapshot.gb()) : 0;
        }
      }
    }
    return new Reclaimable(vcpus, memory, idleDisk, offDisk, snapshots, orphanedDiskGb);
  }

  private static double known(double gb) {
    return Double.isNaN(gb) ? 0 : gb;
  }
}
