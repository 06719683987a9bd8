package io.peerlens.store;

import java.util.Arrays;

/**
 * Fold of the rows of one metric set and one bucket into one roll-up row. Used again for the next.
 */
final class BucketFold {
  int setId;
  long bucket;
  int samples;
  int width;
  int[] counts = new int[16];
  double[] sum = new double[16];
  double[] min = new double[16];
  double[] max = new double[16];
  double[] last = new double[16];
  private long[] lastTime = new long[16];

  void begin(int setId, long bucket) {
    this.setId = setId;
    this.bucket = bucket;
    samples = 0;
    width = 0;
  }

  void add(SampleRow row) {
    if (row.width > width) {
      widen(row.width);
    }
    samples += row.samples;
    for (int i = 0; i < row.width; i++) {
      int count = row.count(i);
      if (count == 0) {
        continue;
      }
      if (counts[i] == 0 || row.min[i] < min[i]) {
        min[i] = row.min[i];
      }
      if (counts[i] == 0 || row.max[i] > max[i]) {
        max[i] = row.max[i];
      }
      if (counts[i] == 0 || row.time >= lastTime[i]) {
        last[i] = row.last[i];
        lastTime[i] = row.time;
      }
      sum[i] += count == 1 ? row.avg[i] : row.avg[i] * count;
      counts[i] += count;
    }
  }

  boolean isEmpty() {
    for (int i = 0; i < width; i++) {
      if (counts[i] > 0) {
        return false;
      }
    }
    return true;
  }

  /** The mean; never outside of least and greatest, whatever the rounding of the sum. */
  double avg(int i) {
    return Math.max(min[i], Math.min(max[i], sum[i] / counts[i]));
  }

  private void widen(int to) {
    if (counts.length < to) {
      int capacity = Math.max(to, counts.length * 2);
      counts = Arrays.copyOf(counts, capacity);
      sum = Arrays.copyOf(sum, capacity);
      min = Arrays.copyOf(min, capacity);
      max = Arrays.copyOf(max, capacity);
      last = Arrays.copyOf(last, capacity);
      lastTime = Arrays.copyOf(lastTime, capacity);
    }
    Arrays.fill(counts, width, to, 0);
    Arrays.fill(sum, width, to, 0);
    width = to;
  }
}
