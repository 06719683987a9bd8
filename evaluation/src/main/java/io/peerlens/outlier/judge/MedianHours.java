package io.peerlens.outlier.judge;

import java.util.Arrays;

/**
 * Medians of a group in hours that follow one another: the least, the mean and the greatest of the
 * buckets of each hour. NaN = there was none. An hour is a number of hours since 1970.
 */
public final class MedianHours {

  private final long first;
  private final float[][] low; // metric, hour
  private final float[][] mean;
  private final float[][] high;

  /** Hours of which nothing is known yet. */
  public MedianHours(long first, int hours, int metrics) {
    this.first = first;
    low = nothing(metrics, hours);
    mean = nothing(metrics, hours);
    high = nothing(metrics, hours);
  }

  private static float[][] nothing(int metrics, int hours) {
    float[][] nothing = new float[metrics][hours];
    for (float[] one : nothing) {
      Arrays.fill(one, Float.NaN);
    }
    return nothing;
  }

  public long first() {
    return first;
  }

  public int hours() {
    return low.length == 0 ? 0 : low[0].length;
  }

  public int metrics() {
    return low.length;
  }

  public float[] low(int metric) {
    return low[metric];
  }

  public float[] mean(int metric) {
    return mean[metric];
  }

  public float[] high(int metric) {
    return high[metric];
  }

  /** Whether anything is known of an hour. */
  public boolean has(long hour) {
    int at = (int) (hour - first);
    for (int m = 0; at >= 0 && at < hours() && m < low.length; m++) {
      if (!Float.isNaN(mean[m][at])) {
        return true;
      }
    }
    return false;
  }

  /** Takes an hour as it is stored; one outside is left out. */
  public void put(long hour, float[] lows, float[] means, float[] highs) {
    int at = (int) (hour - first);
    for (int m = 0; at >= 0 && at < hours() && m < Math.min(low.length, lows.length); m++) {
      low[m][at] = lows[m];
      mean[m][at] = means[m];
      high[m][at] = highs[m];
    }
  }

  /** Takes the hours of another stretch where nothing is known here. */
  public void fill(MedianHours other) {
    for (int i = 0; i < other.hours(); i++) {
      if (!has(other.first + i)) {
        put(other.first + i, at(other.low, i), at(other.mean, i), at(other.high, i));
      }
    }
  }

  private static float[] at(float[][] of, int hour) {
    float[] values = new float[of.length];
    for (int m = 0; m < values.length; m++) {
      values[m] = of[m][hour];
    }
    return values;
  }

  /** One hour, for each metric. */
  public record Hour(long hour, float[] low, float[] mean, float[] high) {}

  /** An hour of which something is known. */
  public Hour hour(long hour) {
    int at = (int) (hour - first);
    return new Hour(hour, at(low, at), at(mean, at), at(high, at));
  }

  /** Builder of hourly medians from the medians of buckets, which come in order. */
  public static final class Builder {
    private final MedianHours hours;
    private final int[] counts;
    private final double[] sums;
    private long hour = Long.MIN_VALUE;

    /** For buckets from the first hour on. */
    public Builder(long first, int hours, int metrics) {
      this.hours = new MedianHours(first, hours, metrics);
      counts = new int[metrics];
      sums = new double[metrics];
    }

    /** Takes the medians of a bucket that begins then. */
    public void add(long beginMillis, double[] medians) {
      long now = Math.floorDiv(beginMillis, 3_600_000L);
      if (now != hour) {
        Arrays.fill(counts, 0);
        Arrays.fill(sums, 0);
        hour = now;
      }
      int at = (int) (now - hours.first);
      for (int m = 0; at >= 0 && at < hours.hours() && m < medians.length; m++) {
        if (!Double.isNaN(medians[m])) {
          float value = (float) medians[m];
          counts[m]++;
          sums[m] += medians[m];
          // NaN at first, which fmin and fmax of Java would keep.
          hours.low[m][at] = counts[m] == 1 ? value : Math.min(hours.low[m][at], value);
          hours.high[m][at] = counts[m] == 1 ? value : Math.max(hours.high[m][at], value);
          hours.mean[m][at] = (float) (sums[m] / counts[m]);
        }
      }
    }

    public MedianHours hours() {
      return hours;
    }
  }
}
