package io.peerlens.outlier.preview;

import io.peerlens.outlier.explain.AttributeQueries.Attribute;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Test whether members are of two sorts by what is usual for each, and which attribute tells the
 * sorts apart.
 */
final class Parting {

  /** The smaller band has at least this part of the members; fewer are outliers, not a sort. */
  private static final double SMALLER = 0.25;

  /** The gap between bands is at least so many times as wide as a band's own spread. */
  private static final double GAP = 4;

  /** An attribute that parts the bands may be wrong about this part of the members. */
  private static final double WRONG = 0.05;

  private Parting() {}

  /**
   * Tells bands apart.
   *
   * @param usual what is usual for each member; NaN = it has no values
   * @param least differences below this matter to nobody
   * @return for each member whether it is in the upper band; null = there is one band
   */
  static boolean @Nullable [] bands(double[] usual, double least) {
    double[] sorted = Arrays.stream(usual).filter(Double::isFinite).sorted().toArray();
    int n = sorted.length;
    int least2 = Math.max(2, (int) Math.ceil(SMALLER * n));
    double widest = 0;
    int at = -1;
    for (int i = least2; i <= n - least2; i++) {
      double gap = sorted[i] - sorted[i - 1];
      if (gap > widest) {
        widest = gap;
        at = i;
      }
    }
    if (at < 0 || widest < least) {
      return null;
    }
    double within = Math.max(spread(sorted, 0, at), spread(sorted, at, n));
    if (widest < GAP * within) {
      return null;
    }
    double border = (sorted[at - 1] + sorted[at]) / 2;
    boolean[] upper = new boolean[usual.length];
    for (int i = 0; i < usual.length; i++) {
      upper[i] = usual[i] > border;
    }
    return upper;
  }

  /** The mean distance between neighbours of a band, of its middle half where it is large. */
  private static double spread(double[] sorted, int from, int to) {
    int n = to - from;
    int cut = n / 4;
    double low = sorted[from + cut];
    double high = sorted[to - 1 - cut];
    return (high - low) / Math.max(1, Math.sqrt(n));
  }

  /**
   * The attribute whose values tell the bands apart, with the fewest values.
   *
   * @param ids of members, in the order of the bands
   */
  static @Nullable Attribute by(
      boolean[] upper, int[] ids, Map<Attribute, Map<Integer, String>> attributes) {
    return attributes.entrySet().stream()
        .filter(entry -> parts(upper, ids, entry.getValue()))
        .min(
            Comparator.comparingInt(
                    (Map.Entry<Attribute, Map<Integer, String>> entry) ->
                        new TreeSet<>(entry.getValue().values()).size())
                .thenComparing(entry -> entry.getKey().kind().ordinal() == 1 ? 0 : 1)
                .thenComparing(entry -> entry.getKey().key()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  /** Whether nearly every member is where most of those with its value are. */
  private static boolean parts(boolean[] upper, int[] ids, Map<Integer, String> values) {
    Map<String, int[]> counts = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      int[] both = counts.computeIfAbsent(values.getOrDefault(ids[i], ""), v -> new int[2]);
      both[upper[i] ? 1 : 0]++;
    }
    // With a value for each member anything could be told apart.
    if (counts.size() < 2 || counts.size() > Math.max(2, ids.length / 2)) {
      return false;
    }
    int wrong = counts.values().stream().mapToInt(both -> Math.min(both[0], both[1])).sum();
    return wrong <= WRONG * ids.length;
  }
}
