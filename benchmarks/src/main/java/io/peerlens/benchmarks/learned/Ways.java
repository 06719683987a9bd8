package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.learned.EventScorer.Counts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What a detector's scores give by every way of combining metrics and every threshold, for each
 * recording apart. So a way and a threshold can be chosen on some recordings and judged on others
 * without counting again.
 *
 * <p>Thresholds are tried in steps of 7 % of the number of rows above them, over the rows of all
 * recordings; labels play no part in that.
 */
final class Ways {

  private final List<Combination> ways;

  /** thresholds[way][candidate]. */
  private final double[][] thresholds;

  /** counts[way][candidate][recording]. */
  private final Counts[][][] counts;

  private final int recordings;

  /**
   * A choice.
   *
   * @param way how metrics are combined
   * @param threshold of the combined scores
   * @param counts of each recording
   */
  record Choice(Combination way, double threshold, List<Counts> counts) {}

  /**
   * @param series recordings
   * @param scores of each of them, a line for each metric or one line
   * @param ways to try
   */
  Ways(List<Labelled> series, List<double[][]> scores, List<Combination> ways) {
    this.ways = ways;
    recordings = series.size();
    thresholds = new double[ways.size()][];
    counts = new Counts[ways.size()][][];
    List<EventScorer> scorers = series.stream().map(EventScorer::new).toList();
    for (int w = 0; w < ways.size(); w++) {
      List<double[]> one = scores.stream().map(ways.get(w)::of).toList();
      thresholds[w] = EventScorer.candidates(series, one);
      counts[w] = new Counts[thresholds[w].length][recordings];
      for (int c = 0; c < thresholds[w].length; c++) {
        for (int s = 0; s < recordings; s++) {
          counts[w][c][s] = scorers.get(s).count(one.get(s), thresholds[w][c]);
        }
      }
    }
  }

  /**
   * The way and the threshold with the best F1 over some recordings, all events of them together.
   * Of thresholds that follow one another and are equally good the middle one is taken, of ways the
   * first.
   *
   * @param allowed ways that may be chosen
   * @param on recordings to choose on
   */
  Choice best(List<Combination> allowed, IntPredicate on) {
    return best(allowed, IntStream.range(0, recordings).map(s -> on.test(s) ? 1 : 0).toArray());
  }

  private Choice best(List<Combination> allowed, int[] times) {
    int way = -1;
    int first = -1;
    int last = -1;
    double most = -1;
    for (int w = 0; w < counts.length; w++) {
      for (int c = 0; allowed.contains(ways.get(w)) && c < counts[w].length; c++) {
        double f1 = f1(counts[w][c], times);
        if (f1 > most) {
          most = f1;
          way = w;
          first = c;
          last = c;
        } else if (f1 == most && w == way && c == last + 1) {
          last = c;
        }
      }
    }
    int candidate = (first + last) / 2;
    return new Choice(ways.get(way), thresholds[way][candidate], List.of(counts[way][candidate]));
  }

  private static double f1(Counts[] counts, int[] times) {
    int found = 0;
    int missed = 0;
    int wrong = 0;
    for (int s = 0; s < times.length; s++) {
      if (times[s] > 0) {
        found += times[s] * counts[s].found();
        missed += times[s] * counts[s].missed();
        wrong += times[s] * counts[s].wrong();
      }
    }
    return new Counts(found, missed, wrong).f1();
  }

  /**
   * Counts of each recording by what is best on others.
   *
   * @param allowed ways that may be chosen
   * @param others for each recording those to choose on
   * @param times how often each recording counts, in what it gives and in what is chosen by it
   */
  List<Counts> carriedOver(
      List<Combination> allowed, IntFunction<IntPredicate> others, int[] times) {
    List<Counts> all = new ArrayList<>();
    for (int s = 0; s < recordings; s++) {
      if (times[s] == 0) {
        all.add(Counts.NONE);
        continue;
      }
      IntPredicate on = others.apply(s);
      int[] weights = new int[recordings];
      Arrays.setAll(weights, other -> on.test(other) ? times[other] : 0);
      all.add(best(allowed, weights).counts().get(s).times(times[s]));
    }
    return all;
  }
}
