package io.peerlens.baselines;

import java.util.Arrays;

/**
 * Learner of bands: what is usual for a series at each hour of the week, from the hours of at most
 * four weeks.
 *
 * <p>The middle of the band at an hour is a blend of three medians, those of the hour of the week,
 * of the hour of the day and of all hours, all of them with weights that halve every {@link
 * #HALF_LIFE_DAYS} days. Which blend it is the series itself decides: the one that predicts its
 * hours best when each is left out of the median of its own hour of the week. A series without a
 * rhythm so gets a level band and one with a weekly rhythm a weekly one, and few weeks do not make
 * a rhythm. A trend that lasts is taken out first and carried on afterwards.
 *
 * <p>The bounds are set apart from one another: how far the highest value of an hour was above the
 * middle, and the lowest below it, in units of what is usual at that hour of the day, gives one
 * distribution for each side, of which the bounds are a high quantile ({@link #QUANTILE}). The
 * residuals are those of hours that were left out, as in split-conformal prediction (Lei, G'Sell,
 * Rinaldo, Tibshirani, Wasserman: Distribution-Free Predictive Inference for Regression, 2018), so
 * bounds from few weeks are not too narrow. A series that wanders or has a new level is not where
 * its weeks were, so bounds also reach from the level of the newest day as far as levels move
 * ({@link Drift}).
 *
 * <p>The spread, by which a {@link Sensitivity} widens the bounds, is what values usually are off
 * the middle, times the root of four weeks over the hours that were learned from: after one week
 * the bounds are known half as well as after four.
 *
 * <p>Series of few whole numbers and constant ones have bounds of their own, see {@link State};
 * that they need this is from vROps' categories of data (Marvasti et al., An Enterprise Dynamic
 * Thresholding System, ICAC 2014).
 *
 * <p>Nothing depends on anything but the arguments. Arrays are kept for the next series, so an
 * instance is not thread-safe.
 */
public final class BandLearner {

  /** Days of values that are needed before anything is judged. */
  public static final int LEARNING_DAYS = 7;

  /** Days of the past that are looked at; older ones are passed over. */
  public static final int HISTORY_DAYS = 28;

  /** After so many days an hour counts half as much. */
  public static final int HALF_LIFE_DAYS = 14;

  /** A series of whole numbers, with no more different ones than this, is one of few values. */
  public static final int FEW_VALUES = 5;

  /** Share of the past hours whose extremes lie within a bound before any margin. */
  public static final double QUANTILE = 0.99;

  private static final int HOURS = LearnedHours.MOST;

  /** Hours with values that are needed: half of those of the days of learning. */
  private static final int FEWEST_HOURS = LEARNING_DAYS * 12;

  /** A spread is at least this share of the level of the series. */
  private static final double SPREAD_OF_LEVEL = 0.01;

  /** A spread is at least this share of the mean width of the band. */
  private static final double SPREAD_OF_WIDTH = 0.1;

  /** What is usual at an hour of the day counts as much as all hours from this many days on. */
  private static final double SHRINKAGE_DAYS = 7;

  /**
   * Residuals count for the scale up to this quantile of theirs, so that faults do not widen it.
   */
  private static final double FAULTS_ABOVE = 0.98;

  /**
   * Turns the median of absolute residuals of a normal distribution into its standard deviation.
   */
  private static final double NORMAL = 1.4826;

  /** Half of the expected range of twelve normal values, in standard deviations (Tippett, 1925). */
  private static final double HALF_RANGE = 1.63;

  /**
   * A blend that follows a rhythm more closely must lower the error to this share, or is chance.
   */
  private static final double RHYTHM_GAIN = 0.97;

  /** Shares of the medians of the hour of the week, of the hour of the day and of all hours. */
  private static final double[][] BLENDS = {
    {0, 0, 1},
    {0, 0.5, 0.5},
    {0, 1, 0},
    {0.25, 0.5, 0.25},
    {0.5, 0.5, 0},
    {0.75, 0.25, 0},
    {1, 0, 0},
  };

  // Of the series that is being learned
  private final LearnedHours past = new LearnedHours();
  private final int[] hour = past.hour;
  private final int[] slot = past.slot;
  private final float[] low = past.low;
  private final float[] middle = past.middle;
  private final float[] high = past.high;
  private final double[] weight = past.weight;
  private final int[] slotStart = past.slotStart;
  private final int[] bySlot = past.bySlot;

  private final FewValues few = new FewValues(past);
  private final Trend trend = new Trend();
  private final double[] slotMedian = new double[WeekSlots.SLOTS];
  private final double[] dayMedian = new double[24];
  private final double[] leftOut = new double[HOURS];
  private final double[] above = new double[HOURS];
  private final double[] below = new double[HOURS];
  private final double[] scaleAbove = new double[24];
  private final double[] scaleBelow = new double[24];
  private final WeightedQuantile quantiles = new WeightedQuantile(HOURS);
  private final double[] values = quantiles.values;
  private final double[] valueWeights = quantiles.weights;
  private final Drift drift = new Drift(quantiles, HOURS);

  /**
   * Learns a band.
   *
   * @param firstHour hour since 1970 of the first element of the arrays
   * @param min lowest value of each hour; NaN = the hour has no values, or is not to be learned
   *     from
   * @param mean mean of each hour, NaN where {@code min} is
   * @param max highest value of each hour, NaN where {@code min} is
   * @param slots which hour of the week an hour is
   * @param outFirstHour the first hour of the band, usually soon after the last one learned from
   * @param outHours how many hours the band has
   */
  public Band learn(
      long firstHour,
      float[] min,
      float[] mean,
      float[] max,
      WeekSlots slots,
      long outFirstHour,
      int outHours) {
    past.read(firstHour, min, mean, max, slots);
    float[] lower = new float[outHours];
    float[] upper = new float[outHours];
    float days = past.days();
    if (days < LEARNING_DAYS || past.count < FEWEST_HOURS) {
      Arrays.fill(lower, Float.NaN);
      Arrays.fill(upper, Float.NaN);
      return new Band(State.LEARNING, Float.NaN, lower, upper, past.count, days);
    }
    if (past.isConstant()) {
      Arrays.fill(lower, low[0]);
      Arrays.fill(upper, low[0]);
      return new Band(State.CONSTANT, 0, lower, upper, past.count, days);
    }
    past.sortBySlot();
    int different = few.different();
    if (different > 0) {
      few.bounds(different, slots, outFirstHour, lower, upper);
      return new Band(State.FEW_VALUED, 0, lower, upper, past.count, days);
    }
    int origin = hour[past.count - 1];
    double slope = trend.of(past);
    if (slope != 0) {
      past.takeOut(slope, origin);
    }
    double level = medians();
    double[] blend = blend(level);
    residuals(blend, level);
    double upperReach = reach(above, scaleAbove);
    double lowerReach = reach(below, scaleBelow);
    drift.learn(hour, middle, leftOut, past.count);
    double upperDrift = drift.reach(above, true, scaleAbove, slot, weight);
    double lowerDrift = drift.reach(below, false, scaleBelow, slot, weight);
    boolean neverNegative = slope == 0 && past.isNeverNegative();
    double width = 0;
    for (int i = 0; i < outHours; i++) {
      int at = slots.slot(outFirstHour + i);
      double carried =
          slope * (outFirstHour + i - (LearnedHours.oldest(firstHour, min.length) + origin));
      double centre = blended(blend, slotMedian[at], at % 24, level) + carried;
      double over = farther(scaleAbove[at % 24], upperReach, upperDrift, drift.up());
      double under = farther(scaleBelow[at % 24], lowerReach, lowerDrift, drift.down());
      width += over + under;
      upper[i] = (float) (centre + over);
      lower[i] = (float) (neverNegative ? Math.max(0, centre - under) : centre - under);
    }
    double spread =
        Math.max(
                Math.max(typicalSpread(), SPREAD_OF_LEVEL * Math.abs(level)),
                SPREAD_OF_WIDTH * width / Math.max(1, outHours))
            * unknown();
    return new Band(State.LEARNED, (float) spread, lower, upper, past.count, days);
  }

  /** Of the reaches from the middle and from where the level may be the farther one. */
  private static double farther(double scale, double reach, double ofDay, double level) {
    double drifting = Double.isNaN(level) ? 0 : level + scale * ofDay;
    return Math.max(scale * reach, drifting);
  }

  // ---------------------------------------------------------------------------------------- middle

  /** Medians of hours of the week and of the day; gives that of all hours. */
  private double medians() {
    for (int i = 0; i < past.count; i++) {
      values[i] = middle[i];
      valueWeights[i] = weight[i];
    }
    double level = quantiles.of(0.5, past.count);
    for (int of = 0; of < 24; of++) {
      int n = 0;
      for (int s = of; s < WeekSlots.SLOTS; s += 24) {
        for (int k = slotStart[s]; k < slotStart[s + 1]; k++) {
          values[n] = middle[bySlot[k]];
          valueWeights[n++] = weight[bySlot[k]];
        }
      }
      dayMedian[of] = n < 3 ? level : quantiles.of(0.5, n);
    }
    for (int s = 0; s < WeekSlots.SLOTS; s++) {
      slotMedian[s] = slotMedian(s, -1, level);
      for (int k = slotStart[s]; k < slotStart[s + 1]; k++) {
        leftOut[bySlot[k]] = slotMedian(s, k, level);
      }
    }
    return level;
  }

  /**
   * The median of an hour of the week without one of its hours; that of the day if none is left.
   */
  private double slotMedian(int s, int without, double level) {
    int n = 0;
    for (int k = slotStart[s]; k < slotStart[s + 1]; k++) {
      if (k != without) {
        values[n] = middle[bySlot[k]];
        valueWeights[n++] = weight[bySlot[k]];
      }
    }
    if (n == 0) {
      return Double.isNaN(dayMedian[s % 24]) ? level : dayMedian[s % 24];
    }
    return quantiles.of(0.5, n);
  }

  private double blended(double[] blend, double ofSlot, int hourOfDay, double level) {
    return blend[0] * ofSlot + blend[1] * dayMedian[hourOfDay] + blend[2] * level;
  }

  /** The blend that predicts hours best; errors past.count up to six times what is usual. */
  private double[] blend(double level) {
    for (int i = 0; i < past.count; i++) {
      values[i] = Math.abs(middle[i] - level);
      valueWeights[i] = weight[i];
    }
    double most = 6 * NORMAL * quantiles.of(0.5, past.count);
    if (most == 0) {
      return BLENDS[0];
    }
    double[] best = BLENDS[0];
    double least = Double.POSITIVE_INFINITY;
    for (double[] blend : BLENDS) {
      double error = 0;
      for (int i = 0; i < past.count; i++) {
        double off = Math.abs(middle[i] - blended(blend, leftOut[i], slot[i] % 24, level));
        error += weight[i] * Math.min(off, most);
      }
      if (error < RHYTHM_GAIN * least) {
        least = error;
        best = blend;
      }
    }
    return best;
  }

  // ---------------------------------------------------------------------------------------- bounds

  /** How far hours were above and below the middle, and what of that is usual at each hour. */
  private void residuals(double[] blend, double level) {
    for (int i = 0; i < past.count; i++) {
      double centre = blended(blend, leftOut[i], slot[i] % 24, level);
      above[i] = high[i] - centre;
      below[i] = centre - low[i];
      leftOut[i] = centre;
    }
    scales(above, scaleAbove);
    scales(below, scaleBelow);
  }

  private void scales(double[] residuals, double[] scales) {
    for (int i = 0; i < past.count; i++) {
      values[i] = Math.abs(residuals[i]);
      valueWeights[i] = weight[i];
    }
    double most = quantiles.of(FAULTS_ABOVE, past.count);
    double all = 0;
    double weights = 0;
    for (int i = 0; i < past.count; i++) {
      all += weight[i] * Math.min(values[i], most);
      weights += weight[i];
    }
    all /= weights;
    for (int of = 0; of < 24; of++) {
      double sum = SHRINKAGE_DAYS * all;
      double parts = SHRINKAGE_DAYS;
      for (int s = of; s < WeekSlots.SLOTS; s += 24) {
        for (int k = slotStart[s]; k < slotStart[s + 1]; k++) {
          sum += weight[bySlot[k]] * Math.min(values[bySlot[k]], most);
          parts += weight[bySlot[k]];
        }
      }
      scales[of] = sum / parts;
    }
  }

  /** A high quantile of residuals, in units of what is usual at their hours; at least 0. */
  private double reach(double[] residuals, double[] scales) {
    for (int i = 0; i < past.count; i++) {
      double scale = scales[slot[i] % 24];
      values[i] = scale == 0 ? 0 : residuals[i] / scale;
      valueWeights[i] = weight[i];
    }
    return Math.max(0, quantiles.of(QUANTILE, past.count));
  }

  /** The larger one of how far means are off the middle, and half of the range within an hour. */
  private double typicalSpread() {
    for (int i = 0; i < past.count; i++) {
      values[i] = Math.abs(middle[i] - leftOut[i]);
      valueWeights[i] = weight[i];
    }
    double off = NORMAL * quantiles.of(0.5, past.count);
    for (int i = 0; i < past.count; i++) {
      values[i] = high[i] - low[i];
      valueWeights[i] = weight[i];
    }
    return Math.max(off, quantiles.of(0.5, past.count) / 2);
  }

  /**
   * By how much a spread is too small because little is known: the error of what is learned falls
   * with the root of the hours, and of hours with a single value the range is not seen.
   */
  private double unknown() {
    return Math.sqrt((double) HOURS / past.count) * (past.areSingleValues() ? HALF_RANGE : 1);
  }
}
