package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.profile.Made.Kind;
import io.peerlens.profile.Mixture.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MixtureTest {

  private static final int MIXTURES = 100;

  /** Kinds that are at least 1.5 apart, a doubling or 20 points being 1; each has 4 % or more. */
  private static Kind[] kinds(Random random, int count) {
    List<double[]> places = new ArrayList<>();
    while (places.size() < count) {
      double[] place = {9 + 12 * random.nextDouble(), random.nextDouble()};
      if (places.stream()
          .allMatch(it -> Math.hypot(it[0] - place[0], (it[1] - place[1]) / 0.2) > 1.5)) {
        places.add(place);
      }
    }
    double[] shares = random.doubles(count, 0.2, 1).toArray();
    double sum = 0;
    for (double share : shares) {
      sum += share;
    }
    Kind[] kinds = new Kind[count];
    for (int i = 0; i < count; i++) {
      double size = Math.pow(2, places.get(i)[0]);
      kinds[i] =
          new Kind(100 + 1_000 * random.nextDouble(), size, places.get(i)[1], shares[i] / sum);
    }
    return kinds;
  }

  @Test
  void madeMixturesAreFoundAgain() {
    Random random = new Random(24);
    int found = 0;
    double worstShare = 0;
    double worstSize = 0;
    double worstReads = 0;
    for (int i = 0; i < MIXTURES; i++) {
      Kind[] kinds = kinds(random, 1 + i % 5);
      Mixture mixture =
          new LoadProfiler(ProfileOptions.of(Made.YEAR))
              .add(Made.machine("a"), Made.mixture(Made.YEAR, i, kinds), null)
              .mixture();
      if (mixture.clusters().size() != kinds.length) {
        continue;
      }
      found++;
      for (Kind kind : kinds) {
        Cluster nearest = nearest(mixture, kind);
        worstShare = Math.max(worstShare, Math.abs(nearest.shareOfHours() - kind.share()));
        worstSize = Math.max(worstSize, Math.abs(nearest.blockSize() / kind.size() - 1));
        worstReads = Math.max(worstReads, Math.abs(nearest.readShare() - kind.readShare()));
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(98);
    assertThat(worstShare).isLessThan(0.02);
    assertThat(worstSize).isLessThan(0.02);
    assertThat(worstReads).isLessThan(0.02);
  }

  @Test
  void aCloudIsOneProfileHoweverWideAndItsSpreadSaysSo() {
    for (double scatter : new double[] {0.1, 0.3, 0.5, 0.7, 0.9, 1.2}) {
      LoadProfile profile = cloud(scatter);
      Mixture mixture = profile.mixture();
      assertThat(mixture.clusters()).hasSize(1);
      Cluster one = mixture.clusters().getFirst();
      // A mean of bytes is above the middle where sizes scatter much.
      assertThat(one.label()).isEqualTo((scatter > 1.1 ? "32K" : "16K") + " 50/50, 100 % of hours");
      // In two directions.
      assertThat(one.spread() / (scatter * Math.sqrt(2))).isBetween(0.85, 1.15);
      assertThat(profile.remarks().stream().anyMatch(it -> it.contains("spread widely")))
          .isEqualTo(scatter > 1.1);
    }
  }

  /** Hours around 16K 50/50 that scatter in both directions alike, 1 being a doubling. */
  private static LoadProfile cloud(double scatter) {
    Random random = new Random(3);
    int n = Made.YEAR.count();
    double[] reads = new double[n];
    double[] writes = new double[n];
    double[] sizes = new double[n];
    for (int i = 0; i < n; i++) {
      double share = Math.clamp(0.5 + 0.2 * scatter * random.nextGaussian(), 0, 1);
      reads[i] = 1_000 * share;
      writes[i] = 1_000 * (1 - share);
      sizes[i] = 16_384 * Math.pow(2, scatter * random.nextGaussian());
    }
    return new LoadProfiler(ProfileOptions.of(Made.YEAR))
        .add(Made.machine("a"), Made.series(Made.YEAR, reads, writes, sizes, 1), null);
  }

  private static Cluster nearest(Mixture mixture, Kind kind) {
    Cluster nearest = mixture.clusters().getFirst();
    for (Cluster one : mixture.clusters()) {
      if (distance(one, kind) < distance(nearest, kind)) {
        nearest = one;
      }
    }
    return nearest;
  }

  private static double distance(Cluster cluster, Kind kind) {
    return Math.hypot(
        BlockSize.log2(cluster.blockSize() / kind.size()),
        (cluster.readShare() - kind.readShare()) / 0.2);
  }
}
