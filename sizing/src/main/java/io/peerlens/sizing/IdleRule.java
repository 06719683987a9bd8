package io.peerlens.sizing;

/**
 * Floors below which an hour of a machine is quiet: CPU and network and disk, all of them.
 *
 * <p>100 MHz of CPU demand is vRealize Operations' default (virtual-red-dot.info, "vSphere capacity
 * reclamation"), and it too judges hours by a share of the time. CPU alone takes backup agents for
 * work and file servers for idle; vCenter Operations Manager 5.7 therefore judged disk and network
 * as well (its manual, "Powered off and idle VMs"). The other floors are ours: what an operating
 * system does that nobody uses.
 *
 * @param cpuMhz demand in MHz
 * @param cpuShare demand as a share of the machine's size; both must be below
 * @param netKbps network traffic in both directions, KB/s
 * @param diskKbps reads and writes, KB/s
 * @param quietShare of the known hours that must be quiet or explained by a batch
 * @param fewestDays with values of all of them
 */
public record IdleRule(
    double cpuMhz,
    double cpuShare,
    double netKbps,
    double diskKbps,
    double quietShare,
    int fewestDays) {

  /** The usual floors. */
  public static final IdleRule USUAL = new IdleRule(100, 0.1, 5, 50, 0.9, 14);

  /**
   * Floors.
   *
   * @throws IllegalArgumentException a floor is not above zero, or a share not within 0 to 1
   */
  public IdleRule {
    if (!(cpuMhz > 0) || !(netKbps > 0) || !(diskKbps > 0)) {
      throw new IllegalArgumentException("A floor of idleness is not above zero.");
    }
    if (!(cpuShare > 0 && cpuShare <= 1) || !(quietShare > 0.5 && quietShare <= 1)) {
      throw new IllegalArgumentException(
          "cpuShare must be within 0 to 1 and quietShare within 0.5 to 1; they are "
              + cpuShare
              + " and "
              + quietShare
              + ".");
    }
    if (fewestDays < 7 || fewestDays > 366) {
      throw new IllegalArgumentException(
          fewestDays + " days are outside 7 to 366: a week has to be seen.");
    }
  }
}
