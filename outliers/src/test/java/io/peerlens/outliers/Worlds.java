package io.peerlens.outliers;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Made-up groups for tests: seeded, so the same every time. */
final class Worlds {

  static final long BUCKET = 300_000L;
  static final int DAY = 288;

  private Worlds() {}

  static Settings settings() {
    return Settings.peers(BUCKET, List.of(Settings.Metric.of(Transform.LINEAR, 2)));
  }

  static int[] ids(int members) {
    return IntStream.range(0, members).map(i -> 10 + 3 * i).toArray();
  }

  static long end(int bucket) {
    return (bucket + 1L) * BUCKET;
  }

  /** A day's wave that all share, a bias of each, and noise. */
  static double[][] values(long seed, int buckets, int members) {
    Random random = new Random(seed);
    double[] bias = new double[members];
    for (int i = 0; i < members; i++) {
      bias[i] = 3 * random.nextGaussian();
    }
    double[][] values = new double[buckets][members];
    for (int b = 0; b < buckets; b++) {
      double wave = 40 + 20 * Math.sin(2 * Math.PI * b / DAY);
      for (int i = 0; i < members; i++) {
        values[b][i] = wave + bias[i] + random.nextGaussian();
      }
    }
    return values;
  }

  /** Runs all rows but the last ones through a new group. */
  static PeerGroup learnt(Settings settings, double[][] values, int buckets) {
    PeerGroup group = new PeerGroup(settings, ids(values[0].length));
    for (int b = 0; b < buckets; b++) {
      group.judge(end(b), new double[][] {values[b]});
    }
    return group;
  }

  /**
   * Members at 8, of minutes' values with a noise of 0.6, the first of them at 40 from a bucket on.
   */
  static double[][] alike(int members, int wrong, int buckets, int from) {
    Random random = new Random(23);
    double[][] values = new double[buckets][members];
    for (int b = 0; b < buckets; b++) {
      for (int i = 0; i < members; i++) {
        for (int minute = 0; minute < 5; minute++) {
          values[b][i] += (8 + 0.6 * random.nextGaussian()) / 5;
        }
        values[b][i] *= b >= from && i < wrong ? 5 : 1;
      }
    }
    return values;
  }
}
