package io.peerlens.slow;

import java.util.Arrays;

/**
 * When a write buffer is full at the rate at which it fills now, and how long it usually fills
 * without a break.
 *
 * @param fill how full it is, in per cent
 * @param perMinute percentage points by which it fills in a minute; negative = it empties
 * @param fullInMinutes NaN = it does not fill
 * @param usualBurst minutes, median of the stretches before; NaN = there were fewer than three
 */
public record BufferOutlook(
    double fill, double perMinute, double fullInMinutes, double usualBurst) {

  /** A rise by less from step to step is noise. */
  private static final double RISE = 1;

  private static final int BURSTS = 3;
  private static final double FULL = 100;

  /**
   * @param fill how full it was, by step
   */
  public static BufferOutlook of(double[] fill, int stepSeconds) {
    double minutes = stepSeconds / 60.0;
    int last = fill.length - 1;
    while (last >= 0 && Double.isNaN(fill[last])) {
      last--;
    }
    if (last < 1) {
      return new BufferOutlook(
          last < 0 ? Double.NaN : fill[last], Double.NaN, Double.NaN, Double.NaN);
    }
    double[] bursts = new double[fill.length];
    int count = 0;
    int length = 0;
    int current = 0;
    for (int i = 1; i <= last; i++) {
      if (fill[i] - fill[i - 1] > RISE) {
        length++;
      } else {
        if (length > 0) {
          bursts[count++] = length * minutes;
        }
        length = 0;
      }
      current = length;
    }
    int from = Math.max(0, last - Math.max(1, current));
    double rate = (fill[last] - fill[from]) / ((last - from) * minutes);
    double[] sorted = Arrays.copyOf(bursts, count);
    Arrays.sort(sorted);
    return new BufferOutlook(
        fill[last],
        rate,
        current > 0 && rate > 0 ? (FULL - fill[last]) / rate : Double.NaN,
        count < BURSTS ? Double.NaN : Robust.quantile(sorted, 0.5));
  }
}
