package io.peerlens.benchmarks.accuracy;

import java.util.Arrays;

/** The textbook: (x - median) / (1.4826 MAD) in each bucket, nothing of the past. */
record RobustZ(double minDeviation) implements Detector, Detector.Run {

  RobustZ() {
    this(0);
  }

  @Override
  public String name() {
    return "robust z";
  }

  @Override
  public Run start(Trace trace) {
    return new RobustZ(trace.minDeviation());
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
    double scale = Math.max(1.4826 * middle(d), 1e-9);
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
