package io.peerlens.benchmarks.learned;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * Percentile bootstrap over clusters (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
 * chapter 13): whole files or machines are drawn with replacement, as many of each set as there
 * are, because what happens on one of them is not independent. Samples are the same for all that is
 * compared, so a difference is one of pairs. The seed is fixed.
 */
final class Bootstrap {

  static final int SAMPLES = 1000;

  private static final long SEED = 20261127;

  /** How often each cluster is in each sample: times[sample][cluster]. */
  private final int[][] times = new int[SAMPLES][];

  /**
   * The middle 95 % of the samples.
   *
   * @param low the 2.5th percentile
   * @param high the 97.5th
   */
  record Interval(double low, double high) {

    String text(String format) {
      return String.format(format + " to " + format, low, high);
    }
  }

  /**
   * How far one is ahead of another.
   *
   * @param value over all clusters
   * @param interval of the same over samples
   */
  record Lead(double value, Interval interval) {

    /**
     * @param format of a number, with its sign
     */
    String text(String format) {
      return String.format(format, value) + " (" + interval.text(format) + ")";
    }
  }

  /**
   * @param sets the set of each cluster
   */
  Bootstrap(List<String> sets) {
    Random random = new Random(SEED);
    int[][] of = new int[sets.size()][];
    for (int c = 0; c < of.length; c++) {
      String set = sets.get(c);
      of[c] =
          java.util.stream.IntStream.range(0, of.length)
              .filter(other -> sets.get(other).equals(set))
              .toArray();
    }
    for (int s = 0; s < SAMPLES; s++) {
      times[s] = new int[of.length];
      for (int[] same : of) {
        times[s][same[random.nextInt(same.length)]]++;
      }
    }
  }

  /**
   * A statistic of each sample.
   *
   * @param statistic of clusters, given how often each of them counts
   */
  double[] samples(ToDoubleFunction<int[]> statistic) {
    return Arrays.stream(times).mapToDouble(statistic).toArray();
  }

  /** How often each cluster is in each sample: [sample][cluster]. */
  List<int[]> times() {
    return List.of(times);
  }

  static Interval interval(double[] samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return new Interval(
        sorted[(int) (0.025 * sorted.length)], sorted[(int) Math.ceil(0.975 * sorted.length) - 1]);
  }

  /** The interval of the difference of two statistics over the same samples. */
  static Interval difference(double[] a, double[] b) {
    double[] differences = new double[a.length];
    Arrays.setAll(differences, s -> a[s] - b[s]);
    return interval(differences);
  }
}
