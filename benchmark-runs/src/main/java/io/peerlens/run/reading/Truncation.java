package io.peerlens.run.reading;

/**
 * Where the warm-up of a series ends: the MSER rule.
 *
 * <p>Of all cuts the one is taken after which the mean is known best, that is at which {@code
 * sum((z - mean)²) / n²} of what is left is least (K. White: An effective truncation heuristic for
 * bias reduction in simulation output, Simulation 69, 1997). Long series are first averaged in
 * batches of {@value #BATCH} (MSER-5; K. White, M. Cobb, S. Spratt: A comparison of five
 * steady-state truncation heuristics for simulation, Winter Simulation Conference 2000), so that
 * one lucky interval does not attract the cut.
 */
final class Truncation {

  static final int BATCH = 5;

  /** Series of fewer values are cut by single values. */
  private static final int BATCHED_FROM = 100;

  private Truncation() {}

  /**
   * The first value that counts. Only cuts in the first two thirds are looked at: few values are
   * alike by chance, and the last third is asked for a trend.
   *
   * @param values finite
   */
  static int start(double[] values) {
    int batch = values.length >= BATCHED_FROM ? BATCH : 1;
    int n = values.length / batch;
    // What does not fill a batch is left out at the beginning.
    int skipped = values.length - n * batch;
    double[] z = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < batch; j++) {
        z[i] += values[skipped + i * batch + j] / batch;
      }
    }
    // From the end, by Welford's method: differences of large sums would cancel.
    double mean = 0;
    double squares = 0;
    double least = Double.POSITIVE_INFINITY;
    int best = 0;
    for (int i = n - 1; i >= 0; i--) {
      int count = n - i;
      double difference = z[i] - mean;
      mean += difference / count;
      squares += difference * (z[i] - mean);
      double error = squares / ((double) count * count);
      // Of equal ones the longest series.
      if (3 * i <= 2 * n && error <= least) {
        least = error;
        best = i;
      }
    }
    return best == 0 ? 0 : skipped + best * batch;
  }
}
