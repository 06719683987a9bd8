package io.peerlens.baselines;

import java.util.Arrays;

/**
 * Anomaly score of an object with many metrics, from what was before alone: how far off each metric
 * is ({@link MetricScore}), summed over the four that are farthest off, less what that sum usually
 * is for this object and part of how high it went in the last day. Either now or as a mean over the
 * last half hour, whichever is more.
 *
 * <p>Decades of rareness are logarithms of tail probabilities, so their sum is Fisher's way to
 * combine tests (Statistical Methods for Research Workers, 1925). Metrics of one object are not
 * independent and some objects are always restless, so what the sum means is not looked up but
 * compared with the object's own past, as Brown (Biometrics, 1975) takes the mean of the combined
 * statistic from the tests at hand. To look at windows of more than one length and take the largest
 * is a scan statistic (Naus, JASA 1965): what is short and large counts, and what goes on does.
 *
 * <p>An object that has a bad day is unusual when it begins, not at each burst of it: what was as
 * high in the last day counts less. That also ends what goes on: a new state is reported when it
 * comes, and again only if it gets worse.
 *
 * <p>Meant for values of five minutes. The constants were chosen on public labelled machines;
 * docs/accuracy.md says how and what they give. Not thread-safe; 3 KB for an object.
 */
public final class ObjectScore {

  /**
   * Scores from here on are unusual: the limit that gives the best event F1 on the labelled
   * machines in docs/accuracy.md, all sets of them together.
   */
  public static final double UNUSUAL = 19;

  /** Metrics that count, those farthest off. */
  private static final int METRICS = 4;

  /** Values of the mean: half an hour. */
  private static final int VALUES = 6;

  /** Values of a day. */
  private static final int DAY = 288;

  /** What the last day was like is its third highest score, so that one value is not enough. */
  private static final int RANK = 3;

  /** The share of it that is taken off. */
  private static final double RESTLESS = 0.35;

  /** The object's past counts 1/e after so many values: four weeks. */
  private static final double PAST = 8064;

  /** Values before there is any score: four hours. */
  public static final int FEWEST = 50;

  private final double[] highest = new double[METRICS];
  private final double[] last = new double[VALUES];
  private final double[] day = new double[DAY];
  private final double[] dayHighest = new double[RANK];
  private int count;
  private double usual;

  /**
   * Scores the next values of the object and learns from them.
   *
   * @param metrics how far off each of its metrics is ({@link MetricScore}), in any order; of a
   *     metric without a value NaN, it is passed over
   * @return decades above what is usual, below 0 when quieter than that; 0 for the first 50 values;
   *     NaN if no metric has a value
   */
  public double next(double[] metrics) {
    double sum = sumOfHighest(metrics, highest);
    if (Double.isNaN(sum)) {
      return Double.NaN;
    }
    last[count % VALUES] = sum;
    double mean = Arrays.stream(last).sum() / Math.min(count + 1, VALUES);
    double above = Math.max(sum, mean) - usual;
    double score = above - RESTLESS * restless();
    usual += Math.max(1.0 / (count + 1), 1 / PAST) * (sum - usual);
    boolean known = count >= FEWEST;
    day[count++ % DAY] = known ? above : 0;
    return known ? score : 0;
  }

  /** How high the last day was, before anything was taken off. */
  private double restless() {
    sumOfHighest(day, dayHighest);
    return Math.max(0, dayHighest[RANK - 1]);
  }

  /**
   * Finds the highest of some numbers.
   *
   * @param highest gets them, the highest first; 0 where there are not so many
   * @return their sum, each limited to the most that a metric adds; NaN if there is no number
   */
  private static double sumOfHighest(double[] of, double[] highest) {
    int known = 0;
    for (double one : of) {
      if (Double.isNaN(one)) {
        continue;
      }
      int at = Math.min(known++, highest.length);
      while (at > 0 && highest[at - 1] < one) {
        if (at < highest.length) {
          highest[at] = highest[at - 1];
        }
        at--;
      }
      if (at < highest.length) {
        highest[at] = one;
      }
    }
    if (known == 0) {
      return Double.NaN;
    }
    Arrays.fill(highest, Math.min(known, highest.length), highest.length, 0);
    double sum = 0;
    for (double one : highest) {
      sum += Math.min(MetricScore.MOST, one);
    }
    return sum;
  }
}
