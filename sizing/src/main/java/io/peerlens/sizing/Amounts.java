package io.peerlens.sizing;

/**
 * Amounts of what a cluster shares out: demand of a machine, load of a cluster, or capacity.
 *
 * @param cpuMhz CPU
 * @param memoryGb memory
 * @param diskGb disk space
 * @param iops reads and writes a second
 */
public record Amounts(double cpuMhz, double memoryGb, double diskGb, double iops) {

  /** Nothing of anything. */
  public static final Amounts NONE = new Amounts(0, 0, 0, 0);

  /** What can end first. */
  public enum Supply {
    /** In MHz. */
    CPU("CPU"),
    /** In GB. */
    MEMORY("memory"),
    /** In GB. */
    DISK("disk space"),
    /** In reads and writes a second. */
    IOPS("IOPS");

    final String words;

    Supply(String words) {
      this.words = words;
    }
  }

  /**
   * Amounts; NaN = not known.
   *
   * @throws IllegalArgumentException one is negative or infinite
   */
  public Amounts {
    check(cpuMhz, "MHz");
    check(memoryGb, "GB of memory");
    check(diskGb, "GB of disk");
    check(iops, "IOPS");
  }

  private static void check(double value, String unit) {
    if (value < 0 || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          value + " " + unit + " is no amount. Use NaN for one that is not known.");
    }
  }

  /** The amount of one supply; NaN = not known. */
  public double of(Supply supply) {
    return switch (supply) {
      case CPU -> cpuMhz;
      case MEMORY -> memoryGb;
      case DISK -> diskGb;
      case IOPS -> iops;
    };
  }

  /** The sum; what is not known in one is not known in the sum. */
  public Amounts plus(Amounts other) {
    return new Amounts(
        cpuMhz + other.cpuMhz, memoryGb + other.memoryGb, diskGb + other.diskGb, iops + other.iops);
  }

  /** These amounts n times. */
  public Amounts times(double n) {
    return new Amounts(cpuMhz * n, memoryGb * n, diskGb * n, iops * n);
  }
}
