package io.peerlens.baselines;

import java.util.Arrays;

/** Trend of a series over weeks. */
final class Trend {

  /** Pairs of days that must agree on the direction of a trend. */
  private static final double AGREEMENT = 0.9;

  private static final int DAYS = BandLearner.HISTORY_DAYS;

  private final double[] dayMean = new double[DAYS + 1];
  private final double[] slopes = new double[(DAYS + 1) * DAYS / 2];

  /**
   * By how much the series moves in an hour; 0 = no lasting trend. The median of the slopes between
   * days (Theil, Sen), of days that are whole weeks apart once there are three weeks, so that a
   * weekly rhythm is no trend. A step is none either: days on the same side of it disagree.
   */
  double of(LearnedHours past) {
    int days = 0;
    int i = 0;
    for (int day = 0; day <= DAYS; day++) {
      double sum = 0;
      int hours = 0;
      for (; i < past.count && past.hour[i] < (day + 1) * 24; i++) {
        sum += past.middle[i];
        hours++;
      }
      dayMean[day] = hours >= 12 ? sum / hours : Double.NaN;
      days = hours >= 12 ? day + 1 : days;
    }
    int step = past.hour[past.count - 1] - past.hour[0] >= 21 * 24 ? 7 : 1;
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
    if (pairs < 14 || Math.max(up, down) < AGREEMENT * pairs) {
      return 0;
    }
    Arrays.sort(slopes, 0, pairs);
    return (slopes[(pairs - 1) / 2] + slopes[pairs / 2]) / 2;
  }
}
