package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.baselines.StreamScore;
import io.peerlens.baselines.WeekSlots;
import java.time.ZoneOffset;

/**
 * Peerlens: {@link StreamScore} of each metric, told how far the value is beyond the learned
 * bounds.
 *
 * @param once whether what goes on is told once (as NAB wants it) or as long as it lasts
 */
record Stream(boolean once) implements Scorer {

  @Override
  public String name() {
    return "Peerlens";
  }

  @Override
  public double[][] scores(Labelled series) {
    LearnedBounds bounds = new LearnedBounds(LearnedBounds.MINIMUM_RELATIVE);
    double[][] scores = new double[series.metrics().length][series.rows()];
    for (int m = 0; m < scores.length; m++) {
      double[] values = series.metrics()[m];
      double[] beyond =
          bounds.judge(series.seconds(), values, series.step(), Sensitivity.MEDIUM).beyond();
      StreamScore stream = new StreamScore(new WeekSlots(ZoneOffset.UTC));
      for (int i = 0; i < values.length; i++) {
        double score = stream.next(series.seconds()[i], values[i], beyond[i]);
        scores[m][i] = Double.isNaN(score) ? 0 : once ? score : stream.surprise();
      }
    }
    return scores;
  }
}
