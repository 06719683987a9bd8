package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MedoidsTest {

  private static double[][] distances(double... points) {
    double[][] distance = new double[points.length][points.length];
    for (int i = 0; i < points.length; i++) {
      for (int j = 0; j < points.length; j++) {
        distance[i][j] = Math.abs(points[i] - points[j]);
      }
    }
    return distance;
  }

  private static double cost(double[][] distance, double[] weight, int... medoids) {
    double cost = 0;
    for (int i = 0; i < weight.length; i++) {
      double nearest = Double.POSITIVE_INFINITY;
      for (int medoid : medoids) {
        nearest = Math.min(nearest, distance[i][medoid]);
      }
      cost += weight[i] * nearest;
    }
    return cost;
  }

  @Test
  void weightsDrawMedoids() {
    double[][] distance = distances(0, 1, 2);
    assertThat(Medoids.of(distance, new double[] {1, 1, 1}, 1).medoids()).containsExactly(1);
    assertThat(Medoids.of(distance, new double[] {1, 1, 9}, 1).medoids()).containsExactly(2);
  }

  @Test
  void noSingleSwapLowersTheCostAndMostAreTheBestThereIs() {
    Random random = new Random(1);
    int best = 0;
    for (int round = 0; round < 50; round++) {
      double[] points = random.doubles(12, 0, 10).toArray();
      double[] weight = random.doubles(12, 0.5, 5).toArray();
      double[][] distance = distances(points);
      double found = cost(distance, weight, Medoids.of(distance, weight, 3).medoids());
      double least = Double.POSITIVE_INFINITY;
      for (int a = 0; a < 12; a++) {
        for (int b = 0; b < a; b++) {
          for (int c = 0; c < b; c++) {
            least = Math.min(least, cost(distance, weight, a, b, c));
          }
        }
      }
      assertThat(found).isLessThan(least * 1.2 + 1e-9);
      best += found < least + 1e-9 ? 1 : 0;
      int[] medoids = Medoids.of(distance, weight, 3).medoids();
      for (int m = 0; m < 3; m++) {
        for (int candidate = 0; candidate < 12; candidate++) {
          int[] other = medoids.clone();
          other[m] = candidate;
          assertThat(cost(distance, weight, other)).isGreaterThan(found - 1e-6);
        }
      }
    }
    assertThat(best).isGreaterThan(40);
  }

  @Test
  void silhouettesOfTwoHeapsAreThoseByHand() {
    double[][] distance = distances(0, 1, 10);
    double[] weight = {1, 1, 2};
    Medoids two = Medoids.of(distance, weight, 2);
    assertThat(two.cluster()).containsExactly(0, 0, 1);
    double[] silhouettes = two.silhouettes(distance, weight);
    // Own 0.5, next 10 and 9.
    assertThat(silhouettes[0]).isCloseTo((9.5 / 10 + 8.5 / 9) / 2, within(1e-9));
    assertThat(silhouettes[1]).isEqualTo(1);
  }
}
