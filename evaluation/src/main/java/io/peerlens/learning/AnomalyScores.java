package io.peerlens.learning;

import static io.peerlens.learning.ObjectScorer.STEP;

import io.peerlens.baselines.StreamScore;
import io.peerlens.baselines.WeekSlots;
import io.peerlens.frame.Means;
import io.peerlens.learning.LearningQueries.Known;
import io.peerlens.learning.ObjectScorer.Period;
import io.peerlens.learning.UnusualPeriodStore.Carrier;
import io.peerlens.learning.UnusualPeriodStore.Unusual;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Anomaly score of an object as a whole: as {@link RunningScores} stores it, or computed from
 * history where it is not stored, as for the time before an object was scored. Thread-safe.
 */
final class AnomalyScores {

  /** Before what is scored, to learn from. */
  private static final Duration HISTORY = Duration.ofDays(14);

  /** A window is answered from what is stored if no more than an hour lacks at either end. */
  private static final int MOST_MISSING = (int) Duration.ofHours(1).dividedBy(STEP);

  /** Scores of a stream from here on tell that something began. */
  private static final double BEGAN = 0.5;

  /** What a metric began to do so long before a period belongs to it. */
  private static final Duration BEFORE = STEP.multipliedBy(2);

  private final UnusualPeriodStore periods;
  private final Means means;
  private final LearningProperties properties;

  AnomalyScores(UnusualPeriodStore periods, Means means, LearningProperties properties) {
    this.periods = periods;
    this.means = means;
    this.properties = properties;
  }

  /**
   * Scores of steps that follow one another.
   *
   * @param metrics of how many metrics they are made
   * @param first start of the first step
   * @param scores NaN = no metric has a value, or too little is known before it
   */
  record Scores(int metrics, Instant first, double[] scores, List<Unusual> periods) {

    Instant time(int step) {
      return first.plus(STEP.multipliedBy(step));
    }
  }

  /**
   * Scores of the steps that start in a window.
   *
   * @param keys metrics of the object
   */
  Scores score(Known object, List<String> keys, Instant from, Instant to) {
    long step = STEP.toMillis();
    Instant first = Instant.ofEpochMilli(Math.ceilDiv(from.toEpochMilli(), step) * step);
    int steps =
        Math.toIntExact(Math.max(0, Math.ceilDiv(Duration.between(first, to).toMillis(), step)));
    double[] stored = stored(object, first, steps);
    if (covers(stored)) {
      Instant end = first.plus(STEP.multipliedBy(steps));
      return new Scores(keys.size(), first, stored, periods.find(object.id(), first, end));
    }
    ObjectScorer scorer = new ObjectScorer(properties.zone());
    List<Unusual> unusual = new ArrayList<>();
    double[] scores = new double[steps];
    Instant begin = first.minus(HISTORY);
    double[][] values = values(object, keys, begin, (int) HISTORY.dividedBy(STEP) + steps);
    for (int i = 0; i < values.length; i++) {
      double score = scorer.next(begin.plus(STEP.multipliedBy(i)), values[i]);
      int at = i - values.length + steps;
      if (at >= 0) {
        scores[at] = score;
        add(unusual, scorer.ended(), keys, first, values);
      }
    }
    add(unusual, scorer.open(), keys, first, values);
    return new Scores(keys.size(), first, scores, unusual);
  }

  /**
   * Scorer of an object that has learned from what is stored.
   *
   * @param end of the last step that it knows
   */
  ObjectScorer learned(Known object, List<String> keys, Instant end) {
    ObjectScorer scorer = new ObjectScorer(properties.zone());
    Instant begin = end.minus(HISTORY);
    double[][] values = values(object, keys, begin, (int) HISTORY.dividedBy(STEP));
    for (int i = 0; i < values.length; i++) {
      scorer.next(begin.plus(STEP.multipliedBy(i)), values[i]);
    }
    return scorer;
  }

  private void add(
      List<Unusual> unusual,
      @Nullable Period period,
      List<String> keys,
      Instant first,
      double[][] values) {
    if (period != null && period.to().isAfter(first)) {
      List<Carrier> carriers = new ArrayList<>();
      for (int m : period.carriers()) {
        carriers.add(new Carrier(keys.get(m), began(values, m, first.minus(HISTORY), period)));
      }
      unusual.add(new Unusual(period.from(), period.to(), period.score(), carriers));
    }
  }

  /**
   * The same period with when each of its carriers began, from stored history.
   *
   * @param keys metrics of the object, as the period counts them
   */
  Unusual describe(Known object, List<String> keys, Period period) {
    List<String> named = period.carriers().stream().map(keys::get).toList();
    Instant begin = period.from().minus(HISTORY);
    int steps = (int) Duration.between(begin, period.to()).dividedBy(STEP);
    double[][] values = values(object, named, begin, steps);
    List<Carrier> carriers = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      carriers.add(new Carrier(named.get(i), began(values, i, begin, period)));
    }
    return new Unusual(period.from(), period.to(), period.score(), carriers);
  }

  /**
   * When a metric first did what is new for it in a period or shortly before.
   *
   * @param values of all metrics by step; to learn from, too
   * @param m which metric
   * @param begin start of the first step
   */
  private @Nullable Instant began(double[][] values, int m, Instant begin, Period period) {
    StreamScore stream = new StreamScore(new WeekSlots(properties.zone()));
    for (int i = 0; i < values.length; i++) {
      Instant step = begin.plus(STEP.multipliedBy(i));
      if (!step.isBefore(period.to())) {
        return null;
      }
      double told = stream.next(step.getEpochSecond(), values[i][m], 0);
      if (told >= BEGAN && !step.isBefore(period.from().minus(BEFORE))) {
        return step;
      }
    }
    return null;
  }

  /** What is stored has the time of the end of its step. */
  private double[] stored(Known object, Instant first, int steps) {
    double[][] values =
        values(object, List.of(UnusualPeriodStore.SCORE_KEY), first.plus(STEP), steps);
    return Arrays.stream(values).mapToDouble(row -> row[0]).toArray();
  }

  private static boolean covers(double[] stored) {
    int first = 0;
    while (first < stored.length && Double.isNaN(stored[first])) {
      first++;
    }
    int last = stored.length - 1;
    while (last >= first && Double.isNaN(stored[last])) {
      last--;
    }
    return last >= first && first <= MOST_MISSING && stored.length - 1 - last <= MOST_MISSING;
  }

  /** Means by step and key. */
  private double[][] values(Known object, List<String> keys, Instant first, int steps) {
    int[] one = {object.id()};
    double[][][] read =
        means
            .read(List.of(new Means.Wanted(object.kind(), keys, one)), first, steps, STEP)
            .getFirst();
    double[][] values = new double[steps][keys.size()];
    for (int m = 0; m < read.length; m++) {
      for (int i = 0; i < steps; i++) {
        values[i][m] = read[m][i][0];
      }
    }
    return values;
  }
}
