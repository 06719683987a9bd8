package io.peerlens.sizing;

/**
 * Size that a virtual machine has now.
 *
 * @param vcpus at least 1
 * @param mhzPerVcpu speed of a core of its host
 * @param memoryGb configured
 * @param cpuLimitMhz that its owner set; 0 = none. Demand cannot rise above it
 * @param cpuReservationMhz 0 = none; no smaller size is recommended
 * @param memoryReservationGb the same
 * @param cpuHotAdd whether vCPUs can be added while it runs; taking away needs a restart always
 * @param memoryHotAdd the same of memory
 */
public record VmSize(
    int vcpus,
    double mhzPerVcpu,
    double memoryGb,
    double cpuLimitMhz,
    double cpuReservationMhz,
    double memoryReservationGb,
    boolean cpuHotAdd,
    boolean memoryHotAdd) {

  /**
   * A size.
   *
   * @throws IllegalArgumentException a number is none that a machine can have
   */
  public VmSize {
    if (vcpus < 1 || vcpus > Numa.MOST_VCPUS) {
      throw new IllegalArgumentException(
          vcpus + " vCPUs are outside 1 to " + Numa.MOST_VCPUS + ". Read the configuration again.");
    }
    if (!(mhzPerVcpu > 0) || !(memoryGb > 0)) {
      throw new IllegalArgumentException(
          "A machine has "
              + mhzPerVcpu
              + " MHz a vCPU and "
              + memoryGb
              + " GB. Both must be above zero: leave machines out whose size is not known.");
    }
    if (!(cpuLimitMhz >= 0) || !(cpuReservationMhz >= 0) || !(memoryReservationGb >= 0)) {
      throw new IllegalArgumentException(
          "A limit or reservation is negative or NaN. Use 0 for none.");
    }
  }

  /** Without limit, reservations and hot-add. */
  public static VmSize of(int vcpus, double mhzPerVcpu, double memoryGb) {
    return new VmSize(vcpus, mhzPerVcpu, memoryGb, 0, 0, 0, false, false);
  }
}
