package io.peerlens.profile;

import io.peerlens.profile.Grid.Bucket;
import java.time.Instant;
import java.util.Random;
import java.util.Set;

/** Made histories of known mixtures. */
final class Made {

  static final Grid YEAR = new Grid(Instant.parse("2025-01-01T00:00:00Z"), Bucket.HOUR, 8_760);

  /** What a made hour does: operations a second, bytes of an operation, share of reads. */
  record Kind(double iops, double size, double readShare, double share) {}

  private Made() {}

  static Machine machine(String id, String... groups) {
    return new Machine(id, id, 4, 16, 100, Set.of(groups));
  }

  static IoSeries series(Grid grid, double[] reads, double[] writes, double[] size, double ms) {
    int n = grid.count();
    double[] readBytes = new double[n];
    double[] writeBytes = new double[n];
    double[] latency = new double[n];
    for (int i = 0; i < n; i++) {
      readBytes[i] = reads[i] * size[i];
      writeBytes[i] = writes[i] * size[i];
      latency[i] = ms;
    }
    return new IoSeries(grid, reads, writes, readBytes, writeBytes, latency, latency.clone());
  }

  /**
   * Hours that are of kinds by their shares, in a seeded order; operations scatter by half, sizes
   * by 10 % and reads by 3 points.
   */
  static IoSeries mixture(Grid grid, long seed, Kind... kinds) {
    Random random = new Random(seed);
    int n = grid.count();
    double[] reads = new double[n];
    double[] writes = new double[n];
    double[] sizes = new double[n];
    for (int i = 0; i < n; i++) {
      double pick = random.nextDouble();
      Kind kind = kinds[kinds.length - 1];
      for (Kind one : kinds) {
        if (pick < one.share()) {
          kind = one;
          break;
        }
        pick -= one.share();
      }
      double iops = kind.iops() * (0.5 + random.nextDouble());
      double share = Math.clamp(kind.readShare() + 0.03 * random.nextGaussian(), 0, 1);
      reads[i] = iops * share;
      writes[i] = iops * (1 - share);
      sizes[i] = kind.size() * Math.exp(0.1 * random.nextGaussian());
    }
    return series(grid, reads, writes, sizes, 1);
  }
}
