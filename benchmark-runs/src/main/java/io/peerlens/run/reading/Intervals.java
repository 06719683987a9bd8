package io.peerlens.run.reading;

import io.peerlens.baselines.compare.Period;
import io.peerlens.run.Run.Series;
import java.util.Arrays;

/** Intervals of a series, brought to equal steps. */
final class Intervals {

  private Intervals() {}

  /** The usual length of an interval in seconds; 0 = there are fewer than two. */
  static double step(Series series) {
    double[] seconds = series.seconds();
    if (seconds.length < 2) {
      return 0;
    }
    double[] steps = new double[seconds.length - 1];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = seconds[i + 1] - seconds[i];
    }
    Arrays.sort(steps);
    return Math.max(0, steps[steps.length / 2]);
  }

  /** Seconds from the start of the run to its last interval. */
  static double length(Series series) {
    return series.seconds().length == 0 ? 0 : series.seconds()[series.seconds().length - 1];
  }

  /**
   * The values after a moment as a period in which no hour differs from another.
   *
   * @param step seconds; intervals that are shorter by more than the factor {@code same} are
   *     averaged to it
   */
  static Period period(Series series, double from, double step, double same) {
    double[] values = after(series, from);
    double own = step(series);
    if (own > 0 && step > own * same) {
      values = averaged(series, from, step);
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.isFinite(values[i]) ? values[i] : Double.NaN;
    }
    return new Period(values, new int[values.length]);
  }

  private static double[] after(Series series, double from) {
    int first = 0;
    while (first < series.seconds().length && series.seconds()[first] <= from) {
      first++;
    }
    return Arrays.copyOfRange(series.values(), first, series.values().length);
  }

  private static double[] averaged(Series series, double from, double step) {
    // Wider steps are never more than the values, whatever the times say.
    double steps = Math.floor((length(series) - from) / step + 1e-6);
    int count = (int) Math.clamp(steps, 0, (double) series.values().length);
    double[] sums = new double[count];
    int[] counts = new int[count];
    for (int i = 0; i < series.values().length; i++) {
      // Seconds are ends of intervals.
      double at = Math.ceil((series.seconds()[i] - from) / step - 1e-6) - 1;
      if (at >= 0 && at < count && Double.isFinite(series.values()[i])) {
        sums[(int) at] += series.values()[i];
        counts[(int) at]++;
      }
    }
    for (int i = 0; i < count; i++) {
      sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
    }
    return sums;
  }
}
