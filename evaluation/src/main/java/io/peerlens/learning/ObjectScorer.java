package io.peerlens.learning;

import io.peerlens.baselines.MetricScore;
import io.peerlens.baselines.ObjectScore;
import io.peerlens.baselines.StreamScore;
import io.peerlens.baselines.WeekSlots;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Scoring of one object as a whole, one step of five minutes after the other: a {@link StreamScore}
 * and a {@link MetricScore} of each of its metrics, an {@link ObjectScore} of these, and the
 * periods in which that is unusual with the metrics that carry it. Not thread-safe; 11 KB for a
 * metric.
 */
final class ObjectScorer {

  static final Duration STEP = Duration.ofMinutes(5);

  /** Memory of a metric, measured; {@link StreamScore} is nearly all of it. */
  static final int BYTES_OF_METRIC = 14_000;

  /** More metrics of an object do not count. */
  static final int MOST_METRICS = 300;

  /** So many steps below the limit do not end a period: half an hour. */
  private static final int QUIET = 6;

  /** What a metric began to do so long before a period belongs to it. */
  private static final Duration BEFORE = STEP.multipliedBy(2);

  /** Scores of a stream from here on tell that something began. */
  private static final double BEGAN = 0.5;

  private static final int NAMED = 5;

  private final WeekSlots slots;
  private final ObjectScore object = new ObjectScore();
  private final List<Metric> metrics = new ArrayList<>();
  private double[] row = {};
  private int known;
  private @Nullable Open open;
  private @Nullable Period ended;

  ObjectScorer(ZoneId zone) {
    slots = new WeekSlots(zone);
  }

  /**
   * Metric that adds to the score in a period.
   *
   * @param index of the metric
   * @param began when it first did what is new for it, by {@link StreamScore#next}; null = it does
   *     more of what it did before
   */
  record Carrier(int index, @Nullable Instant began) {}

  /**
   * Period in which the object is unusual.
   *
   * @param to end of the last step that is
   * @param score the highest
   * @param carriers metrics that add most to the score, at most five, the one that adds most first
   */
  record Period(Instant from, Instant to, double score, List<Carrier> carriers) {}

  private final class Metric {
    private final StreamScore stream = new StreamScore(slots);
    private final MetricScore metric = new MetricScore();
    private @Nullable Instant began;
  }

  /** A period that has not ended. */
  private static final class Open {
    private final Instant from;
    private double[] sums = {};
    private double[] pending = {};
    private @Nullable Instant[] began = {};
    private Instant to;
    private double score;
    private int quiet;

    Open(Instant from) {
      this.from = from;
      this.to = from;
    }

    void grow(int metrics) {
      sums = Arrays.copyOf(sums, metrics);
      pending = Arrays.copyOf(pending, metrics);
      began = Arrays.copyOf(began, metrics);
    }
  }

  /** How many metrics there are. */
  int size() {
    return metrics.size();
  }

  /**
   * Scores the values of a step and learns from them. Steps ascend; missing ones are passed over.
   *
   * @param step start of the five minutes
   * @param values mean of each metric over them, NaN = none; longer than before where there are new
   *     metrics
   * @return NaN = no metric has a value, or too little is known before it
   */
  double next(Instant step, double[] values) {
    while (metrics.size() < values.length) {
      metrics.add(new Metric());
    }
    row = row.length == values.length ? row : new double[values.length];
    for (int m = 0; m < values.length; m++) {
      Metric metric = metrics.get(m);
      double told = metric.stream.next(step.getEpochSecond(), values[m], 0);
      row[m] = metric.metric.next(values[m], metric.stream.rareness());
      if (told >= BEGAN) {
        metric.began = step;
      }
    }
    double score = object.next(row);
    known += Double.isNaN(score) ? 0 : 1;
    double usable = known > ObjectScore.FEWEST ? score : Double.NaN;
    follow(step, usable);
    return usable;
  }

  private void follow(Instant step, double score) {
    ended = null;
    boolean unusual = score >= ObjectScore.UNUSUAL;
    if (open == null) {
      if (!unusual) {
        return;
      }
      open = new Open(step);
    }
    Open now = open;
    if (now.sums.length < row.length) {
      now.grow(row.length);
    }
    for (int m = 0; m < row.length; m++) {
      now.pending[m] += Double.isNaN(row[m]) ? 0 : row[m];
      Instant began = metrics.get(m).began;
      if (now.began[m] == null && began != null && !began.isBefore(now.from.minus(BEFORE))) {
        now.began[m] = began;
      }
    }
    if (unusual) {
      for (int m = 0; m < row.length; m++) {
        now.sums[m] += now.pending[m];
        now.pending[m] = 0;
      }
      now.to = step.plus(STEP);
      now.score = Math.max(now.score, score);
      now.quiet = 0;
    } else if (++now.quiet > QUIET) {
      ended = period(now);
      open = null;
    }
  }

  /** The period that is open after the last step; null = none. */
  @Nullable Period open() {
    return open == null ? null : period(open);
  }

  /** The period that the last step ended; null = none. */
  @Nullable Period ended() {
    return ended;
  }

  private static Period period(Open of) {
    List<Carrier> carriers =
        IntStream.range(0, of.sums.length)
            .filter(m -> of.sums[m] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer m) -> -of.sums[m]))
            .limit(NAMED)
            .map(m -> new Carrier(m, of.began[m]))
            .toList();
    return new Period(of.from, of.to, of.score, carriers);
  }
}
