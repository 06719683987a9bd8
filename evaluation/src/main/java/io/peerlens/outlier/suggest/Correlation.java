package io.peerlens.outlier.suggest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Clusters of objects whose metrics move together. Each series is replaced by the ranks of its
 * values, so that spikes and scales do not matter; then what all series have in common, such as the
 * working day, is taken off, so that those that are left with something in common do the same work.
 * Two objects correlate as the mean over their metrics.
 *
 * <p>Costs the square of the number of objects; callers limit it.
 */
final class Correlation {

  /** So many common values two series need. */
  private static final int LEAST = 12;

  /** From this correlation on two objects are neighbours. */
  static final double NEIGHBOURS = 0.6;

  private static final int FEWEST = 3;
  private static final int MOST = 200;

  private Correlation() {}

  /**
   * Objects that move together.
   *
   * @param members places of the objects, ascending
   * @param correlation the median over all pairs
   */
  record Cluster(int[] members, double correlation) {}

  /**
   * Clusters of objects; each is in one at most.
   *
   * @param values {@code [metric][moment][object]}, NaN = none; not changed
   */
  static List<Cluster> clusters(double[][][] values) {
    int objects = values.length == 0 || values[0].length == 0 ? 0 : values[0][0].length;
    float[][] matrix = matrix(values, objects);
    boolean[] used = new boolean[objects];
    List<Cluster> clusters = new ArrayList<>();
    while (true) {
      int[] best = densest(matrix, used);
      if (best.length < FEWEST) {
        break;
      }
      double correlation = median(matrix, best);
      if (correlation >= NEIGHBOURS) {
        clusters.add(new Cluster(best, correlation));
      }
      for (int member : best) {
        used[member] = true;
      }
    }
    clusters.sort(
        Comparator.comparingDouble((Cluster cluster) -> -cluster.correlation())
            .thenComparing(cluster -> cluster.members()[0]));
    return clusters;
  }

  /** The mean correlation of each pair; 0 = they have too little in common to say. */
  private static float[][] matrix(double[][][] values, int objects) {
    float[][] sum = new float[objects][objects];
    int[][] counts = new int[objects][objects];
    for (double[][] metric : values) {
      float[][] series = residuals(metric, objects);
      IntStream.range(0, objects)
          .parallel()
          .forEach(
              i -> {
                for (int j = 0; j < i; j++) {
                  double r = pearson(series[i], series[j]);
                  if (!Double.isNaN(r)) {
                    sum[i][j] += (float) r;
                    counts[i][j]++;
                  }
                }
              });
    }
    for (int i = 0; i < objects; i++) {
      for (int j = 0; j < i; j++) {
        float mean = counts[i][j] == 0 ? 0 : sum[i][j] / counts[i][j];
        sum[i][j] = mean;
        sum[j][i] = mean;
      }
    }
    return sum;
  }

  /** Ranks of each series from -1 to 1, less the median rank of all series at the moment. */
  private static float[][] residuals(double[][] metric, int objects) {
    int moments = metric.length;
    float[][] ranks = new float[objects][moments];
    for (int i = 0; i < objects; i++) {
      int object = i;
      Arrays.fill(ranks[i], Float.NaN);
      Integer[] order =
          IntStream.range(0, moments)
              .filter(t -> !Double.isNaN(metric[t][object]))
              .boxed()
              .sorted(Comparator.comparingDouble(t -> metric[t][object]))
              .toArray(Integer[]::new);
      int n = order.length;
      for (int from = 0; from < n; ) {
        int to = from;
        while (to < n && metric[order[to]][object] == metric[order[from]][object]) {
          to++;
        }
        float rank = n < 2 ? 0 : (from + to - 1f) / (n - 1) - 1;
        for (int k = from; k < to; k++) {
          ranks[i][order[k]] = rank;
        }
        from = to;
      }
    }
    double[] column = new double[objects];
    for (int t = 0; t < moments; t++) {
      int n = 0;
      for (int i = 0; i < objects; i++) {
        if (!Float.isNaN(ranks[i][t])) {
          column[n++] = ranks[i][t];
        }
      }
      Arrays.sort(column, 0, n);
      float middle = n == 0 ? 0 : (float) ((column[(n - 1) / 2] + column[n / 2]) / 2);
      for (int i = 0; i < objects; i++) {
        ranks[i][t] -= middle;
      }
    }
    return ranks;
  }

  private static double pearson(float[] a, float[] b) {
    double sa = 0;
    double sb = 0;
    double saa = 0;
    double sbb = 0;
    double sab = 0;
    int n = 0;
    for (int t = 0; t < a.length; t++) {
      float x = a[t];
      float y = b[t];
      if (!Float.isNaN(x) && !Float.isNaN(y)) {
        sa += x;
        sb += y;
        saa += x * x;
        sbb += y * y;
        sab += x * y;
        n++;
      }
    }
    double va = saa - sa * sa / n;
    double vb = sbb - sb * sb / n;
    return n < LEAST || va <= 1e-9 || vb <= 1e-9
        ? Double.NaN
        : (sab - sa * sb / n) / Math.sqrt(va * vb);
  }

  /** The object with the most neighbours, and those of them that most of the others are near to. */
  private static int[] densest(float[][] matrix, boolean[] used) {
    int seed = -1;
    int most = FEWEST - 2;
    for (int i = 0; i < matrix.length; i++) {
      int count = 0;
      for (int j = 0; j < matrix.length && !used[i]; j++) {
        count += j != i && !used[j] && matrix[i][j] >= NEIGHBOURS ? 1 : 0;
      }
      if (count > most) {
        most = count;
        seed = i;
      }
    }
    if (seed < 0) {
      return new int[0];
    }
    int centre = seed;
    int[] near =
        IntStream.range(0, matrix.length)
            .filter(j -> j == centre || !used[j] && matrix[centre][j] >= NEIGHBOURS)
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer j) -> j == centre ? -2 : -matrix[centre][j]))
            .limit(MOST)
            .mapToInt(Integer::intValue)
            .toArray();
    int[] kept =
        Arrays.stream(near)
            .filter(
                i ->
                    2
                            * Arrays.stream(near)
                                .filter(j -> j == i || matrix[i][j] >= NEIGHBOURS)
                                .count()
                        > near.length)
            .sorted()
            .toArray();
    return kept.length < FEWEST ? Arrays.stream(near).sorted().toArray() : kept;
  }

  private static double median(float[][] matrix, int[] members) {
    double[] pairs = new double[members.length * (members.length - 1) / 2];
    int n = 0;
    for (int a = 0; a < members.length; a++) {
      for (int b = 0; b < a; b++) {
        pairs[n++] = matrix[members[a]][members[b]];
      }
    }
    Arrays.sort(pairs);
    return (pairs[(n - 1) / 2] + pairs[n / 2]) / 2;
  }
}
