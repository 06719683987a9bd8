package io.peerlens.sizing;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Demand beside a size, for people: its percentiles, and the hours over the size with an interval.
 *
 * @param p50 in business hours; of the whole time where these have no value
 * @param p95 the same
 * @param p99 the same
 * @param regretLeast lower end of the 90 % interval of the hours a week over the size, from weeks
 *     that might have been: days drawn again with replacement, 400 times
 * @param regretMost its upper end
 */
public record DemandSummary(
    double p50, double p95, double p99, double regretLeast, double regretMost) {

  private static final int DRAWS = 400;
  private static final int WEEK = 168;

  /**
   * Sums up a column; all NaN if it has no value.
   *
   * @param column demand in the unit of the size
   */
  public static DemandSummary of(Grid grid, double[] column, double size, long seed) {
    double[] business = grid.sorted(column, true);
    double[] shown = business.length == 0 ? grid.sorted(column, false) : business;
    double[] regret = regret(grid, column, size, seed);
    return new DemandSummary(
        Quantiles.of(shown, 0.5),
        Quantiles.of(shown, 0.95),
        Quantiles.of(shown, 0.99),
        Quantiles.of(regret, 0.05),
        Quantiles.of(regret, 0.95));
  }

  private static double[] regret(Grid grid, double[] column, double size, long seed) {
    int[] known = new int[grid.days()];
    int[] over = new int[grid.days()];
    for (int i = 0; i < grid.length(); i++) {
      if (!Double.isNaN(column[i])) {
        known[grid.day(i)]++;
        over[grid.day(i)] += column[i] > size ? 1 : 0;
      }
    }
    int[] days = IntStream.range(0, known.length).filter(d -> known[d] > 0).toArray();
    if (days.length == 0) {
      return new double[0];
    }
    SplittableRandom random = new SplittableRandom(seed);
    double[] drawn = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      long all = 0;
      long above = 0;
      for (int k = 0; k < days.length; k++) {
        int day = days[random.nextInt(days.length)];
        all += known[day];
        above += over[day];
      }
      drawn[draw] = (double) WEEK * above / all;
    }
    Arrays.sort(drawn);
    return drawn;
  }
}
