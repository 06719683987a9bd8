package io.peerlens.sizing;

/**
 * Load of a cluster when it is busy, and what each machine adds to it then.
 *
 * <p>Machines are added up moment by moment. The sum of their own peaks would be far above any load
 * that ever was, because they do not peak together.
 *
 * @param level p95 of the sum
 * @param each mean of a machine in the busiest 5 % of the moments; NaN = it has no value there
 */
public record BusyTime(double level, double[] each) {

  private static final double BUSY = 0.95;

  /** Share of the machines that a moment must know. */
  private static final double KNOWN = 0.8;

  /**
   * Finds the busy time.
   *
   * @param columns one for each machine, of the grid's length
   */
  public static Answer<BusyTime> of(Grid grid, double[][] columns) {
    int n = columns.length;
    double[] sums = new double[grid.length()];
    for (int v = 0; v < n; v++) {
      grid.checked(columns[v], "of machine " + v);
    }
    for (int i = 0; i < sums.length; i++) {
      int known = 0;
      for (double[] column : columns) {
        if (!Double.isNaN(column[i])) {
          sums[i] += column[i];
          known++;
        }
      }
      // The machines that are silent are taken to do what the others do.
      sums[i] = known == 0 || known < KNOWN * n ? Double.NaN : sums[i] * n / known;
    }
    double level = Quantiles.of(grid.sorted(sums, false), BUSY);
    if (Double.isNaN(level)) {
      return new Answer.NotKnown<>(
          "There is no moment at which " + Say.percent(KNOWN) + " of the machines have a value.");
    }
    double[] each = new double[n];
    for (int v = 0; v < n; v++) {
      double sum = 0;
      int count = 0;
      for (int i = 0; i < sums.length; i++) {
        if (sums[i] >= level && !Double.isNaN(columns[v][i])) {
          sum += columns[v][i];
          count++;
        }
      }
      each[v] = count == 0 ? Double.NaN : sum / count;
    }
    return new Answer.Known<>(new BusyTime(level, each));
  }
}
