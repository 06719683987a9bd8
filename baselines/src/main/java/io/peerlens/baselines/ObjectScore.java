package io.peerlens.baselines;

import java.util.Arrays;

/**
 * Anomaly score of an object with many metrics, from what was before alone: the rareness of each
 * metric ({@link StreamScore#rareness()}), summed over the five that are farthest off, less what
 * that sum usually is for this object. Either now or as a mean over the last half hour, whichever
 * tells more.
 *
 * <p>Decades of rareness are logarithms of tail probabilities, so their sum is Fisher's way to
 * combine tests (Statistical Methods for Research Workers, 1925). Metrics of one object are not
 * independent and some objects are always restless, so what the sum means is not looked up but
 * compared with the object's own past, as Brown (Biometrics, 1975) takes the mean of the combined
 * statistic from the tests at hand. To look at windows of more than one length and take the largest
 * is a scan statistic (Naus, JASA 1965): what is short and large counts, and what is smaller and
 * goes on.
 *
 * <p>Meant for values of five minutes. The constants were chosen on public labelled machines;
 * docs/accuracy.md says how and what they give. Not thread-safe.
 */
public final class ObjectScore {

  /**
   * Scores from here on are unusual: the limit that gives the best event F1 on the development
   * halves of the labelled machines in docs/accuracy.md.
   */
  public static final double UNUSUAL = 19;

  /** Metrics that count, those farthest off. */
  private static final int METRICS = 5;

  /** More rareness of one metric says no more: it would hide the others. */
  private static final double MOST = 10;

  /** Values of the mean: half an hour. */
  private static final int VALUES = 6;

  /**
   * What a value by itself counts against the mean, which varies less: by the square root of the
   * number of values if they were independent, by nothing if they were the same.
   */
  private static final double ALONE = 0.75;

  /** The object's past counts 1/e after so many values: four weeks. */
  private static final double PAST = 8064;

  /** Values before there is any score: four hours. */
  public static final int FEWEST = 50;

  private final double[] last = new double[VALUES];
  private int count;
  private double usual;

  /**
   * Scores the next values of the object and learns from them.
   *
   * @param rareness of each of its metrics, in any order; of a metric without a value NaN, it is
   *     passed over
   * @return decades above what is usual, below 0 when quieter than that; 0 for the first 50 values;
   *     NaN if no metric has a value
   */
  public double next(double[] rareness) {
    double sum = sumOfHighest(rareness);
    if (Double.isNaN(sum)) {
      return Double.NaN;
    }
    last[count++ % VALUES] = sum;
    double mean = Arrays.stream(last).sum() / Math.min(count, VALUES);
    double score = Math.max(ALONE * (sum - usual), mean - usual);
    usual += Math.max(1.0 / count, 1 / PAST) * (sum - usual);
    return count > FEWEST ? score : 0;
  }

  private static double sumOfHighest(double[] rareness) {
    double[] sorted = Arrays.stream(rareness).filter(r -> !Double.isNaN(r)).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double sum = 0;
    for (int i = Math.max(0, sorted.length - METRICS); i < sorted.length; i++) {
      sum += Math.min(MOST, sorted[i]);
    }
    return sum;
  }
}
