package io.peerlens.sizing;

/**
 * Signs that a machine waits for CPU or memory, with the value from which each is one. The bounds
 * are conventions of the field rather than limits of VMware: ready time of 5 to 10 % of a vCPU is
 * called significant contention (sclabs.blogspot.com, "ESXI VM CPU Ready"), co-stop from 3 %, and
 * memory that is ballooned or swapped at all.
 */
public enum Sign {
  /** Time in which a vCPU could run and had no core, in percent of one vCPU. */
  READY("ready time", 5, "% of a vCPU", Resource.CPU),
  /** Time in which a vCPU was stopped because its siblings had no core, in percent of one vCPU. */
  CO_STOP("co-stop", 3, "% of a vCPU", Resource.CPU),
  /** Time in which the machine could not run for any reason of the host, in percent. */
  LATENCY("scheduling latency", 5, "%", Resource.CPU),
  /** Memory that the balloon driver took from the guest, in MB. */
  BALLOONED("ballooned memory", 1, "MB", Resource.MEMORY),
  /** Memory that the host swapped out, in MB. */
  SWAPPED("memory swapped by the host", 1, "MB", Resource.MEMORY),
  /** Pages that the guest itself reads back from its swap, in KB/s. */
  GUEST_PAGING("paging in the guest", 100, "KB/s", Resource.MEMORY);

  final String words;
  final double bound;
  final String unit;
  final Resource resource;

  Sign(String words, double bound, String unit, Resource resource) {
    this.words = words;
    this.bound = bound;
    this.unit = unit;
    this.resource = resource;
  }

  /** What people call it, such as "ready time". */
  public String words() {
    return words;
  }

  /** Unit of its values. */
  public String unit() {
    return unit;
  }

  /** What of a machine can be sized. */
  public enum Resource {
    /** In vCPUs. */
    CPU,
    /** In GB. */
    MEMORY
  }
}
