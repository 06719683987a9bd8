package io.peerlens.planning.sizing;

import java.util.List;

/**
 * What is read of machines over the whole history. Of several keys the first that has a value for a
 * machine counts.
 */
enum Measure {
  /** Demand in MHz, or usage where demand is not reported. */
  CPU(1, "cpu|demand_average", "cpu|demandmhz", "cpu|usagemhz_average"),
  /** What the guest says that it uses, in GB. */
  GUEST_MEMORY(Measure.KB_TO_GB, "guest|mem.needed_latest", "guest|used_memory"),
  READY(1, "cpu|readyPct", "cpu|readiness_average"),
  CO_STOP(1, "cpu|costopPct"),
  LATENCY(1, "cpu|latency_average"),
  /** In MB. */
  BALLOONED(1.0 / 1024, "mem|vmmemctl_average"),
  /** In MB. */
  SWAPPED(1.0 / 1024, "mem|swapped_average"),
  /** In KB/s; reported in pages of 4 KB. */
  GUEST_PAGING(4, "guest|page.inRate_latest"),
  /** In KB/s, like the next two. */
  NETWORK(1, "net|usage_average"),
  READ(1, "virtualDisk|read_average", "datastore|read_average", "disk|read_average"),
  WRITE(1, "virtualDisk|write_average", "datastore|write_average", "disk|write_average"),
  /** 1 = on. */
  ON(1, "sys|poweredOn"),
  /** What it takes of its host, in GB. */
  CONSUMED(Measure.KB_TO_GB, "mem|consumed_average"),
  /** What snapshots take, in GB. */
  SNAPSHOTS(1, "diskspace|snapshot", "summary|snapshot_space_used");

  static final double KB_TO_GB = 1.0 / (1024 * 1024);

  final double factor;
  final List<String> keys;

  Measure(double factor, String... keys) {
    this.factor = factor;
    this.keys = List.of(keys);
  }

  /** What is read of the last days only, of which the last value counts. */
  enum Last {
    CAPACITY_MHZ(1, "cpu|vm_capacity_provisioned"),
    VCPUS(1, "config|hardware|num_Cpu", "cpu|corecount_provisioned"),
    MEMORY_GB(KB_TO_GB, "mem|guest_provisioned"),
    DISK_GB(1, "diskspace|used"),
    PROVISIONED_GB(1, "diskspace|provisionedSpace"),
    SNAPSHOT_COUNT(1, "summary|snapshot_count"),
    SNAPSHOT_AGE(1, "diskspace|snapshot|age");

    final double factor;
    final List<String> keys;

    Last(double factor, String... keys) {
      this.factor = factor;
      this.keys = List.of(keys);
    }
  }
}
