package io.peerlens.benchmarks.learned;

/**
 * A method that judges one series at a time, used on each metric of a recording.
 *
 * @param name what the report calls it
 * @param method the method
 */
record Each(String name, Method method) implements Scorer {

  /** Scores of one series. */
  interface Method {

    /**
     * @param values the series
     * @param day rows of a day
     */
    double[] score(double[] values, int day);
  }

  @Override
  public double[][] scores(Labelled series) {
    int day = (int) Math.max(2, 86_400 / series.step());
    double[][] scores = new double[series.metrics().length][];
    for (int m = 0; m < scores.length; m++) {
      scores[m] = method.score(series.metrics()[m], day);
    }
    return scores;
  }
}
