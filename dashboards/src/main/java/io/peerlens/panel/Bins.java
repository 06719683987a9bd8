package io.peerlens.panel;

import io.peerlens.store.SampleRow;
import java.util.Arrays;

/**
 * Means of equal steps of a window, for each of some cells. Times are microseconds since 1970; a
 * bucket counts in the step that holds its begin.
 */
final class Bins {

  private final long from;
  private final long width;
  private final int steps;
  private final double[] sum;
  private final int[] count;

  /**
   * @param from start of the window
   * @param width of a step
   */
  Bins(int cells, long from, long width, int steps) {
    this.from = from;
    this.width = width;
    this.steps = steps;
    sum = new double[Math.multiplyExact(cells, steps)];
    count = new int[sum.length];
  }

  int steps() {
    return steps;
  }

  /** Begin of a step in milliseconds since 1970. */
  long time(int step) {
    return (from + step * width) / 1000;
  }

  /** Width of a step in milliseconds. */
  long stepMillis() {
    return width / 1000;
  }

  void add(int cell, SampleRow row, int index) {
    double avg = row.avg(index);
    int step = (int) Math.floorDiv(row.time() - from, width);
    if (Double.isNaN(avg) || step < 0 || step >= steps) {
      return;
    }
    int samples = row.count(index);
    sum[cell * steps + step] += avg * samples;
    count[cell * steps + step] += samples;
  }

  /** Puts the mean of a step. */
  void put(int cell, int step, double mean) {
    sum[cell * steps + step] = mean;
    count[cell * steps + step] = 1;
  }

  /** Multiplies the values of a cell. */
  void times(int cell, double factor) {
    if (factor != 1) {
      for (int at = cell * steps; at < (cell + 1) * steps; at++) {
        sum[at] *= factor;
      }
    }
  }

  /** Mean of a step; NaN = no value. */
  double mean(int cell, int step) {
    int at = cell * steps + step;
    return count[at] == 0 ? Double.NaN : sum[at] / count[at];
  }

  /** Means of all steps of a cell. */
  double[] means(int cell) {
    double[] means = new double[steps];
    Arrays.setAll(means, step -> mean(cell, step));
    return means;
  }

  /**
   * Line through the steps of a cell: the median of the slopes between all pairs (Theil 1950, Sen
   * 1968), through the median of what remains.
   *
   * @return change per day, and the value at the end of the window; NaN = fewer than three steps
   *     have a value
   */
  Trend trend(int cell) {
    double[] days = new double[steps];
    double[] values = new double[steps];
    int known = 0;
    for (int step = 0; step < steps; step++) {
      double mean = mean(cell, step);
      if (!Double.isNaN(mean)) {
        days[known] = (step + 0.5) * width / 86_400e6;
        values[known++] = mean;
      }
    }
    if (known < 3) {
      return new Trend(Double.NaN, Double.NaN);
    }
    double[] slopes = new double[known * (known - 1) / 2];
    int at = 0;
    for (int i = 0; i < known; i++) {
      for (int j = i + 1; j < known; j++) {
        slopes[at++] = (values[j] - values[i]) / (days[j] - days[i]);
      }
    }
    double slope = median(slopes, at);
    double[] rest = new double[known];
    for (int i = 0; i < known; i++) {
      rest[i] = values[i] - slope * days[i];
    }
    double end = steps * (double) width / 86_400e6;
    return new Trend(slope, median(rest, known) + slope * end);
  }

  /**
   * A line.
   *
   * @param perDay change per day
   * @param end where it is at the end of the window
   */
  record Trend(double perDay, double end) {}

  private static double median(double[] values, int length) {
    Arrays.sort(values, 0, length);
    return length % 2 == 1 ? values[length / 2] : (values[length / 2 - 1] + values[length / 2]) / 2;
  }
}
