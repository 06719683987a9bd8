package io.peerlens.learning;

import io.peerlens.baselines.MetricScore;
import io.peerlens.baselines.ObjectScore;
import io.peerlens.baselines.StreamScore;
import io.peerlens.baselines.WeekSlots;
import io.peerlens.frame.Means;
import io.peerlens.learning.LearningQueries.Known;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Anomaly score of an object as a whole, from its stored history: a {@link StreamScore} and a
 * {@link MetricScore} of each of its metrics, and an {@link ObjectScore} of these. Nothing of it is
 * kept. Thread-safe.
 */
final class AnomalyScores {

  /** Before the window, to learn from. */
  static final Duration HISTORY = Duration.ofDays(14);

  private static final Duration STEP = Duration.ofMinutes(5);

  /** So many steps below the limit do not end a stretch: half an hour. */
  private static final int QUIET = 6;

  private static final int MOST_METRICS = 300;
  private static final int NAMED = 5;

  private final LearningQueries queries;
  private final Means means;
  private final ZoneId zone;

  AnomalyScores(LearningQueries queries, Means means, LearningProperties properties) {
    this.queries = queries;
    this.means = means;
    this.zone = properties.zone();
  }

  /**
   * Stretch of time in which an object was unusual.
   *
   * @param score the highest
   * @param keys metrics that add most to the score, at most five
   */
  record Stretch(Instant from, Instant to, double score, List<String> keys) {}

  /**
   * Scores of steps that follow one another.
   *
   * @param metrics of how many metrics they are made
   * @param first start of the first step
   * @param scores NaN = no metric has a value, or too little is known before it
   */
  record Scores(int metrics, Instant first, double[] scores, List<Stretch> stretches) {

    Instant time(int step) {
      return first.plus(STEP.multipliedBy(step));
    }
  }

  /** Scores of the steps that start in a window. */
  Scores score(Known object, Instant from, Instant to) {
    long step = STEP.toMillis();
    Instant first = Instant.ofEpochMilli(Math.ceilDiv(from.toEpochMilli(), step) * step);
    int steps =
        Math.toIntExact(Math.max(0, Math.ceilDiv(Duration.between(first, to).toMillis(), step)));
    int before = (int) HISTORY.dividedBy(STEP);
    List<String> keys = queries.keys(object.id(), MOST_METRICS);
    int[] one = {object.id()};
    double[][][] values =
        means
            .read(
                List.of(new Means.Wanted(object.kind(), keys, one)),
                first.minus(HISTORY),
                before + steps,
                STEP)
            .getFirst();
    float[][] metrics = new float[keys.size()][];
    for (int m = 0; m < metrics.length; m++) {
      metrics[m] = metric(values[m], first.minus(HISTORY));
    }
    double[] scores = scores(metrics, before + steps);
    double[] wanted = Arrays.copyOfRange(scores, before, scores.length);
    return new Scores(keys.size(), first, wanted, stretches(first, wanted, keys, metrics, before));
  }

  /** What one metric adds in each step. */
  private float[] metric(double[][] values, Instant first) {
    StreamScore stream = new StreamScore(new WeekSlots(zone));
    MetricScore metric = new MetricScore();
    float[] scores = new float[values.length];
    long seconds = first.getEpochSecond();
    for (int i = 0; i < values.length; i++) {
      stream.next(seconds, values[i][0], 0);
      scores[i] = (float) metric.next(values[i][0], stream.rareness());
      seconds += STEP.toSeconds();
    }
    return scores;
  }

  private static double[] scores(float[][] metrics, int steps) {
    ObjectScore object = new ObjectScore();
    double[] row = new double[metrics.length];
    double[] scores = new double[steps];
    int known = 0;
    for (int i = 0; i < steps; i++) {
      for (int m = 0; m < row.length; m++) {
        row[m] = metrics[m][i];
      }
      double score = object.next(row);
      known += Double.isNaN(score) ? 0 : 1;
      scores[i] = known > ObjectScore.FEWEST ? score : Double.NaN;
    }
    return scores;
  }

  private static List<Stretch> stretches(
      Instant first, double[] scores, List<String> keys, float[][] metrics, int before) {
    List<Stretch> stretches = new ArrayList<>();
    int from = -1;
    int last = -1;
    for (int i = 0; i <= scores.length; i++) {
      boolean unusual = i < scores.length && scores[i] >= ObjectScore.UNUSUAL;
      if (from >= 0 && (i == scores.length || i - last > QUIET)) {
        int end = last + 1;
        stretches.add(
            new Stretch(
                first.plus(STEP.multipliedBy(from)),
                first.plus(STEP.multipliedBy(end)),
                Arrays.stream(scores, from, end).filter(s -> !Double.isNaN(s)).max().orElseThrow(),
                farthest(keys, metrics, before + from, before + end)));
        from = -1;
      }
      if (unusual) {
        from = from < 0 ? i : from;
        last = i;
      }
    }
    return stretches;
  }

  private static List<String> farthest(List<String> keys, float[][] metrics, int from, int end) {
    double[] sums = new double[keys.size()];
    for (int m = 0; m < sums.length; m++) {
      for (int i = from; i < end; i++) {
        sums[m] += Float.isNaN(metrics[m][i]) ? 0 : metrics[m][i];
      }
    }
    return IntStream.range(0, sums.length)
        .filter(m -> sums[m] > 0)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer m) -> -sums[m]))
        .limit(NAMED)
        .map(keys::get)
        .toList();
  }
}
