package io.peerlens.benchmarks.learned;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Counts events, without point adjustment. A labelled stretch is found or missed once; a stretch
 * without label in which a detector speaks is one false event, and one more for every six hours
 * that it goes on, else who always speaks would find all for the price of a few. A detector that is
 * quiet for at most half an hour (three rows where they are farther apart) has not ended its event.
 * Two rows behind a labelled stretch still belong to it.
 */
final class EventScorer {

  /** Rows behind a labelled stretch that belong to it. */
  private static final int BEHIND = 2;

  private static final long QUIET = 1800;
  private static final int QUIET_ROWS = 3;
  private static final long LONG = 6 * 3600;

  /**
   * @param found labelled stretches that were found
   * @param missed those that were not
   * @param wrong false events
   */
  record Counts(int found, int missed, int wrong) {
    static final Counts NONE = new Counts(0, 0, 0);

    static Counts sum(List<Counts> counts) {
      return counts.stream().reduce(NONE, Counts::plus);
    }

    Counts plus(Counts other) {
      return new Counts(found + other.found, missed + other.missed, wrong + other.wrong);
    }

    Counts times(int n) {
      return new Counts(n * found, n * missed, n * wrong);
    }

    double precision() {
      return found + wrong == 0 ? 0 : (double) found / (found + wrong);
    }

    double recall() {
      return found + missed == 0 ? 0 : (double) found / (found + missed);
    }

    double f1() {
      return 2 * found + missed + wrong == 0 ? 0 : 2.0 * found / (2 * found + missed + wrong);
    }
  }

  private final Labelled series;
  private final long quiet;

  /** The labelled stretch of each row that belongs to one, or -1. */
  private final int[] of;

  /** Whether a stretch ends in the rows that are judged. */
  private final boolean[] counts;

  private final int labelled;

  EventScorer(Labelled series) {
    this.series = series;
    quiet = Math.max(QUIET, QUIET_ROWS * series.step());
    of = new int[series.rows()];
    Arrays.fill(of, -1);
    counts = new boolean[series.segments().length];
    int count = 0;
    for (int s = 0; s < counts.length; s++) {
      int[] segment = series.segments()[s];
      counts[s] = segment[1] >= series.judged();
      count += counts[s] ? 1 : 0;
      Arrays.fill(of, segment[0], Math.min(of.length, segment[1] + BEHIND + 1), s);
    }
    labelled = count;
  }

  /** Events of one recording where its scores are at or above a threshold. */
  static Counts count(Labelled series, double[] scores, double threshold) {
    return new EventScorer(series).count(scores, threshold);
  }

  /** Events of one recording in the rows in which a detector speaks. */
  static Counts count(Labelled series, boolean[] out) {
    return new EventScorer(series).count(out);
  }

  /** Events where scores are at or above a threshold. */
  Counts count(double[] scores, double threshold) {
    return count(row -> scores[row] >= threshold);
  }

  /** Events in the rows in which a detector speaks. */
  Counts count(boolean[] out) {
    return count(row -> out[row]);
  }

  private Counts count(IntPredicate out) {
    boolean[] found = new boolean[counts.length];
    int wrong = 0;
    long from = 0;
    long until = Long.MIN_VALUE;
    for (int i = series.judged(); i < of.length; i++) {
      if (!out.test(i)) {
        continue;
      }
      long at = series.seconds()[i];
      if (of[i] >= 0) {
        // What goes on behind a label that was found belongs to its event while it lasts.
        found[of[i]] = true;
        from = at;
      } else if (until == Long.MIN_VALUE || at - until > quiet || at - from >= LONG) {
        wrong++;
        from = at;
      }
      until = at;
    }
    int hits = 0;
    for (int s = 0; s < found.length; s++) {
      hits += found[s] && counts[s] ? 1 : 0;
    }
    return new Counts(hits, labelled - hits, wrong);
  }

  /**
   * Thresholds to try: scores that occur, from the one that a single row reaches down to the one
   * that every second row reaches, in steps of 7 % of the number of rows.
   */
  static double[] candidates(List<Labelled> series, List<double[]> scores) {
    double[] all =
        IntStream.range(0, series.size())
            .boxed()
            .flatMapToDouble(
                s -> Arrays.stream(scores.get(s), series.get(s).judged(), scores.get(s).length))
            .filter(v -> !Double.isNaN(v))
            .sorted()
            .toArray();
    DoubleStream.Builder candidates = DoubleStream.builder();
    for (double rank = 1; rank < all.length / 2.0; rank *= 1.07) {
      candidates.add(all[all.length - (int) rank]);
    }
    return candidates.build().distinct().toArray();
  }
}
