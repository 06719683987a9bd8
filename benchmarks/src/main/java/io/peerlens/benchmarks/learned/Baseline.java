package io.peerlens.benchmarks.learned;

/** The textbook methods that judge one series at a time. */
enum Baseline {
  /** Distance from the mean of all rows so far, in standard deviations. */
  THREE_SIGMA("3-sigma") {
    @Override
    double[] score(double[] values, int day) {
      double[] scores = new double[values.length];
      double mean = 0;
      double squares = 0;
      int n = 0;
      for (int i = 0; i < values.length; i++) {
        double x = values[i];
        if (Double.isNaN(x)) {
          continue;
        }
        if (n > 1) {
          scores[i] = Math.min(MOST, Math.abs(x - mean) / scale(Math.sqrt(squares / n), mean));
        }
        n++;
        double before = x - mean;
        mean += before / n;
        squares += before * (x - mean);
      }
      return scores;
    }
  },

  /**
   * Distance from the forecast of additive Holt-Winters smoothing with a season of a day, in
   * smoothed deviations of that time of day; constants of Brutlag, "Aberrant Behavior Detection in
   * Time Series for Network Monitoring", LISA 2000.
   */
  HOLT_WINTERS("Holt-Winters") {
    @Override
    double[] score(double[] values, int day) {
      double alpha = 0.1;
      double beta = 0.0035;
      double gamma = 0.1;
      double[] scores = new double[values.length];
      double[] season = new double[day];
      double[] deviation = new double[day];
      java.util.Arrays.fill(deviation, Double.NaN);
      double level = Double.NaN;
      double trend = 0;
      for (int i = 0; i < values.length; i++) {
        double x = values[i];
        if (Double.isNaN(x)) {
          continue;
        }
        int s = i % day;
        if (Double.isNaN(level)) {
          level = x;
        }
        double error = x - (level + trend + season[s]);
        if (i >= day && !Double.isNaN(deviation[s])) {
          scores[i] = Math.min(MOST, Math.abs(error) / scale(deviation[s], level));
        }
        double before = level;
        level = alpha * (x - season[s]) + (1 - alpha) * (level + trend);
        trend = beta * (level - before) + (1 - beta) * trend;
        season[s] = gamma * (x - level) + (1 - gamma) * season[s];
        deviation[s] =
            Double.isNaN(deviation[s])
                ? Math.abs(error)
                : gamma * Math.abs(error) + (1 - gamma) * deviation[s];
      }
      return scores;
    }
  },

  /**
   * 1 less the probability that a Gaussian is farther out on that side, mean and deviation over a
   * window of 6,400 rows that moves on every 100: the detector of that name in NAB.
   */
  WINDOWED_GAUSSIAN("windowed Gaussian") {
    @Override
    double[] score(double[] values, int day) {
      int window = 6400;
      int every = 100;
      double[] scores = new double[values.length];
      double mean = 0;
      double deviation = 1;
      int from = 0;
      int until = 0;
      for (int i = 0; i < values.length; i++) {
        if (i > 0) {
          scores[i] = 1 - 0.5 * Erf.complement(Math.abs(values[i] - mean) / deviation / ROOT2);
        }
        boolean moves;
        if (until - from < window) {
          until++;
          moves = true;
        } else {
          moves = i + 1 - until == every;
          if (moves) {
            from += every;
            until += every;
          }
        }
        if (moves) {
          double sum = 0;
          for (int k = from; k < until; k++) {
            sum += values[k];
          }
          mean = sum / (until - from);
          double squares = 0;
          for (int k = from; k < until; k++) {
            squares += (values[k] - mean) * (values[k] - mean);
          }
          deviation = Math.sqrt(squares / (until - from));
          if (deviation == 0) {
            deviation = 0.000001;
          }
        }
      }
      return scores;
    }
  };

  private static final double ROOT2 = Math.sqrt(2);

  /** Where a series was constant, its first other value would be infinitely far out. */
  private static final double MOST = 1e6;

  private final String text;

  Baseline(String text) {
    this.text = text;
  }

  /** A scale that is not 0: at least a thousandth of a percent of the level. */
  private static double scale(double deviation, double level) {
    return Math.max(deviation, 1e-5 * Math.abs(level) + 1e-9);
  }

  abstract double[] score(double[] values, int day);

  /** The method over every metric of a recording. */
  Scorer scorer() {
    return new Each(text, this::score);
  }
}
