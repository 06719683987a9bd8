package io.peerlens.baselines;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Forecast of when something that fills up reaches its limit, as vRealize Operations' Time
 * Remaining.
 *
 * <p>The speed is the median of the slopes between all pairs of days (Theil 1950, Sen 1968), which
 * a clean-up or a burst does not turn; its interval of 90 % is Sen's, from the variance of
 * Kendall's S, widened for days that resemble the day before (after Hamed and Rao, 1998, with the
 * first autocorrelation alone). From the level of the last three days on it is carried to the
 * limit.
 *
 * @param days days until the limit; 0 = it is reached, {@link #MOST_DAYS} = more than a year, or
 *     there is no growth that is certain
 * @param earliest days until then if growth is as fast as the interval allows
 * @param latest days until then if it is as slow as that; at most {@link #MOST_DAYS}
 * @param level where the last three days were, in the unit of the values
 * @param perDay growth in a day; may be negative
 * @param perDayLeast lower end of the interval of growth
 * @param perDayMost upper end of the interval of growth
 */
public record TimeRemaining(
    double days,
    double earliest,
    double latest,
    double level,
    double perDay,
    double perDayLeast,
    double perDayMost) {

  /** vRealize Operations shows no more than a year either. */
  public static final double MOST_DAYS = 366;

  /** Days that are needed. */
  public static final int FEWEST_DAYS = 7;

  /** Days that are looked at. */
  public static final int HISTORY_DAYS = 28;

  /** Of a normal distribution: 90 % lie within so many standard deviations. */
  private static final double NINETY_PERCENT = 1.645;

  /** Days this much alike would leave too few independent ones to say anything. */
  private static final double MOST_ALIKE = 0.8;

  /**
   * Carries a series on to its limit.
   *
   * @param daily one value for each day, oldest first, the last one at most a day old; NaN = none.
   *     Of more than {@link #HISTORY_DAYS} the last are taken.
   * @param limit that the values grow towards, in the same unit
   * @return null = too few days, or none of the last three has a value
   */
  public static @Nullable TimeRemaining of(double[] daily, double limit) {
    int first = Math.max(0, daily.length - HISTORY_DAYS);
    double[] values = Arrays.copyOfRange(daily, first, daily.length);
    int present = (int) Arrays.stream(values).filter(value -> !Double.isNaN(value)).count();
    double level = level(values);
    if (present < FEWEST_DAYS || Double.isNaN(level) || Double.isNaN(limit)) {
      return null;
    }
    double[] slopes = slopes(values);
    double perDay = at(slopes, (slopes.length - 1) / 2.0);
    double reach = NINETY_PERCENT * Math.sqrt(variance(present) * alike(values, perDay)) / 2;
    double middle = (slopes.length - 1) / 2.0;
    double least = at(slopes, middle - reach);
    double most = at(slopes, middle + reach + 1);
    double room = limit - level;
    return new TimeRemaining(
        least > 0 ? days(room, perDay) : room <= 0 ? 0 : MOST_DAYS,
        days(room, most),
        days(room, least),
        level,
        perDay,
        least,
        most);
  }

  private static double days(double room, double perDay) {
    if (room <= 0) {
      return 0;
    }
    return perDay > 0 ? Math.min(MOST_DAYS, room / perDay) : MOST_DAYS;
  }

  /** The median of the last three days; NaN = none of them has a value. */
  private static double level(double[] values) {
    double[] last =
        Arrays.stream(values, Math.max(0, values.length - 3), values.length)
            .filter(value -> !Double.isNaN(value))
            .sorted()
            .toArray();
    return last.length == 0 ? Double.NaN : at(last, (last.length - 1) / 2.0);
  }

  private static double[] slopes(double[] values) {
    double[] slopes = new double[values.length * (values.length - 1) / 2];
    int pairs = 0;
    for (int a = 0; a < values.length; a++) {
      for (int b = a + 1; b < values.length; b++) {
        double slope = (values[b] - values[a]) / (b - a);
        if (!Double.isNaN(slope)) {
          slopes[pairs++] = slope;
        }
      }
    }
    Arrays.sort(slopes, 0, pairs);
    return Arrays.copyOf(slopes, pairs);
  }

  /** Of Kendall's S among so many independent days. */
  private static double variance(int days) {
    return days * (days - 1.0) * (2 * days + 5) / 18;
  }

  /** By how much the variance is larger because a day resembles the one before. */
  private static double alike(double[] values, double perDay) {
    double[] left = new double[values.length];
    int count = 0;
    double mean = 0;
    for (int i = 0; i < values.length; i++) {
      left[i] = values[i] - perDay * i;
      if (!Double.isNaN(left[i])) {
        mean += left[i];
        count++;
      }
    }
    mean /= count;
    double together = 0;
    double all = 0;
    for (int i = 0; i < left.length; i++) {
      double off = left[i] - mean;
      if (!Double.isNaN(off)) {
        all += off * off;
        double next = i + 1 < left.length ? left[i + 1] - mean : Double.NaN;
        together += Double.isNaN(next) ? 0 : off * next;
      }
    }
    double correlation = all == 0 ? 0 : Math.clamp(together / all, 0, MOST_ALIKE);
    return (1 + correlation) / (1 - correlation);
  }

  /** What is at a place between the elements of a sorted array. */
  private static double at(double[] sorted, double place) {
    double held = Math.clamp(place, 0, sorted.length - 1);
    int below = (int) held;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (held - below) * (sorted[above] - sorted[below]);
  }
}
