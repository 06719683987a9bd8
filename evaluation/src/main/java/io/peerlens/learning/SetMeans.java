package io.peerlens.learning;

import io.peerlens.store.SampleRow;
import java.util.HashMap;
import java.util.Map;

/** Means of the positions of metric sets over some rows. */
final class SetMeans {
  private final int width;
  private final Map<Integer, double[]> sums = new HashMap<>();
  private final Map<Integer, int[]> counts = new HashMap<>();

  SetMeans(int width) {
    this.width = width;
  }

  void add(SampleRow row) {
    double[] sum = sums.computeIfAbsent(row.setId(), set -> new double[width]);
    int[] count = counts.computeIfAbsent(row.setId(), set -> new int[width]);
    for (int m = 0; m < width; m++) {
      if (!Double.isNaN(row.avg(m))) {
        sum[m] += row.avg(m);
        count[m]++;
      }
    }
  }

  /** NaN = no value. */
  double of(int set, int m) {
    int[] count = counts.get(set);
    double[] sum = sums.get(set);
    return count == null || sum == null || count[m] == 0 ? Double.NaN : sum[m] / count[m];
  }
}
