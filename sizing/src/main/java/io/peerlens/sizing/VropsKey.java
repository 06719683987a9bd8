package io.peerlens.sizing;

/**
 * Names and units under which vRealize Operations publishes results of right-sizing and
 * reclamation, so that imported dashboards, super metrics and thresholds find them here.
 *
 * <p>Sources. Keys of {@code summary} and {@code reclaimable}: metric list of the VCF 9.0
 * documentation, pages 4244 to 4245. Units: published super metrics divide {@code
 * summary|oversized|memory} and {@code reclaimable|idle_vms|mem} by 1024 x 1024 to GB
 * (notoriousbdg/vrops-dashboard-rightsizing_details, hol-2201-lab-files), so they are KB. {@code
 * recommendedSize}: MHz, KB and GB without the part "demand" at a machine (Broadcom's capacity
 * analytics metric list; values of an 8.18 in public test fixtures), and 0 while a machine is
 * reclaimable (Broadcom knowledge base 379521). {@code capacityRemainingPercentage} exists for an
 * object alone, not for each supply. {@code summary|poweredOff} is labelled "Reclaimable Powered
 * Off" and {@code summary|snapshotSpace} "Reclaimable Snapshot Space (GB)" in published dashboards.
 */
public enum VropsKey {
  /** 1 = a machine is too large, 0 = it is not. */
  OVERSIZED("summary|oversized", Unit.FLAG),
  /** vCPUs to remove. */
  OVERSIZED_VCPUS("summary|oversized|vcpus", Unit.COUNT),
  /** Memory to remove. */
  OVERSIZED_MEMORY("summary|oversized|memory", Unit.KB),
  /** 1 = a machine is too small, 0 = it is not. */
  UNDERSIZED("summary|undersized", Unit.FLAG),
  /** vCPUs to add. */
  UNDERSIZED_VCPUS("summary|undersized|vcpus", Unit.COUNT),
  /** Memory to add. */
  UNDERSIZED_MEMORY("summary|undersized|memory", Unit.KB),
  /** 1 = a machine is idle. */
  IDLE("summary|idle", Unit.FLAG),
  /** 1 = a machine is powered off for long enough to be given back. */
  POWERED_OFF("summary|poweredOff", Unit.FLAG),
  /** Disk space of snapshots that are old or large. */
  SNAPSHOT_SPACE("summary|snapshotSpace", Unit.GB),
  /** CPU that a machine should have. */
  CPU_RECOMMENDED("OnlineCapacityAnalytics|cpu|recommendedSize", Unit.MHZ),
  /** Memory that a machine should have. */
  MEMORY_RECOMMENDED("OnlineCapacityAnalytics|mem|recommendedSize", Unit.KB),
  /** Smallest share of a cluster's supplies that remains. */
  CAPACITY_REMAINING("OnlineCapacityAnalytics|capacityRemainingPercentage", Unit.PERCENT),
  /** CPU of a cluster that remains. */
  CPU_REMAINING("OnlineCapacityAnalytics|cpu|demand|capacityRemaining", Unit.MHZ),
  /** Memory of a cluster that remains. */
  MEMORY_REMAINING("OnlineCapacityAnalytics|mem|demand|capacityRemaining", Unit.KB),
  /** Disk space of a cluster that remains. */
  DISK_REMAINING("OnlineCapacityAnalytics|diskspace|demand|capacityRemaining", Unit.GB),
  /** Machines that still fit into a cluster. */
  VMS_REMAINING("OnlineCapacityAnalytics|capacityRemainingProfile", Unit.COUNT),
  /** vCPUs of a cluster's idle machines. */
  RECLAIMABLE_IDLE_VCPUS("reclaimable|idle_vms|cpu", Unit.COUNT),
  /** Memory of a cluster's idle machines. */
  RECLAIMABLE_IDLE_MEMORY("reclaimable|idle_vms|mem", Unit.KB),
  /** Disk space of a cluster's idle machines. */
  RECLAIMABLE_IDLE_DISK("reclaimable|idle_vms|diskspace", Unit.GB),
  /** Disk space of a cluster's powered-off machines. */
  RECLAIMABLE_POWERED_OFF_DISK("reclaimable|poweredOff_vms|diskspace", Unit.GB),
  /** Disk space of a cluster's old or large snapshots. */
  RECLAIMABLE_SNAPSHOT_DISK("reclaimable|vm_snapshots|diskspace", Unit.GB),
  /** Disk space of orphaned disks. */
  RECLAIMABLE_ORPHANED_DISK("reclaimable|orphaned_disk|diskspace", Unit.GB);

  /** Unit of a value. */
  public enum Unit {
    /** 1 or 0. */
    FLAG,
    /** A number of something. */
    COUNT,
    /** 0 to 100. */
    PERCENT,
    /** Megahertz. */
    MHZ,
    /** 1024 bytes. */
    KB,
    /** 1024^3 bytes. */
    GB
  }

  private final String key;
  private final Unit unit;

  VropsKey(String key, Unit unit) {
    this.key = key;
    this.unit = unit;
  }

  /** The key, such as {@code summary|oversized|vcpus}. */
  public String key() {
    return key;
  }

  /** The unit of its values. */
  public Unit unit() {
    return unit;
  }
}
