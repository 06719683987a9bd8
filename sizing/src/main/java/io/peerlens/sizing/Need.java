package io.peerlens.sizing;

import io.peerlens.baselines.TimeRemaining;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a machine needs of a resource, with an interval.
 *
 * <p>The need is the value from p95 up to the peak at which {@code unused + price x hours over} is
 * least: once in business hours, once over the whole time as a guard, and the larger counts. So a
 * batch at night is not forgotten, and a burst of a minute is not paid for all day.
 *
 * @param need in the unit of the column, without headroom and growth
 * @param least lower end of the 90 % interval, see {@link NeedDraws}
 * @param most its upper end
 * @param p95 in business hours; of the whole time where these have no value
 * @param p99 the same
 * @param guard the need over the whole time
 * @param perDay growth of the daily p95; 0 = none that is certain
 */
record Need(
    double need, double least, double most, double p95, double p99, double guard, double perDay) {

  static final double FROM = 0.95;
  private static final int WEEK = 168;

  /** Null if a column has no value. */
  static @Nullable Need of(Grid grid, double[] column, double hourPrice, long seed) {
    double[] all = grid.sorted(column, false);
    if (all.length == 0) {
      return null;
    }
    double[] business = grid.sorted(column, true);
    double[] shown = business.length == 0 ? all : business;
    double guard = cheapest(all, hourPrice * WEEK);
    double businessPrice = hourPrice * WEEK * grid.businessShare();
    double need = business.length == 0 ? guard : Math.max(guard, cheapest(business, businessPrice));
    double[] drawn =
        NeedDraws.of(grid, column, all[all.length - 1], hourPrice * WEEK, businessPrice, seed);
    return new Need(
        need,
        Math.min(need, Quantiles.of(drawn, 0.05)),
        Math.max(need, Quantiles.of(drawn, 0.95)),
        Quantiles.of(shown, FROM),
        Quantiles.of(shown, 0.99),
        guard,
        growth(grid, column, need));
  }

  /**
   * The cheapest size from p95 up to the peak; 0 if there is no demand at all.
   *
   * @param price of all hours that the values stand for being over the size
   */
  static double cheapest(double[] sorted, double price) {
    int n = sorted.length;
    double below = 0;
    double best = Double.MAX_VALUE;
    double at = sorted[n - 1];
    for (int i = 0; i < n; i++) {
      below += sorted[i];
      boolean last = i + 1 == n || sorted[i + 1] > sorted[i];
      if (last && sorted[i] > 0 && i + 1 >= FROM * n) {
        double used = (below + (n - 1.0 - i) * sorted[i]) / n;
        double cost = 1 - used / sorted[i] + price * (n - 1.0 - i) / n;
        if (cost < best) {
          best = cost;
          at = sorted[i];
        }
      }
    }
    return at;
  }

  /** Growth of the daily p95 in a day, if all of its interval is above zero. */
  private static double growth(Grid grid, double[] column, double limit) {
    double[] daily = new double[grid.days()];
    double[] day = new double[(int) Math.ceil(25 / grid.stepHours())];
    int n = 0;
    int current = 0;
    for (int i = 0; i <= grid.length(); i++) {
      if (i == grid.length() || grid.day(i) != current) {
        boolean enough = n >= 12 / grid.stepHours();
        double[] values = Arrays.copyOf(day, n);
        Arrays.sort(values);
        daily[current] = enough ? Quantiles.of(values, FROM) : Double.NaN;
        n = 0;
        if (i == grid.length()) {
          break;
        }
        for (int skipped = current + 1; skipped < grid.day(i); skipped++) {
          daily[skipped] = Double.NaN;
        }
        current = grid.day(i);
      }
      if (!Double.isNaN(column[i])) {
        day[n++] = column[i];
      }
    }
    TimeRemaining trend = TimeRemaining.of(daily, limit);
    return trend == null || trend.perDayLeast() <= 0 ? 0 : trend.perDay();
  }
}
