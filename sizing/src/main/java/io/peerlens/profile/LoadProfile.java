package io.peerlens.profile;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Load profile of a machine or a group: what its storage had to do.
 *
 * <p>A mean size of blocks is bytes by operations. It says nothing on mixtures: half 4K and half
 * 256K have the same mean as all 130K. Only a histogram of sizes tells them apart, see {@link
 * AccessPattern}.
 *
 * @param name of the machine or group
 * @param machines how many it is the sum of
 * @param coverage how much of the period has data
 * @param iops operations a second, reads and writes; hours in which only one of them is known do
 *     not count
 * @param throughput bytes a second, reads and writes
 * @param blockSize mean bytes of an operation; NaN = IOPS or throughput are not known
 * @param readBlockSize of reads
 * @param writeBlockSize of writes
 * @param readShare reads among operations; NaN = IOPS are not known
 * @param readShareOfBytes bytes read among bytes
 * @param latency milliseconds of hours, weighted by their operations: the 95th percentile is the
 *     mean latency that hours with 95 % of the operations did not exceed, not that of single ones
 * @param mixture the profiles that hours fall into
 * @param peaks the ten hours with most operations, or with most bytes where IOPS are not known;
 *     highest first
 * @param fivePeak the highest 5-minute mean; null = there are no 5-minute means
 * @param shares operations a second by machine, vCPU and GB
 * @param pattern what history does not tell
 * @param remarks what a reader should know, such as what was left out
 */
public record LoadProfile(
    String name,
    int machines,
    Coverage coverage,
    Distribution iops,
    Distribution readIops,
    Distribution writeIops,
    Distribution throughput,
    Distribution readThroughput,
    Distribution writeThroughput,
    double blockSize,
    double readBlockSize,
    double writeBlockSize,
    double readShare,
    double readShareOfBytes,
    Distribution latency,
    Distribution readLatency,
    Distribution writeLatency,
    Mixture mixture,
    List<Peak> peaks,
    @Nullable FivePeak fivePeak,
    Shares shares,
    AccessPattern pattern,
    List<String> remarks) {

  public LoadProfile {
    peaks = List.copyOf(peaks);
    remarks = List.copyOf(remarks);
  }

  /** The same with what was imported of its accesses. */
  public LoadProfile with(AccessPattern known) {
    return new LoadProfile(
        name,
        machines,
        coverage,
        iops,
        readIops,
        writeIops,
        throughput,
        readThroughput,
        writeThroughput,
        blockSize,
        readBlockSize,
        writeBlockSize,
        readShare,
        readShareOfBytes,
        latency,
        readLatency,
        writeLatency,
        mixture,
        peaks,
        fivePeak,
        shares,
        known,
        remarks);
  }

  /**
   * How much of the period has data.
   *
   * @param hours of the period, or of its business hours
   * @param withData in which anything is known
   * @param withIops in which reads and writes a second are known
   * @param idle of these, below the floor
   * @param machineShare hours of machines that have data, among all of them; less than 1 also where
   *     a machine is younger than the period
   */
  public record Coverage(int hours, int withData, int withIops, int idle, double machineShare) {}

  /**
   * An hour of high load.
   *
   * @param at its start
   * @param iops operations a second; NaN = not known
   * @param throughput bytes a second; NaN = not known
   * @param blockSize mean bytes of an operation; NaN = not known
   * @param readShare reads among operations; NaN = not known
   * @param latency milliseconds; NaN = not known
   * @param reporting machines that have data of this hour
   * @param machines those that made most of it, at most five, the one with most first; empty = it
   *     is a machine alone
   */
  public record Peak(
      Instant at,
      double iops,
      double throughput,
      double blockSize,
      double readShare,
      double latency,
      int reporting,
      List<PeakMachine> machines) {

    public Peak {
      // Profiles that were stored before machines were told have none.
      machines = machines == null ? List.of() : List.copyOf(machines);
    }
  }

  /**
   * What a machine had of a peak. Figures are as precise as a float.
   *
   * @param id of the machine
   * @param iops operations a second; NaN = they are known of no machine
   * @param throughput bytes a second, where operations are known of no machine; otherwise NaN
   * @param share among the operations of the peak, or among the bytes, 0 to 1
   */
  public record PeakMachine(String id, String name, double iops, double throughput, double share) {}

  /**
   * The highest mean of 5 minutes, and how far it is above the highest of an hour.
   *
   * @param value operations a second, or bytes a second where IOPS are not known
   * @param at its start
   * @param hours in which both the hour and all of its 5 minutes are known
   * @param factor the highest mean of 5 minutes in these hours, by the highest mean of an hour of
   *     them; NaN = there are no such hours. A peak of an hour from times without 5-minute means,
   *     times this, is an estimate of the peak of 5 minutes
   * @param factorOfHours the highest 5 minutes of an hour by its mean: that of the middle hour
   */
  public record FivePeak(
      double value, Instant at, int hours, double factor, double factorOfHours) {}

  /** Operations a second by what there is of machines, of those whose operations are known. */
  public record Shares(Share machine, Share vcpu, Share memoryGb, Share diskGb) {}

  /**
   * Operations a second by a unit.
   *
   * @param mean of the hours; NaN, as the others = IOPS, or the size of all machines, are not known
   * @param known machines whose size is known; the others are taken to have the mean of these
   */
  public record Share(double mean, double p95, double peak, int known) {}
}
