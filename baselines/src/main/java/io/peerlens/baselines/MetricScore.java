package io.peerlens.baselines;

/**
 * How much one metric adds to the anomaly score of its object ({@link ObjectScore}): decades of
 * rareness up to a limit, and a part for the absolute distance from the mean of weeks in standard
 * deviations.
 *
 * <p>Rareness looks at ranks, so it takes what comes again and again for usual, however large it
 * is. The distance does not: it has a long memory, and what is large stays large (a control chart;
 * Shewhart, Economic Control of Quality, 1931). Mean and deviation are plain ones on purpose.
 * Robust ones, which do not widen with the metric's own bursts, did worse on labelled machines.
 *
 * <p>Works by values, not by time; meant for values of five minutes. Not thread-safe; three numbers
 * for a metric.
 */
public final class MetricScore {

  /**
   * The most that a metric adds; whatever else is handed to {@link ObjectScore} is limited to it.
   */
  static final double MOST = 14;

  /** More decades of rareness say no more: they would hide the other metrics. */
  private static final double MOST_RARE = 12;

  /** More deviations say no more. */
  private static final double MOST_DEVIATIONS = 10;

  /** Decades that a standard deviation counts as. */
  private static final double DECADES = (MOST - MOST_RARE) / MOST_DEVIATIONS;

  /** The past counts 1/e after so many values: four weeks. */
  private static final double PAST = 8064;

  /** A deviation is at least this share of the mean, else the last digit would be unusual. */
  private static final double LEAST = 0.001;

  private double mean;
  private double variance;
  private int count;

  /**
   * Scores the next value of the metric and learns from it.
   *
   * @param value the value, in any unit; NaN is passed over
   * @param rareness of this value, {@link Rareness#next}
   * @return 0 (usual) to {@value #MOST}; NaN if there is no value
   */
  public double next(double value, double rareness) {
    if (Double.isNaN(value)) {
      return Double.NaN;
    }
    double off = value - mean;
    double least = LEAST * Math.abs(mean) + 1e-9;
    double deviations =
        count > ObjectScore.FEWEST ? Math.abs(off) / Math.max(Math.sqrt(variance), least) : 0;
    count++;
    double weight = Math.max(1.0 / count, 1 / PAST);
    mean += weight * off;
    variance = (1 - weight) * (variance + weight * off * off);
    return Math.min(MOST_RARE, rareness) + DECADES * Math.min(MOST_DEVIATIONS, deviations);
  }
}
