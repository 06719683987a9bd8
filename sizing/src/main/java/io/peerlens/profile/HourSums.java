package io.peerlens.profile;

import java.util.Arrays;

/**
 * Sums of machines by hour. A machine without a value in an hour adds nothing. What a ratio needs
 * is summed apart, over machines that have both of its parts: bytes of a machine whose IOPS are not
 * known would make the blocks of the others larger.
 */
final class HourSums {

  /** Bytes that a bucket takes here. */
  static final int BYTES_A_BUCKET = 12 * Double.BYTES + Integer.BYTES;

  final Grid grid;
  final double[] readIops;
  final double[] writeIops;
  final double[] readBytes;
  final double[] writeBytes;

  /** Operations whose bytes are known, and their bytes. */
  final double[] sizedReads;

  final double[] sizedReadBytes;
  final double[] sizedWrites;
  final double[] sizedWriteBytes;

  /** Operations whose latency is known, and the sum of their latencies. */
  final double[] timedReads;

  final double[] readTime;
  final double[] timedWrites;
  final double[] writeTime;

  /** Machines that have a value of anything. */
  final int[] reporting;

  /** Values that were negative or infinite. */
  long rejected;

  HourSums(Grid grid) {
    this.grid = grid;
    int n = grid.count();
    readIops = new double[n];
    writeIops = new double[n];
    readBytes = new double[n];
    writeBytes = new double[n];
    sizedReads = new double[n];
    sizedReadBytes = new double[n];
    sizedWrites = new double[n];
    sizedWriteBytes = new double[n];
    timedReads = new double[n];
    readTime = new double[n];
    timedWrites = new double[n];
    writeTime = new double[n];
    reporting = new int[n];
    clear();
  }

  /** Makes all of it empty again. */
  void clear() {
    for (double[] column : new double[][] {readIops, writeIops, readBytes, writeBytes}) {
      Arrays.fill(column, Double.NaN);
    }
    for (double[] column :
        new double[][] {
          sizedReads, sizedReadBytes, sizedWrites, sizedWriteBytes,
          timedReads, readTime, timedWrites, writeTime
        }) {
      Arrays.fill(column, 0);
    }
    Arrays.fill(reporting, 0);
    rejected = 0;
  }

  /**
   * Adds a machine.
   *
   * @return whether both its reads and its writes a second are known in any hour
   */
  boolean add(IoSeries series) {
    boolean any = false;
    for (int i = 0; i < grid.count(); i++) {
      double reads = value(series.readIops(), i);
      double writes = value(series.writeIops(), i);
      double bytesRead = value(series.readBytes(), i);
      double bytesWritten = value(series.writeBytes(), i);
      any |= !Double.isNaN(reads + writes);
      plus(readIops, i, reads);
      plus(writeIops, i, writes);
      plus(readBytes, i, bytesRead);
      plus(writeBytes, i, bytesWritten);
      ratio(sizedReads, sizedReadBytes, i, reads, bytesRead);
      ratio(sizedWrites, sizedWriteBytes, i, writes, bytesWritten);
      ratio(timedReads, readTime, i, reads, reads * value(series.readLatency(), i));
      ratio(timedWrites, writeTime, i, writes, writes * value(series.writeLatency(), i));
      if (!(Double.isNaN(reads)
          && Double.isNaN(writes)
          && Double.isNaN(bytesRead)
          && Double.isNaN(bytesWritten))) {
        reporting[i]++;
      }
    }
    return any;
  }

  private double value(double[] column, int i) {
    if (column.length == 0) {
      return Double.NaN;
    }
    double value = column[i];
    if (value >= 0 && value < Double.POSITIVE_INFINITY) {
      return value;
    }
    rejected += Double.isNaN(value) ? 0 : 1;
    return Double.NaN;
  }

  private static void plus(double[] sum, int i, double value) {
    if (!Double.isNaN(value)) {
      sum[i] = Double.isNaN(sum[i]) ? value : sum[i] + value;
    }
  }

  private static void ratio(double[] below, double[] above, int i, double part, double whole) {
    if (!Double.isNaN(part) && !Double.isNaN(whole)) {
      below[i] += part;
      above[i] += whole;
    }
  }

  /** Sum of two columns; NaN where either is not known. */
  static double[] total(double[] reads, double[] writes) {
    double[] total = new double[reads.length];
    for (int i = 0; i < total.length; i++) {
      total[i] = reads[i] + writes[i];
    }
    return total;
  }
}
