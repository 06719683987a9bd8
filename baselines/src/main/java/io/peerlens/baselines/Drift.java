package io.peerlens.baselines;

import java.util.Arrays;

/**
 * Where a series went lately, against what weeks say of it. A series that wanders, or has a new
 * level, leaves bounds that were right for the past: its past was not where it is now. So bounds
 * also reach from the level of the newest day as far as the level usually moves in two days, which
 * is how old the newest hours are when a day is judged, and as far again as values are from the
 * level of their own day.
 *
 * <p>Moves of the past as long as the one to come are a sample of it: a forecast that is as good as
 * "as now" has just these errors (the naive forecast of Hyndman and Athanasopoulos, Forecasting:
 * Principles and Practice). Few days may have moved farther; so one step, which two or three days
 * see, does not make a series one that wanders. A day here is 24 hours that end with the newest
 * hour.
 */
final class Drift {

  /** The level may move for so many days until a day is judged. */
  private static final int DAYS = 2;

  /** Share of the days whose moves in one direction lie within. */
  private static final double OF_MOVES = 0.88;

  /** Share of the hours whose extremes lie within, from the level of their day. */
  private static final double OF_HOURS = 0.9925;

  /** Hours with values that a day needs. */
  private static final int FEWEST_HOURS = 6;

  /** Moves that must be known. */
  private static final int FEWEST_MOVES = 5;

  /** Turns the mean absolute deviation of a normal distribution into its standard deviation. */
  private static final double OF_MEAN_ABSOLUTE = Math.sqrt(Math.PI / 2);

  /** The variance of a median of normal values against that of their mean. */
  private static final double OF_MEDIAN = Math.PI / 2;

  private final WeightedQuantile quantiles;

  /** Of the day that ends with the newest hour, of the one before it and so on; NaN = unknown. */
  private final double[] levels;

  /** Mean absolute deviation from the level in each day that has one. */
  private final double[] within;

  private final int[] day;
  private int count;
  private double up;
  private double down;

  /**
   * @param quantiles to work with
   * @param hours how many there are at most
   */
  Drift(WeightedQuantile quantiles, int hours) {
    this.quantiles = quantiles;
    day = new int[hours];
    levels = new double[hours / 24 + 1 + DAYS];
    within = new double[levels.length];
  }

  /**
   * Finds the levels of the days and how they move.
   *
   * @param hour of each value, ascending
   * @param middle mean of each hour
   * @param centre what was expected in it
   */
  void learn(int[] hour, float[] middle, double[] centre, int count) {
    this.count = count;
    Arrays.fill(levels, Double.NaN);
    int newest = hour[count - 1];
    int next = count - 1;
    int days = 0;
    double hours = 0;
    double squares = 0;
    while (next >= 0) {
      int of = (newest - hour[next]) / 24;
      int n = 0;
      for (; next >= 0 && (newest - hour[next]) / 24 == of; next--) {
        day[next] = of;
        add(n++, middle[next] - centre[next], 1);
      }
      if (n >= FEWEST_HOURS) {
        levels[of] = quantiles.of(0.5, n);
        double off = 0;
        for (int i = 0; i < n; i++) {
          off += Math.abs(quantiles.values[i] - levels[of]);
        }
        within[days] = off / n;
        squares += levels[of] * levels[of];
        hours += n;
        days++;
      }
    }
    shrink(days, hours, squares);
    int moves = 0;
    for (int d = 0; d + DAYS < levels.length; d++) {
      double move = levels[d] - levels[d + DAYS];
      if (!Double.isNaN(move)) {
        add(moves++, move, 1);
      }
    }
    double level = Double.isNaN(levels[0]) ? 0 : levels[0];
    boolean known = moves >= FEWEST_MOVES;
    up = known ? level + Math.max(0, quantiles.of(OF_MOVES, moves)) : Double.NaN;
    down = known ? -level + Math.max(0, -quantiles.of(1 - OF_MOVES, moves)) : Double.NaN;
  }

  /**
   * Takes out of the levels what they vary by chance, as medians of few hours do: all shrink by the
   * share that chance has of their variance (James and Stein, 1961). So values without any drift
   * have none.
   */
  private void shrink(int days, double hours, double squares) {
    if (days == 0) {
      return;
    }
    for (int d = 0; d < days; d++) {
      add(d, within[d], 1);
    }
    double deviation = OF_MEAN_ABSOLUTE * quantiles.of(0.5, days);
    double byChance = OF_MEDIAN * deviation * deviation / (hours / days);
    double share = squares == 0 ? 0 : Math.max(0, 1 - byChance / (squares / days));
    for (int d = 0; d < levels.length; d++) {
      levels[d] *= share;
    }
  }

  /** How far above the expected the level may be; NaN = too little is known. */
  double up() {
    return up;
  }

  /** How far below the expected the level may be; NaN = too little is known. */
  double down() {
    return down;
  }

  /**
   * How far values are from the level of their day, in units of what is usual at their hours.
   *
   * @param residuals of each hour, how far it was above the expected, or below it
   * @param above whether it is above
   * @param scales what is usual at each hour of the day
   * @param slot of each hour
   */
  double reach(double[] residuals, boolean above, double[] scales, int[] slot, double[] weight) {
    int n = 0;
    for (int i = 0; i < count; i++) {
      double level = levels[day[i]];
      if (!Double.isNaN(level)) {
        double scale = scales[slot[i] % 24];
        double off = above ? residuals[i] - level : residuals[i] + level;
        add(n++, scale == 0 ? 0 : off / scale, weight[i]);
      }
    }
    return n == 0 ? 0 : quantiles.of(OF_HOURS, n);
  }

  private void add(int at, double value, double weight) {
    quantiles.values[at] = value;
    quantiles.weights[at] = weight;
  }
}
