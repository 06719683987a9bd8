package io.peerlens.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One stored row: a raw sample, or a bucket of a roll-up. {@link SampleReader} fills the same
 * instance again and again, so what must outlive the call has to be copied out.
 *
 * <p>Indexes are the positions that were asked for, in that order, or those of the metric group
 * when all were asked for. A raw sample answers as a bucket of one row.
 */
public final class SampleRow {
  int setId;
  long time;
  int samples;
  int width;
  double[] avg = new double[16];
  int[] counts = new int[16];
  double[] min = avg;
  double[] max = avg;
  double[] last = avg;
  boolean hasCounts;

  // Where min, max and last are put when they differ from avg.
  private double[] minStore = {};
  private double[] maxStore = {};
  private double[] lastStore = {};

  private byte[] @Nullable [] sketches = new byte[0][];
  private boolean hasSketches;

  SampleRow() {}

  /** Which metric set. */
  public int setId() {
    return setId;
  }

  /** Time of the sample, or start of the bucket, in microseconds since 1970. */
  public long time() {
    return time;
  }

  /** Number of raw rows that this stands for. */
  public int samples() {
    return samples;
  }

  /** Number of positions. */
  public int width() {
    return width;
  }

  /** Mean of the values, or the value; NaN = none. */
  public double avg(int index) {
    return avg[index];
  }

  /** Number of values; 0 where {@link #avg} is NaN. */
  public int count(int index) {
    if (Double.isNaN(avg[index])) {
      return 0;
    }
    return hasCounts ? counts[index] : samples;
  }

  /** Least value; NaN = none. */
  public double min(int index) {
    return min[index];
  }

  /** Greatest value; NaN = none. */
  public double max(int index) {
    return max[index];
  }

  /** The value latest in time; NaN = none. */
  public double last(int index) {
    return last[index];
  }

  /** The stored sketch of the values, see {@link ValueSketch}; null = none. */
  public byte @Nullable [] sketch(int index) {
    return hasSketches ? sketches[index] : null;
  }

  void begin(int width) {
    if (avg.length < width) {
      avg = new double[Math.max(width, avg.length * 2)];
    }
    this.width = width;
    samples = 1;
    hasCounts = false;
    hasSketches = false;
    min = avg;
    max = avg;
    last = avg;
  }

  /** Room for least values of their own; the caller fills it. */
  double[] ownMin(int length) {
    minStore = room(minStore, length);
    min = minStore;
    return min;
  }

  /** Room for greatest values of their own; the caller fills it. */
  double[] ownMax(int length) {
    maxStore = room(maxStore, length);
    max = maxStore;
    return max;
  }

  /** Room for last values of their own; the caller fills it. */
  double[] ownLast(int length) {
    lastStore = room(lastStore, length);
    last = lastStore;
    return last;
  }

  private static double[] room(double[] store, int length) {
    return store.length >= length ? store : new double[2 * length];
  }

  /** Room for sketches; the caller fills it. */
  byte[] @Nullable [] ownSketches(int width) {
    if (sketches.length < width) {
      sketches = new byte[2 * width][];
    }
    hasSketches = true;
    return sketches;
  }

  /** Room for counts of their own; the caller fills it. */
  int[] ownCounts(int width) {
    if (counts.length < width) {
      counts = Arrays.copyOf(counts, Math.max(width, counts.length * 2));
    }
    hasCounts = true;
    return counts;
  }
}
