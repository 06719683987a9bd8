package io.peerlens.sizing;

/**
 * NUMA nodes of the hosts that a machine can run on; of unequal hosts, the smallest.
 *
 * <p>Within a node any even number of vCPUs is fine. Above it the vCPUs are divided evenly among
 * the fewest nodes that hold them, and the number is even (VMware, "Virtual Machine vCPU and vNUMA
 * Rightsizing: Rules of Thumb", blogs.vmware.com/performance, March 2017).
 *
 * @param coresPerNode physical cores, not threads
 * @param nodes of a host
 * @param memoryGbPerNode NaN = not known
 */
public record Numa(int coresPerNode, int nodes, double memoryGbPerNode) {

  /** No limit by nodes: the rule is "even" alone. */
  public static final Numa NOT_KNOWN = new Numa(0, 0, Double.NaN);

  /** vCPUs of a machine at most (vSphere 8 configuration maximums). */
  static final int MOST_VCPUS = 768;

  /**
   * Nodes.
   *
   * @throws IllegalArgumentException a number is negative or larger than any machine has
   */
  public Numa {
    if (coresPerNode < 0 || coresPerNode > 1024 || nodes < 0 || nodes > 64) {
      throw new IllegalArgumentException(
          nodes
              + " nodes of "
              + coresPerNode
              + " cores are no host. Give physical cores of a node.");
    }
    if (memoryGbPerNode < 0) {
      throw new IllegalArgumentException(
          "A node has " + memoryGbPerNode + " GB of memory. Use NaN if it is not known.");
    }
  }

  boolean known() {
    return coresPerNode > 0 && nodes > 0;
  }

  /** Whether a number of vCPUs splits well. One vCPU does. */
  public boolean fits(int vcpus) {
    if (vcpus < 1 || vcpus > MOST_VCPUS || (vcpus > 1 && vcpus % 2 == 1)) {
      return false;
    }
    if (!known() || vcpus <= coresPerNode) {
      return true;
    }
    int needed = (vcpus + coresPerNode - 1) / coresPerNode;
    return needed <= nodes && vcpus % needed == 0;
  }

  /**
   * The smallest number that fits and is not below the wanted one; the largest if there is none.
   */
  public int up(double wanted) {
    int first = Math.max(1, (int) Math.ceil(Math.min(wanted, MOST_VCPUS) - 1e-9));
    for (int n = first; n <= MOST_VCPUS; n++) {
      if (fits(n)) {
        return n;
      }
    }
    for (int n = first; n > 1; n--) {
      if (fits(n)) {
        return n;
      }
    }
    return 1;
  }

  /** Why a number of vCPUs is a step, such as "even, within one NUMA node of 20 cores". */
  public String words(int vcpus) {
    String even = vcpus == 1 ? "one" : vcpus % 2 == 0 ? "even" : "odd";
    if (!known()) {
      return even + "; the NUMA nodes of its hosts are not known";
    }
    int needed = (vcpus + coresPerNode - 1) / coresPerNode;
    return needed <= 1
        ? even + ", within one NUMA node of " + coresPerNode + " cores"
        : even + ", split over " + needed + " NUMA nodes of " + coresPerNode + " cores";
  }

  /**
   * Why an amount of memory is a step, such as "in steps of 4 GB, within one NUMA node of 256 GB".
   */
  public String memoryWords(double gb) {
    String steps = "in steps of " + Say.gigabytes(memoryStep(gb));
    if (Double.isNaN(memoryGbPerNode)) {
      return steps + "; the NUMA nodes of its hosts are not known";
    }
    return steps
        + (gb <= memoryGbPerNode ? ", within" : ", more than")
        + " one NUMA node of "
        + Say.gigabytes(memoryGbPerNode);
  }

  /**
   * Memory in steps: 1 GB up to 8, 2 up to 32, 4 up to 128, then 8, so that no change is below an
   * eighth of the size.
   */
  static double memoryUp(double wantedGb) {
    double step = memoryStep(wantedGb);
    return step * Math.ceil(wantedGb / step - 1e-9);
  }

  private static double memoryStep(double gb) {
    return gb <= 8 ? 1 : gb <= 32 ? 2 : gb <= 128 ? 4 : 8;
  }
}
