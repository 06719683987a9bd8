package io.peerlens.benchmarks.learned;

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

  int rows() {
    return seconds.length;
  }

  /** Seconds between two rows, as most have them. */
  long step() {
    long[] gaps = new long[Math.max(1, rows() - 1)];
    for (int i = 1; i < rows(); i++) {
      gaps[i - 1] = seconds[i] - seconds[i - 1];
    }
    java.util.Arrays.sort(gaps);
    return Math.max(1, gaps[gaps.length / 2]);
  }

  /** Weeks that are judged. */
  double weeks() {
    return (seconds[rows() - 1] - seconds[judged] + step()) / 604_800.0;
  }
}
