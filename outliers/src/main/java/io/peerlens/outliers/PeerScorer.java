package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Scores by distance from the group's median in robust deviations with floors. */
final class PeerScorer implements Scorer {

  private final Settings.Metric metric;
  private final Scale scale;
  private double[] y;
  private double[] sorted;

  PeerScorer(boolean interchangeable, Settings settings, Settings.Metric metric, int members) {
    this.metric = metric;
    scale = metric.transform() == Transform.LOG ? new Scale(metric.unitFloor()) : Scale.LINEAR;
    y = new double[members];
    sorted = new double[members];
  }

  @Override
  public void members(int[] from) {
    y = new double[from.length];
    sorted = new double[from.length];
  }

  @Override
  public void score(long bucket, double[] values, boolean[] expected, Judgement.Column to) {
    int n = 0;
    for (int i = 0; i < values.length; i++) {
      y[i] = scale.of(values[i]);
      if (!Double.isNaN(y[i])) {
        sorted[n++] = y[i];
      }
    }
    to.scale = scale;
    if (n < 3) {
      to.state = n == 0 ? GroupState.NO_DATA : GroupState.TOO_FEW;
      return;
    }
    double centre = Robust.median(sorted, n);
    double mad = Robust.MAD_FACTOR * Robust.medianDistanceOfSorted(sorted, n, centre);
    double floor =
        Math.max(
            Math.max(metric.minDeviation() / Settings.MEDIUM, 0.05 * Math.abs(centre)), 1e-9);
    double spread = Math.max(mad, floor);
    to.state = GroupState.JUDGED;
    to.judged = n;
    to.centre = centre;
    to.spread = spread;
    for (int i = 0; i < values.length; i++) {
      if (Double.isNaN(y[i])) {
        continue;
      }
      to.expected[i] = centre;
      to.up[i] = spread;
      to.down[i] = spread;
      to.score[i] = (y[i] - centre) / spread;
      to.floor[i] = floor >= mad;
      to.ratio[i] =
          metric.minDeviation() > 0
              ? Math.abs(values[i] - scale.back(centre)) / metric.minDeviation()
              : Double.POSITIVE_INFINITY;
    }
  }

  @Override
  public void save(DataOutput out) throws IOException {}

  @Override
  public void restore(DataInput in) throws IOException {}
}
