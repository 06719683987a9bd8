package io.peerlens.benchmarks.learned;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

    Counts plus(Counts other) {
      return new Counts(found + other.found, missed + other.missed, wrong + other.wrong);
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

  private EventScorer() {}

  /** Events of one recording where its scores are at or above a threshold. */
  static Counts count(Labelled series, double[] scores, double threshold) {
    boolean[] out = new boolean[scores.length];
    for (int i = series.judged(); i < scores.length; i++) {
      out[i] = scores[i] >= threshold;
    }
    return count(series, out);
  }

  /** Events of one recording in the rows in which a detector speaks. */
  static Counts count(Labelled series, boolean[] out) {
    long step = series.step();
    long quiet = Math.max(QUIET, QUIET_ROWS * step);
    int[] of = new int[out.length];
    Arrays.fill(of, -1);
    int labelled = 0;
    boolean[] counts = new boolean[series.segments().length];
    for (int s = 0; s < counts.length; s++) {
      int[] segment = series.segments()[s];
      counts[s] = segment[1] >= series.judged();
      labelled += counts[s] ? 1 : 0;
      for (int i = segment[0]; i <= Math.min(out.length - 1, segment[1] + BEHIND); i++) {
        of[i] = s;
      }
    }
    boolean[] found = new boolean[counts.length];
    int wrong = 0;
    long from = 0;
    long until = Long.MIN_VALUE;
    for (int i = series.judged(); i < out.length; i++) {
      if (of[i] >= 0) {
        found[of[i]] |= out[i];
        // What goes on behind a label that was found belongs to its event while it lasts.
        if (out[i]) {
          from = series.seconds()[i];
          until = series.seconds()[i];
        }
      } else if (out[i]) {
        long at = series.seconds()[i];
        if (until == Long.MIN_VALUE || at - until > quiet) {
          wrong++;
          from = at;
        } else if (at - from >= LONG) {
          wrong++;
          from = at;
        }
        until = at;
      }
    }
    int hits = 0;
    for (int s = 0; s < found.length; s++) {
      hits += found[s] && counts[s] ? 1 : 0;
    }
    return new Counts(hits, labelled - hits, wrong);
  }

  /** Counts over several recordings. */
  static Counts count(List<Labelled> series, List<double[]> scores, double threshold) {
    Counts sum = Counts.NONE;
    for (int s = 0; s < series.size(); s++) {
      sum = sum.plus(count(series.get(s), scores.get(s), threshold));
    }
    return sum;
  }

  /** The threshold with the best F1, among the scores that occur. */
  static double best(List<Labelled> series, List<double[]> scores) {
    List<Double> candidates = new ArrayList<>();
    double[] all =
        java.util.stream.IntStream.range(0, series.size())
            .boxed()
            .flatMapToDouble(
                s -> Arrays.stream(scores.get(s), series.get(s).judged(), scores.get(s).length))
            .filter(v -> !Double.isNaN(v))
            .sorted()
            .toArray();
    // From one row up to every second one, in steps of 7 %.
    int last = -1;
    for (double rank = 1; rank < all.length / 2.0; rank *= 1.07) {
      if ((int) rank != last) {
        last = (int) rank;
        candidates.add(all[all.length - last]);
      }
    }
    double threshold = Double.POSITIVE_INFINITY;
    double most = -1;
    for (double candidate : candidates) {
      double f1 = count(series, scores, candidate).f1();
      if (f1 > most) {
        most = f1;
        threshold = candidate;
      }
    }
    return threshold;
  }
}
