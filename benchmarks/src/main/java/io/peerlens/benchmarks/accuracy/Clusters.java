package io.peerlens.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Bootstrap of places in groups (Davison and Hinkley, Bootstrap Methods and their Application,
 * 1997, section 3.8): groups are drawn with replacement, and of each that is drawn its places,
 * because what happens in one group is not independent. Seeded; all detectors have the same
 * samples, so differences are of pairs.
 */
final class Clusters {

  static final int SAMPLES = 500;

  private final int[][] times = new int[SAMPLES][];

  /**
   * The middle 95 % of the samples.
   *
   * @param low the 2.5th percentile
   * @param high the 97.5th
   */
  record Interval(double low, double high) {

    /** With two decimals, and signs if it is of a difference. */
    String text(boolean signs) {
      return String.format(signs ? "%+.2f to %+.2f" : "%.2f to %.2f", low, high);
    }
  }

  /**
   * @param groupOf the group of each place
   * @param groups to draw from; of one that is in no place nothing is taken. Which are drawn
   *     depends on these alone, so sets of places in the same groups have the same groups in a
   *     sample
   * @param salt of the seed by which places are drawn
   */
  Clusters(List<String> groupOf, Collection<String> groups, String salt) {
    Map<String, List<Integer>> placesOf = new HashMap<>();
    for (int p = 0; p < groupOf.size(); p++) {
      placesOf.computeIfAbsent(groupOf.get(p), k -> new ArrayList<>()).add(p);
    }
    List<String> all = List.copyOf(new TreeSet<>(groups));
    Random group = new Random(all.hashCode());
    Random place = new Random(salt.hashCode());
    for (int s = 0; s < SAMPLES; s++) {
      times[s] = new int[groupOf.size()];
      for (int g = 0; g < all.size(); g++) {
        List<Integer> places = placesOf.getOrDefault(all.get(group.nextInt(all.size())), List.of());
        for (int p = 0; p < places.size(); p++) {
          times[s][places.get(place.nextInt(places.size()))]++;
        }
      }
    }
  }

  /** A statistic of each sample, given how often each place is in it. */
  double[] samples(ToDoubleFunction<int[]> statistic) {
    return Arrays.stream(times).mapToDouble(statistic).toArray();
  }

  static Interval interval(double[] samples) {
    double[] sorted = Arrays.stream(samples).filter(s -> !Double.isNaN(s)).sorted().toArray();
    return sorted.length == 0
        ? new Interval(Double.NaN, Double.NaN)
        : new Interval(
            sorted[(int) (0.025 * sorted.length)],
            sorted[(int) Math.ceil(0.975 * sorted.length) - 1]);
  }

  static double[] difference(double[] a, double[] b) {
    double[] d = new double[a.length];
    Arrays.setAll(d, i -> a[i] - b[i]);
    return d;
  }

  /** The mean of samples that belong together. */
  static double[] mean(List<double[]> samples) {
    double[] mean = new double[SAMPLES];
    for (double[] one : samples) {
      for (int s = 0; s < mean.length; s++) {
        mean[s] += one[s] / samples.size();
      }
    }
    return mean;
  }
}
