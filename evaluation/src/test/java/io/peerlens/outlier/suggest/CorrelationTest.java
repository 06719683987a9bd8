package io.peerlens.outlier.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CorrelationTest {

  private static final int HOURS = 72;

  /** Each object has a job; -1 = one of its own. */
  private static double[][] metric(int[] jobs, double noise, long seed) {
    Random random = new Random(seed);
    double[][] values = new double[HOURS][jobs.length];
    for (int t = 0; t < HOURS; t++) {
      double day = 20 * Math.sin(t / 24.0 * 2 * Math.PI);
      for (int i = 0; i < jobs.length; i++) {
        long job = jobs[i] < 0 ? 1_000 + i : jobs[i];
        double work = new SplittableRandom(job * 10_007 + t + seed * 77).nextDouble();
        // Scales differ: only how they move counts.
        values[t][i] = (1 + i % 3) * (50 + day + 30 * work + noise * random.nextGaussian());
      }
    }
    return values;
  }

  @Test
  void machinesWithTheSameJobAreGroupedButNotByTheCommonDailyPattern() {
    int[] jobs = {0, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1};
    List<Correlation.Cluster> clusters =
        Correlation.clusters(new double[][][] {metric(jobs, 3, 1), metric(jobs, 3, 2)});
    assertThat(clusters).hasSize(2);
    assertThat(clusters)
        .extracting(Correlation.Cluster::members)
        .containsExactlyInAnyOrder(new int[] {0, 1, 2, 3, 4}, new int[] {5, 6, 7, 8});
    assertThat(clusters)
        .allSatisfy(one -> assertThat(one.correlation()).isBetween(Correlation.NEIGHBOURS, 1.0));
  }

  @Test
  void weakCorrelationGivesNoGroup() {
    int[] jobs = {0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1};
    assertThat(Correlation.clusters(new double[][][] {metric(jobs, 60, 1)})).isEmpty();
  }

  @Test
  void gapsAndFlatLinesDoNotMatter() {
    int[] jobs = {0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1};
    double[][] values = metric(jobs, 2, 1);
    for (int t = 0; t < HOURS; t++) {
      values[t][9] = 7;
      values[t][10] = Double.NaN;
      if (t % 5 == 0) {
        values[t][1] = Double.NaN;
      }
    }
    List<Correlation.Cluster> clusters = Correlation.clusters(new double[][][] {values});
    assertThat(clusters).hasSize(1);
    assertThat(clusters.getFirst().members()).containsExactly(0, 1, 2, 3);
  }

  @Test
  void noSeriesGiveNoGroups() {
    assertThat(Correlation.clusters(new double[0][][])).isEmpty();
    assertThat(Correlation.clusters(new double[1][HOURS][0])).isEmpty();
    assertThat(Correlation.clusters(new double[1][HOURS][2])).isEmpty();
  }
}
