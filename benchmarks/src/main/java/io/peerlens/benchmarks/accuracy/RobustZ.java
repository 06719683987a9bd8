package io.peerlens.benchmarks.accuracy;

import java.util.Arrays;

/** The textbook: (x - median) / (1.4826 MAD) in each bucket, nothing of the past. */
record RobustZ(String name, boolean floored, double minDeviation)
    implements Detector, Detector.Run {

  RobustZ() {
    this("robust z", true, 0);
  }

  /** As of Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993. */
  @Override
  public double threshold() {
    return 3.5;
  }

  @Override
  public Run start(Trace trace) {
    return new RobustZ(name, floored, floored ? trace.minDeviation() : 0);
  }

  @Override
  public void step(int bucket, double[] values, double[] scores) {
    double[] a = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    Arrays.fill(scores, Double.NaN);
    if (a.length < 3) {
      return;
    }
    double median = middle(a);
    double[] d = Arrays.stream(a).map(v -> Math.abs(v - median)).sorted().toArray();
    double scale = Math.max(1.4826 * middle(d), Math.max(1e-9, 0.4 * minDeviation));
    for (int i = 0; i < values.length; i++) {
      double deviation = values[i] - median;
      scores[i] =
          Math.abs(deviation) < minDeviation ? 0 : Math.max(-1e6, Math.min(1e6, deviation / scale));
    }
  }

  private static double middle(double[] a) {
    int h = a.length / 2;
    return a.length % 2 == 1 ? a[h] : (a[h - 1] + a[h]) / 2;
  }

  @Override
  public void forget(boolean[] members) {}

  @Override
  public Run copy() {
    return this;
  }
}
