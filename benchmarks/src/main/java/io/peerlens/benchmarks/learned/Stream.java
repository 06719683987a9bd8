package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.MetricScore;
import io.peerlens.baselines.ObjectScore;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.baselines.StreamScore;
import io.peerlens.baselines.WeekSlots;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * Peerlens: of a single series {@link StreamScore}, told how far the value is beyond the learned
 * bounds; of the metrics of a machine {@link ObjectScore}.
 *
 * @param once whether what was told already counts less, or a value is scored by how new it is,
 *     whether or not that was told before
 */
record Stream(boolean once) implements Scorer {

  @Override
  public String name() {
    return "Peerlens";
  }

  @Override
  public boolean ours() {
    return true;
  }

  @Override
  public double[][] scores(Labelled series) {
    return new double[][] {
      series.metrics().length == 1 ? single(series, series.metrics()[0]) : machine(series)
    };
  }

  /** Scores of a machine from here on are unusual, as it is shipped. */
  double unusual() {
    return ObjectScore.UNUSUAL;
  }

  private double[] single(Labelled series, double[] values) {
    double[] beyond =
        new LearnedBounds(LearnedBounds.MINIMUM_RELATIVE)
            .judge(series.seconds(), values, series.step(), Sensitivity.MEDIUM)
            .beyond();
    StreamScore stream = new StreamScore(new WeekSlots(ZoneOffset.UTC));
    double[] scores = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      double told = stream.next(series.seconds()[i], values[i], beyond[i]);
      double score = once ? told : stream.novelty();
      scores[i] = Double.isNaN(score) ? 0 : score;
    }
    return scores;
  }

  private static double[] machine(Labelled series) {
    StreamScore[] streams = new StreamScore[series.metrics().length];
    Arrays.setAll(streams, m -> new StreamScore(new WeekSlots(ZoneOffset.UTC)));
    MetricScore[] metrics = new MetricScore[streams.length];
    Arrays.setAll(metrics, m -> new MetricScore());
    ObjectScore object = new ObjectScore();
    double[] off = new double[streams.length];
    double[] scores = new double[series.rows()];
    for (int i = 0; i < scores.length; i++) {
      for (int m = 0; m < streams.length; m++) {
        double value = series.metrics()[m][i];
        streams[m].next(series.seconds()[i], value, 0);
        off[m] = metrics[m].next(value, streams[m].rareness());
      }
      double score = object.next(off);
      scores[i] = Double.isNaN(score) ? 0 : score;
    }
    return scores;
  }
}
