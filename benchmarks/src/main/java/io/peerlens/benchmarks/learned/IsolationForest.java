package io.peerlens.benchmarks.learned;

import java.util.Random;

/**
 * Isolation forest (Liu, Ting and Zhou, ICDM 2008): 100 trees on 256 rows each. For a machine, a
 * row is its metrics, and the forest is grown once, on what is for learning. For a single series, a
 * row is the last eight values, and the forest is grown again every 500 rows on all before.
 */
final class IsolationForest implements Scorer {

  private static final int TREES = 100;
  private static final int SAMPLE = 256;
  private static final int WINDOW = 8;
  private static final int EVERY = 500;
  private static final long SEED = 20261122;

  @Override
  public String name() {
    return "isolation forest";
  }

  @Override
  public double[][] scores(Labelled series) {
    int rows = series.rows();
    double[] scores = new double[rows];
    boolean single = series.metrics().length == 1;
    double[][] points = new double[rows][];
    for (int i = 0; i < rows; i++) {
      points[i] = single ? last(series.metrics()[0], i) : row(series.metrics(), i);
    }
    Random random = new Random(SEED ^ series.name().hashCode());
    Forest forest = new Forest(points, series.judged(), random);
    for (int i = series.judged(); i < rows; i++) {
      if (single && (i - series.judged()) % EVERY == EVERY - 1) {
        forest = new Forest(points, i, random);
      }
      scores[i] = forest.score(points[i]);
    }
    return new double[][] {scores};
  }

  private static double[] last(double[] values, int row) {
    double[] point = new double[WINDOW];
    for (int k = 0; k < WINDOW; k++) {
      point[k] = value(values[Math.max(0, row - k)]);
    }
    return point;
  }

  private static double[] row(double[][] metrics, int row) {
    double[] point = new double[metrics.length];
    for (int m = 0; m < point.length; m++) {
      point[m] = value(metrics[m][row]);
    }
    return point;
  }

  private static double value(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /** Mean length of a search that finds nothing among n. */
  private static double unsuccessful(int n) {
    return n < 2 ? 0 : n == 2 ? 1 : 2 * (Math.log(n - 1) + 0.5772156649) - 2.0 * (n - 1) / n;
  }

  /** Trees as arrays: at each node a dimension and a cut, or a leaf with its depth. */
  private static final class Forest {
    private final int[][] dimension = new int[TREES][];
    private final double[][] cut = new double[TREES][];
    private final int[][] right = new int[TREES][];
    private final double normal;
    private int nodes;

    Forest(double[][] points, int count, Random random) {
      int sample = Math.min(SAMPLE, count);
      int limit = (int) Math.ceil(Math.log(Math.max(2, sample)) / Math.log(2));
      normal = unsuccessful(sample);
      for (int t = 0; t < TREES; t++) {
        double[][] chosen = new double[sample][];
        for (int k = 0; k < sample; k++) {
          chosen[k] = points[random.nextInt(count)];
        }
        dimension[t] = new int[4 * SAMPLE];
        cut[t] = new double[4 * SAMPLE];
        right[t] = new int[4 * SAMPLE];
        nodes = 0;
        grow(t, chosen, 0, sample, 0, limit, random);
      }
    }

    private int grow(
        int t, double[][] p, int from, int until, int depth, int limit, Random random) {
      int node = nodes++;
      int d = until - from < 2 || depth >= limit ? -1 : dimension(p, from, until, random);
      dimension[t][node] = d;
      if (d < 0) {
        cut[t][node] = depth + unsuccessful(until - from);
        return node;
      }
      double low = p[from][d];
      double high = low;
      for (int i = from; i < until; i++) {
        low = Math.min(low, p[i][d]);
        high = Math.max(high, p[i][d]);
      }
      double at = low + random.nextDouble() * (high - low);
      int middle = from;
      for (int i = from; i < until; i++) {
        if (p[i][d] <= at) {
          double[] swap = p[i];
          p[i] = p[middle];
          p[middle++] = swap;
        }
      }
      cut[t][node] = at;
      grow(t, p, from, middle, depth + 1, limit, random);
      right[t][node] = grow(t, p, middle, until, depth + 1, limit, random);
      return node;
    }

    /** A dimension in which the rows differ, or -1. */
    private static int dimension(double[][] p, int from, int until, Random random) {
      int dimensions = p[from].length;
      int first = random.nextInt(dimensions);
      for (int k = 0; k < dimensions; k++) {
        int d = (first + k) % dimensions;
        for (int i = from + 1; i < until; i++) {
          if (p[i][d] != p[from][d]) {
            return d;
          }
        }
      }
      return -1;
    }

    double score(double[] point) {
      double sum = 0;
      for (int t = 0; t < TREES; t++) {
        int node = 0;
        while (dimension[t][node] >= 0) {
          node = point[dimension[t][node]] <= cut[t][node] ? node + 1 : right[t][node];
        }
        sum += cut[t][node];
      }
      return Math.pow(2, -sum / TREES / Math.max(1e-9, normal));
    }
  }
}
