package io.peerlens.profile;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * K-medoids of weighted points: partitioning around medoids (PAM; Kaufman and Rousseeuw, Finding
 * Groups in Data, 1990), with the cost of a swap from the nearest and the second nearest medoid as
 * of FastPAM (Schubert and Rousseeuw, Information Systems 101, 2021). Deterministic: of equal costs
 * the first one wins.
 *
 * @param medoids indexes of the points that are medoids, ascending
 * @param cluster of each point: a position in {@code medoids}
 */
record Medoids(int[] medoids, int[] cluster) {

  /** Swaps that are made at most; each lowers the cost, so this is only for rounding. */
  private static final int MOST_SWAPS = 1_000;

  /**
   * @param distance symmetric
   * @param weight positive
   * @param k 1 to the number of points
   */
  static Medoids of(double[][] distance, double[] weight, int k) {
    int[] medoids = build(distance, weight, k);
    for (int swaps = 0; swaps < MOST_SWAPS; swaps++) {
      int @Nullable [] swap = bestSwap(distance, weight, medoids);
      if (swap == null) {
        break;
      }
      medoids[swap[0]] = swap[1];
    }
    Arrays.sort(medoids);
    int[] cluster = new int[weight.length];
    for (int i = 0; i < cluster.length; i++) {
      cluster[i] = nearest(distance[i], medoids, -1);
    }
    return new Medoids(medoids, cluster);
  }

  private static int[] build(double[][] distance, double[] weight, int k) {
    int n = weight.length;
    int[] medoids = new int[k];
    double[] nearest = new double[n];
    Arrays.fill(nearest, Double.POSITIVE_INFINITY);
    for (int m = 0; m < k; m++) {
      int best = -1;
      double bestCost = Double.POSITIVE_INFINITY;
      for (int candidate = 0; candidate < n; candidate++) {
        double cost = 0;
        for (int i = 0; i < n; i++) {
          cost += weight[i] * Math.min(nearest[i], distance[i][candidate]);
        }
        if (cost < bestCost && !contains(medoids, m, candidate)) {
          best = candidate;
          bestCost = cost;
        }
      }
      medoids[m] = best;
      for (int i = 0; i < n; i++) {
        nearest[i] = Math.min(nearest[i], distance[i][best]);
      }
    }
    return medoids;
  }

  /** Position of a medoid and the point to take its place; null = none lowers the cost. */
  private static int @Nullable [] bestSwap(double[][] distance, double[] weight, int[] medoids) {
    int n = weight.length;
    int k = medoids.length;
    int[] nearest = new int[n];
    double[] first = new double[n];
    double[] second = new double[n];
    double cost = 0;
    for (int i = 0; i < n; i++) {
      nearest[i] = nearest(distance[i], medoids, -1);
      first[i] = distance[i][medoids[nearest[i]]];
      int next = nearest(distance[i], medoids, nearest[i]);
      second[i] = next < 0 ? Double.POSITIVE_INFINITY : distance[i][medoids[next]];
      cost += weight[i] * first[i];
    }
    int @Nullable [] best = null;
    double bestChange = -1e-9 * cost;
    for (int candidate = 0; candidate < n; candidate++) {
      if (contains(medoids, k, candidate)) {
        continue;
      }
      double everywhere = 0;
      double[] change = new double[k];
      for (int i = 0; i < n; i++) {
        double to = distance[i][candidate];
        if (to < first[i]) {
          everywhere += weight[i] * (to - first[i]);
        } else {
          change[nearest[i]] += weight[i] * (Math.min(to, second[i]) - first[i]);
        }
      }
      for (int m = 0; m < k; m++) {
        if (everywhere + change[m] < bestChange) {
          bestChange = everywhere + change[m];
          best = new int[] {m, candidate};
        }
      }
    }
    return best;
  }

  private static int nearest(double[] distances, int[] medoids, int without) {
    int nearest = -1;
    for (int m = 0; m < medoids.length; m++) {
      if (m != without && (nearest < 0 || distances[medoids[m]] < distances[medoids[nearest]])) {
        nearest = m;
      }
    }
    return nearest;
  }

  private static boolean contains(int[] medoids, int count, int point) {
    for (int m = 0; m < count; m++) {
      if (medoids[m] == point) {
        return true;
      }
    }
    return false;
  }

  /**
   * Mean silhouette of each cluster, with a point of weight w standing for w equal ones: how much
   * nearer points are to their own cluster than to the next one, -1 to 1.
   */
  double[] silhouettes(double[][] distance, double[] weight) {
    int k = medoids.length;
    double[] weights = new double[k];
    double[] sums = new double[k];
    for (int i = 0; i < cluster.length; i++) {
      weights[cluster[i]] += weight[i];
    }
    for (int i = 0; i < cluster.length; i++) {
      double[] to = new double[k];
      for (int j = 0; j < cluster.length; j++) {
        to[cluster[j]] += weight[j] * distance[i][j];
      }
      double own = to[cluster[i]] / weights[cluster[i]];
      double next = Double.POSITIVE_INFINITY;
      for (int m = 0; m < k; m++) {
        if (m != cluster[i]) {
          next = Math.min(next, to[m] / weights[m]);
        }
      }
      double larger = Math.max(own, next);
      sums[cluster[i]] += larger > 0 ? weight[i] * (next - own) / larger : 0;
    }
    for (int m = 0; m < k; m++) {
      sums[m] /= weights[m];
    }
    return sums;
  }
}
