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

  private static final int HOURS = HISTORY_DAYS * 24;

  /** Hours with values that are needed: half of those of the days of learning. */
  private static final int FEWEST_HOURS = LEARNING_DAYS * 12;

  /** Of few values, one that is rarer among the hours is no usual one. */
  private static final double USUAL_SHARE = 0.01;

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

  /** Pairs of days that must agree on the direction of a trend. */
  private static final double TREND_AGREEMENT = 0.9;

  /**
   * Turns the median of absolute residuals of a normal distribution into its standard deviation.
   */
  private static final double NORMAL = 1.4826;

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

  private static final double[] WEIGHTS = new double[HOURS];

  static {
    for (int age = 0; age < HOURS; age++) {
      WEIGHTS[age] = Math.pow(2, -age / (24.0 * HALF_LIFE_DAYS));
    }
  }

  // Of the series that is being learned; hours in order, without those that have no value.
  private int count;
  private final int[] hour = new int[HOURS];
  private final int[] slot = new int[HOURS];
  private final float[] low = new float[HOURS];
  private final float[] middle = new float[HOURS];
  private final float[] high = new float[HOURS];
  private final double[] weight = new double[HOURS];

  // For each hour of the week: its hours, one after the other
  private final int[] slotStart = new int[WeekSlots.SLOTS + 1];
  private final int[] bySlot = new int[HOURS];
  private final int[] slotFill = new int[WeekSlots.SLOTS];

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
  private final double[] dayMean = new double[HISTORY_DAYS + 1];
  private final double[] slopes = new double[(HISTORY_DAYS + 1) * HISTORY_DAYS / 2];
  private final float[] few = new float[FEW_VALUES];
  private final int[] fewHours = new int[FEW_VALUES];

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
    read(firstHour, min, mean, max, slots);
    float[] lower = new float[outHours];
    float[] upper = new float[outHours];
    float days = count == 0 ? 0 : (hour[count - 1] - hour[0] + 1) / 24f;
    if (days < LEARNING_DAYS || count < FEWEST_HOURS) {
      Arrays.fill(lower, Float.NaN);
      Arrays.fill(upper, Float.NaN);
      return new Band(State.LEARNING, Float.NaN, lower, upper, count, days);
    }
    if (isConstant()) {
      Arrays.fill(lower, low[0]);
      Arrays.fill(upper, low[0]);
      return new Band(State.CONSTANT, 0, lower, upper, count, days);
    }
    sortBySlot();
    int different = fewValues();
    if (different > 0) {
      boundsOfFew(different, slots, outFirstHour, lower, upper);
      return new Band(State.FEW_VALUED, 0, lower, upper, count, days);
    }
    int origin = hour[count - 1];
    double slope = trend();
    if (slope != 0) {
      takeOut(slope, origin);
    }
    double level = medians();
    double[] blend = blend(level);
    residuals(blend, level);
    double upperReach = reach(above, scaleAbove);
    double lowerReach = reach(below, scaleBelow);
    drift.learn(hour, middle, leftOut, count);
    double upperDrift = drift.reach(above, true, scaleAbove, slot, weight);
    double lowerDrift = drift.reach(below, false, scaleBelow, slot, weight);
    boolean neverNegative = slope == 0 && isNeverNegative();
    double width = 0;
    for (int i = 0; i < outHours; i++) {
      int at = slots.slot(outFirstHour + i);
      double carried = slope * (outFirstHour + i - (oldest(firstHour, min.length) + origin));
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
            SPREAD_OF_WIDTH * width / Math.max(1, outHours));
    return new Band(State.LEARNED, (float) spread, lower, upper, count, days);
  }

  /** Of the reaches from the middle and from where the level may be the farther one. */
  private static double farther(double scale, double reach, double ofDay, double level) {
    double drifting = Double.isNaN(level) ? 0 : level + scale * ofDay;
    return Math.max(scale * reach, drifting);
  }

  private static long oldest(long firstHour, int length) {
    return firstHour + Math.max(0, length - HOURS);
  }

  private void read(long firstHour, float[] min, float[] mean, float[] max, WeekSlots slots) {
    long oldest = oldest(firstHour, min.length);
    int skipped = (int) (oldest - firstHour);
    int hours = min.length - skipped;
    count = 0;
    for (int i = 0; i < hours; i++) {
      float value = mean[skipped + i];
      if (Float.isNaN(value) || Float.isInfinite(value)) {
        continue;
      }
      hour[count] = i;
      slot[count] = slots.slot(oldest + i);
      middle[count] = value;
      low[count] = min[skipped + i];
      high[count] = max[skipped + i];
      weight[count] = WEIGHTS[hours - 1 - i];
      count++;
    }
  }

  private void sortBySlot() {
    Arrays.fill(slotStart, 0);
    for (int i = 0; i < count; i++) {
      slotStart[slot[i] + 1]++;
    }
    for (int s = 0; s < WeekSlots.SLOTS; s++) {
      slotStart[s + 1] += slotStart[s];
      slotFill[s] = slotStart[s];
    }
    for (int i = 0; i < count; i++) {
      bySlot[slotFill[slot[i]]++] = i;
    }
  }

  // ------------------------------------------------------------------------- constant, few values

  private boolean isConstant() {
    for (int i = 0; i < count; i++) {
      if (low[i] != low[0] || high[i] != low[0]) {
        return false;
      }
    }
    return true;
  }

  private boolean isNeverNegative() {
    for (int i = 0; i < count; i++) {
      if (low[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** How many different whole numbers there are, and in how many hours each; 0 = too many. */
  private int fewValues() {
    int different = 0;
    for (int i = 0; i < count; i++) {
      int first = find(low[i], different);
      different = Math.max(different, first + 1);
      if (first < 0 || first == FEW_VALUES) {
        return 0;
      }
      fewHours[first]++;
      if (high[i] != low[i]) {
        int second = find(high[i], different);
        different = Math.max(different, second + 1);
        if (second < 0 || second == FEW_VALUES) {
          return 0;
        }
        fewHours[second]++;
      }
    }
    return different;
  }

  /** Where a value is among the few; it is added if it is new. -1 = it is not whole. */
  private int find(float value, int different) {
    if (value != Math.rint(value)) {
      return -1;
    }
    for (int i = 0; i < different; i++) {
      if (few[i] == value) {
        return i;
      }
    }
    if (different < FEW_VALUES) {
      few[different] = value;
      fewHours[different] = 0;
    }
    return different;
  }

  /** Values that are usual at all, and those that an hour of the week had in two weeks. */
  private void boundsOfFew(
      int different, WeekSlots slots, long outFirstHour, float[] lower, float[] upper) {
    float lowest = Float.POSITIVE_INFINITY;
    float highest = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < different; i++) {
      if (fewHours[i] >= USUAL_SHARE * count) {
        lowest = Math.min(lowest, few[i]);
        highest = Math.max(highest, few[i]);
      }
    }
    for (int i = 0; i < lower.length; i++) {
      int at = slots.slot(outFirstHour + i);
      lower[i] = Math.min(lowest, second(at, low, -1));
      upper[i] = Math.max(highest, second(at, high, 1));
    }
  }

  /**
   * The second most extreme value of an hour of the week; infinite, inwards, if it has only one.
   */
  private float second(int at, float[] of, int sign) {
    float most = Float.NEGATIVE_INFINITY;
    float next = Float.NEGATIVE_INFINITY;
    for (int k = slotStart[at]; k < slotStart[at + 1]; k++) {
      float value = sign * of[bySlot[k]];
      if (value > most) {
        next = most;
        most = value;
      } else if (value > next) {
        next = value;
      }
    }
    return sign * next;
  }

  // ----------------------------------------------------------------------------------------- trend

  /**
   * By how much the series moves in an hour; 0 = no lasting trend. The median of the slopes between
   * days (Theil, Sen), of days that are whole weeks apart once there are three weeks, so that a
   * weekly rhythm is no trend. A step is none either: days on the same side of it disagree.
   */
  private double trend() {
    int days = 0;
    int i = 0;
    for (int day = 0; day <= HISTORY_DAYS; day++) {
      double sum = 0;
      int hours = 0;
      for (; i < count && hour[i] < (day + 1) * 24; i++) {
        sum += middle[i];
        hours++;
      }
      dayMean[day] = hours >= 12 ? sum / hours : Double.NaN;
      days = hours >= 12 ? day + 1 : days;
    }
    int step = hour[count - 1] - hour[0] >= 21 * 24 ? 7 : 1;
    int pairs = 0;
    int up = 0;
    int down = 0;
    for (int a = 0; a < days; a++) {
      for (int b = a + step; b < days; b += step) {
        double difference = dayMean[b] - dayMean[a];
        if (Double.isNaN(difference)) {
          continue;
        }
        slopes[pairs++] = difference / (24.0 * (b - a));
        up += difference > 0 ? 1 : 0;
        down += difference < 0 ? 1 : 0;
      }
    }
    if (pairs < 14 || Math.max(up, down) < TREND_AGREEMENT * pairs) {
      return 0;
    }
    Arrays.sort(slopes, 0, pairs);
    return (slopes[(pairs - 1) / 2] + slopes[pairs / 2]) / 2;
  }

  private void takeOut(double slope, int origin) {
    for (int i = 0; i < count; i++) {
      float moved = (float) (slope * (hour[i] - origin));
      low[i] -= moved;
      middle[i] -= moved;
      high[i] -= moved;
    }
  }

  // ---------------------------------------------------------------------------------------- middle

  /** Medians of hours of the week and of the day; gives that of all hours. */
  private double medians() {
    for (int i = 0; i < count; i++) {
      values[i] = middle[i];
      valueWeights[i] = weight[i];
    }
    double level = quantiles.of(0.5, count);
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

  /** The blend that predicts hours best; errors count up to six times what is usual. */
  private double[] blend(double level) {
    for (int i = 0; i < count; i++) {
      values[i] = Math.abs(middle[i] - level);
      valueWeights[i] = weight[i];
    }
    double most = 6 * NORMAL * quantiles.of(0.5, count);
    if (most == 0) {
      return BLENDS[0];
    }
    double[] best = BLENDS[0];
    double least = Double.POSITIVE_INFINITY;
    for (double[] blend : BLENDS) {
      double error = 0;
      for (int i = 0; i < count; i++) {
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
    for (int i = 0; i < count; i++) {
      double centre = blended(blend, leftOut[i], slot[i] % 24, level);
      above[i] = high[i] - centre;
      below[i] = centre - low[i];
      leftOut[i] = centre;
    }
    scales(above, scaleAbove);
    scales(below, scaleBelow);
  }

  private void scales(double[] residuals, double[] scales) {
    for (int i = 0; i < count; i++) {
      values[i] = Math.abs(residuals[i]);
      valueWeights[i] = weight[i];
    }
    double most = quantiles.of(FAULTS_ABOVE, count);
    double all = 0;
    double weights = 0;
    for (int i = 0; i < count; i++) {
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
    for (int i = 0; i < count; i++) {
      double scale = scales[slot[i] % 24];
      values[i] = scale == 0 ? 0 : residuals[i] / scale;
      valueWeights[i] = weight[i];
    }
    return Math.max(0, quantiles.of(QUANTILE, count));
  }

  /** The larger one of how far means are off the middle, and half of the range within an hour. */
  private double typicalSpread() {
    for (int i = 0; i < count; i++) {
      values[i] = Math.abs(middle[i] - leftOut[i]);
      valueWeights[i] = weight[i];
    }
    double off = NORMAL * quantiles.of(0.5, count);
    for (int i = 0; i < count; i++) {
      values[i] = high[i] - low[i];
      valueWeights[i] = weight[i];
    }
    return Math.max(off, quantiles.of(0.5, count) / 2);
  }
}
