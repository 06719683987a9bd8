package io.peerlens.slow;

/**
 * What can be measured in a band. Each has an amount below which an excess over what is usual does
 * not matter, so that tight bands of calm series are not taken at their word.
 */
public enum Signal {
  READ_LATENCY(Band.GUEST, "read", "ms", 0.5),
  WRITE_LATENCY(Band.GUEST, "write", "ms", 0.5),
  /** Operations a second, reads and writes. */
  IOPS(Band.GUEST, "operations", "/s", 20),
  /** Mean size of an operation. */
  BLOCK(Band.GUEST, "mean block", "KB", 8),
  OUTSTANDING(Band.GUEST, "outstanding operations", "", 4),
  CPU_USAGE(Band.GUEST, "CPU usage", "%", 10),
  /** Share of time in which a virtual processor is ready and gets no physical one. */
  CPU_WAIT(Band.GUEST, "CPU ready", "%", 2.5),
  /** Share of time in which the limit of CPU holds it back. */
  CPU_LIMITED(Band.GUEST, "held back by the CPU limit", "%", 2.5),
  /** Share of time in which it waits for memory that is swapped or compressed. */
  MEMORY_WAIT(Band.GUEST, "memory contention", "%", 1),
  SWAP_IN(Band.GUEST, "swap-in", "KB/s", 100),

  /** From 0 to 255: the higher, the longer vSAN holds operations back. */
  CONGESTION(Band.CLUSTER, "vSAN congestion", "", 10),
  CLUSTER_OUTSTANDING(Band.CLUSTER, "outstanding operations", "", 16),
  CLUSTER_IOPS(Band.CLUSTER, "operations", "/s", 200),
  CLUSTER_LATENCY(Band.CLUSTER, "disk latency", "ms", 0.5),

  /** Time of an operation within the host, before it goes to the device. */
  KERNEL_LATENCY(Band.HOST, "kernel latency", "ms", 0.5),
  /** Time of the operations of the host's machines; of vSAN that of its DOM client. */
  HOST_LATENCY(Band.HOST, "disk latency", "ms", 0.5),
  HOST_IOPS(Band.HOST, "operations", "/s", 100),
  HOST_CPU(Band.HOST, "CPU usage", "%", 10),
  HOST_MEMORY(Band.HOST, "memory usage", "%", 3),
  HOST_SWAP(Band.HOST, "swap-in", "KB/s", 200),

  /** How full the write buffer is. */
  BUFFER(Band.DISK_GROUP, "write buffer", "%", 10),
  LOG_CONGESTION(Band.DISK_GROUP, "log congestion", "", 10),
  DEVICE_LATENCY(Band.DISK_GROUP, "device latency", "ms", 1),
  DEVICE_IOPS(Band.DISK_GROUP, "operations", "/s", 100),

  /** Share of the packets that were lost. */
  PACKET_LOSS(Band.NETWORK, "lost packets", "%", 0.05),
  /** Share of the segments that were sent again. */
  RETRANSMITS(Band.NETWORK, "retransmits", "%", 0.3),
  PACKET_ERRORS(Band.NETWORK, "packets with errors", "packets", 20);

  private static final double RELATIVE = 0.15;

  private final Band band;
  private final String label;
  private final String unit;
  private final double floor;

  Signal(Band band, String label, String unit, double floor) {
    this.band = band;
    this.label = label;
    this.unit = unit;
    this.floor = floor;
  }

  public Band band() {
    return band;
  }

  /** In words. */
  public String label() {
    return label;
  }

  /** Unit; empty = a number without one. */
  public String unit() {
    return unit;
  }

  /** An excess over what is usual that matters at all, in its unit. */
  double tolerance(double usual) {
    return Math.max(floor, RELATIVE * Math.abs(usual));
  }

  /** Least difference between alike things, in its unit. */
  double floor() {
    return floor;
  }
}
