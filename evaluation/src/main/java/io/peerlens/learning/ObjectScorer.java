package io.peerlens.learning;

import io.peerlens.baselines.MetricScore;
import io.peerlens.baselines.ObjectScore;
import io.peerlens.baselines.Rareness;
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
 * Scoring of one object as a whole, one step of five minutes after the other: a {@link Rareness}
 * and a {@link MetricScore} of each of its metrics, an {@link ObjectScore} of these, and the
 * periods in which that is unusual with the metrics that carry it. Not thread-safe; 4.5 KB for a
 * metric.
 */
final class ObjectScorer {

  static final Duration STEP = Duration.ofMinutes(5);

  /** Memory of a metric, measured; {@link Rareness} is nearly all of it. */
  static final int BYTES_OF_METRIC = 4_500;

  /** More metrics of an object do not count. */
  static final int MOST_METRICS = 300;

  /** So many steps below the limit do not end a period: half an hour. */
  private static final int QUIET = 6;

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
   * Period in which the object is unusual.
   *
   * @param to end of the last step that is
   * @param score the highest
   * @param carriers indexes of the metrics that add most to the score, at most five, the one that
   *     adds most first
   */
  record Period(Instant from, Instant to, double score, List<Integer> carriers) {}

  private final class Metric {
    private final Rareness rareness = new Rareness(slots);
    private final MetricScore metric = new MetricScore();
  }

  /** A period that has not ended. */
  private static final class Open {
    private final Instant from;
    private double[] sums = {};
    private double[] pending = {};
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
      row[m] =
          metric.metric.next(values[m], metric.rareness.next(step.getEpochSecond(), values[m]));
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
    List<Integer> carriers =
        IntStream.range(0, of.sums.length)
            .filter(m -> of.sums[m] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer m) -> -of.sums[m]))
            .limit(NAMED)
            .toList();
    return new Period(of.from, of.to, of.score, carriers);
  }
}
