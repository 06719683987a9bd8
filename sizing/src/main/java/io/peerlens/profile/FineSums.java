package io.peerlens.profile;

import java.util.Arrays;

/** Sums of machines by 5 minutes: as much as peaks need. */
final class FineSums {

  /** Bytes that a bucket takes here. */
  static final int BYTES_A_BUCKET = 2 * Double.BYTES;

  final Grid grid;
  final double[] iops;
  final double[] bytes;

  FineSums(Grid grid) {
    this.grid = grid;
    iops = new double[grid.count()];
    bytes = new double[grid.count()];
    clear();
  }

  void clear() {
    Arrays.fill(iops, Double.NaN);
    Arrays.fill(bytes, Double.NaN);
  }

  void add(IoSeries series) {
    add(iops, series.readIops(), series.writeIops());
    add(bytes, series.readBytes(), series.writeBytes());
  }

  private static void add(double[] sum, double[] reads, double[] writes) {
    if (reads.length == 0 || writes.length == 0) {
      return;
    }
    for (int i = 0; i < sum.length; i++) {
      double value = reads[i] + writes[i];
      if (reads[i] >= 0 && writes[i] >= 0 && value < Double.POSITIVE_INFINITY) {
        sum[i] = Double.isNaN(sum[i]) ? value : sum[i] + value;
      }
    }
  }
}
