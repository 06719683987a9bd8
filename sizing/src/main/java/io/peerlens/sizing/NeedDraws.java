package io.peerlens.sizing;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Needs of months that might have been: days are drawn again with replacement, and each is made
 * larger or smaller by as much as days differ (smoothed bootstrap). Days alone, drawn again, never
 * show more than the highest of them, and the months to come do.
 *
 * <p>On made months whose days differ by 10, 30 or 60 %, the 90 % interval holds the real need in
 * 92 to 98 % of the runs with 28 days, and in 70 to 94 % with 14.
 */
final class NeedDraws {

  private static final int BINS = 160;

  /** A drawn day may be so many times as high as the highest that was seen. */
  private static final int ROOM = 4;

  private static final int DRAWS = 200;

  /** From the median absolute deviation to the standard deviation of a normal distribution. */
  private static final double MAD = 1.4826;

  private final int[][] all;
  private final int[][] business;
  private final double peak;

  private NeedDraws(Grid grid, double[] column, double peak) {
    this.peak = peak;
    all = new int[grid.days()][BINS];
    business = new int[grid.days()][BINS];
    for (int i = 0; i < grid.length(); i++) {
      if (!Double.isNaN(column[i])) {
        int bin = peak == 0 ? 0 : Math.min(BINS - 1, (int) (column[i] / peak * BINS));
        all[grid.day(i)][bin]++;
        if (grid.business(i)) {
          business[grid.day(i)][bin]++;
        }
      }
    }
  }

  /**
   * The needs of many drawn sets of days, sorted.
   *
   * @param peak the highest value of the column
   * @param price of all hours of a week being over the size
   * @param businessPrice of all business hours of a week being over it
   */
  static double[] of(
      Grid grid, double[] column, double peak, double price, double businessPrice, long seed) {
    return new NeedDraws(grid, column, peak).draw(price, businessPrice, seed);
  }

  private double[] draw(double price, double businessPrice, long seed) {
    int[] usable =
        IntStream.range(0, all.length).filter(day -> Arrays.stream(all[day]).sum() > 0).toArray();
    double spread = spread(usable);
    SplittableRandom random = new SplittableRandom(seed);
    double[] needs = new double[DRAWS];
    long[] sumAll = new long[ROOM * BINS];
    long[] sumBusiness = new long[ROOM * BINS];
    for (int draw = 0; draw < DRAWS; draw++) {
      Arrays.fill(sumAll, 0);
      Arrays.fill(sumBusiness, 0);
      for (int k = 0; k < usable.length; k++) {
        int day = usable[random.nextInt(usable.length)];
        double factor = Math.exp(spread * random.nextGaussian());
        add(all[day], factor, sumAll);
        add(business[day], factor, sumBusiness);
      }
      needs[draw] = Math.max(cheapest(sumAll, price), cheapest(sumBusiness, businessPrice));
    }
    Arrays.sort(needs);
    return needs;
  }

  /**
   * Standard deviation of the logarithm of days' p95, each compared with days of its kind (with and
   * without business hours). It is robust: a month-end does not count as how days differ.
   */
  private double spread(int[] usable) {
    double[] off = new double[usable.length];
    int n = 0;
    for (boolean open : new boolean[] {true, false}) {
      double[] levels =
          Arrays.stream(usable)
              .filter(day -> open == Arrays.stream(business[day]).sum() > 0)
              .mapToDouble(day -> Math.log(p95(all[day])))
              .sorted()
              .toArray();
      double median = Quantiles.of(levels, 0.5);
      for (double level : levels) {
        off[n++] = Math.abs(level - median);
      }
    }
    Arrays.sort(off);
    return MAD * Quantiles.of(off, 0.5);
  }

  private static double p95(int[] bins) {
    int left = (int) Math.ceil(Need.FROM * Arrays.stream(bins).sum());
    int bin = 0;
    while (left > bins[bin]) {
      left -= bins[bin++];
    }
    return bin + 0.5;
  }

  private static void add(int[] from, double factor, long[] to) {
    for (int b = 0; b < BINS; b++) {
      if (from[b] > 0) {
        to[Math.min(to.length - 1, (int) ((b + 0.5) * factor))] += from[b];
      }
    }
  }

  /** The same as {@link Need#cheapest} of values that are counted in bins. */
  private double cheapest(long[] bins, double price) {
    long n = Arrays.stream(bins).sum();
    long below = 0;
    double sum = 0;
    double best = Double.MAX_VALUE;
    double at = 0;
    for (int b = 0; b < bins.length && n > 0; b++) {
      below += bins[b];
      sum += bins[b] * (b + 0.5) * peak / BINS;
      double size = (b + 1.0) * peak / BINS;
      if (bins[b] > 0 && size > 0 && below >= Need.FROM * n) {
        double used = (sum + (n - below) * size) / n;
        double cost = 1 - used / size + price * (n - below) / n;
        if (cost < best) {
          best = cost;
          at = size;
        }
      }
    }
    return at;
  }
}
