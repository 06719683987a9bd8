package io.peerlens.benchmarks.learned;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One labelled recording: a single series or the metrics of one machine.
 *
 * @param set what it is reported under
 * @param name its file
 * @param kept whether it is kept aside from tuning
 * @param seconds seconds since 1970 of each row
 * @param metrics metrics[metric][row]
 * @param segments first and last row of each labelled stretch, ascending
 * @param judged the first row that counts; what comes before is for learning
 */
record Labelled(
    String set,
    String name,
    boolean kept,
    long[] seconds,
    double[][] metrics,
    int[][] segments,
    int judged) {

  private static final long FIVE_MINUTES = 300;

  int rows() {
    return seconds.length;
  }

  /** Seconds between two rows, as most have them. */
  long step() {
    long[] gaps = new long[Math.max(1, rows() - 1)];
    for (int i = 1; i < rows(); i++) {
      gaps[i - 1] = seconds[i] - seconds[i - 1];
    }
    Arrays.sort(gaps);
    return Math.max(1, gaps[gaps.length / 2]);
  }

  /**
   * The same in means of five minutes, as the service judges series; a row that is labelled labels
   * its five minutes. What has steps of five minutes or more stays as it is.
   */
  Labelled fiveMinutes() {
    if (step() >= FIVE_MINUTES) {
      return this;
    }
    long first = seconds[0] / FIVE_MINUTES;
    int buckets = (int) (seconds[rows() - 1] / FIVE_MINUTES - first + 1);
    double[][] means = new double[metrics.length][buckets];
    long[] times = new long[buckets];
    for (int b = 0; b < buckets; b++) {
      times[b] = (first + b) * FIVE_MINUTES;
    }
    int[] count = new int[buckets];
    for (int m = 0; m < metrics.length; m++) {
      Arrays.fill(count, 0);
      for (int i = 0; i < rows(); i++) {
        if (!Double.isNaN(metrics[m][i])) {
          int b = (int) (seconds[i] / FIVE_MINUTES - first);
          means[m][b] += metrics[m][i];
          count[b]++;
        }
      }
      for (int b = 0; b < buckets; b++) {
        means[m][b] = count[b] == 0 ? Double.NaN : means[m][b] / count[b];
      }
    }
    boolean[] label = new boolean[buckets];
    for (int[] segment : segments) {
      for (int i = segment[0]; i <= segment[1]; i++) {
        label[(int) (seconds[i] / FIVE_MINUTES - first)] = true;
      }
    }
    return new Labelled(
        set,
        name,
        kept,
        times,
        means,
        Sets.segments(label),
        (int) Math.ceilDiv(seconds[judged], FIVE_MINUTES) - (int) first);
  }

  /** The same, judged only after so many days; null if nothing would be left. */
  @Nullable Labelled after(int days) {
    int from = judged;
    while (from < rows() && seconds[from] < seconds[0] + days * 86_400L) {
      from++;
    }
    return from == rows() ? null : new Labelled(set, name, kept, seconds, metrics, segments, from);
  }

  /** Only the rows for learning, all of them judged; without labels. */
  Labelled learning() {
    double[][] before = new double[metrics.length][];
    Arrays.setAll(before, m -> Arrays.copyOf(metrics[m], judged));
    return new Labelled(set, name, kept, Arrays.copyOf(seconds, judged), before, new int[0][], 0);
  }

  /** Weeks that are judged. */
  double weeks() {
    return (seconds[rows() - 1] - seconds[judged] + step()) / 604_800.0;
  }
}
