package io.peerlens.profile;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How many more or less average VMs fit into a capacity that a run of a benchmark measured.
 *
 * <p>The capacity is left of hosts that may fail: of a run on all hosts, (hosts - failures) / hosts
 * of its operations. The number is what is left by the mean of the VMs' figures. The interval has
 * 95 %: the VMs that are there are drawn anew (bootstrap), then VMs are drawn from those until the
 * capacity is full, since the next VMs may be others than these. Draws are seeded, so that the
 * answer is the same each time.
 *
 * <p>Figures of VMs by p95 and peak add up as if all VMs had theirs at once: these numbers are on
 * the safe side. What the group as a whole had is {@link LoadProfile#iops}.
 */
public final class Fits {

  private static final int ROUNDS = 1_000;
  private static final double TAIL = 2.5;
  private static final long SEED = 1;

  /** From so many VMs on, their sum is taken as normal; fewer are drawn one by one. */
  private static final int MANY = 1_000;

  private Fits() {}

  /**
   * A capacity.
   *
   * @param iops operations a second that a run measured, of all hosts together
   * @param hosts that it was measured on
   * @param failures of hosts that are to be borne; fewer than hosts
   */
  public record Capacity(double iops, int hosts, int failures) {

    public Capacity {
      if (!(iops > 0) || Double.isInfinite(iops)) {
        throw new IllegalArgumentException(
            "The capacity is %s operations a second: give what a run measured".formatted(iops));
      }
      if (hosts < 1 || failures < 0 || failures >= hosts) {
        throw new IllegalArgumentException(
            "%d of %d hosts cannot fail: give fewer failures than hosts"
                .formatted(failures, hosts));
      }
    }

    /** With N + 1: one host may fail. */
    public static Capacity nPlusOne(double iops, int hosts) {
      return new Capacity(iops, hosts, 1);
    }

    /** Operations a second that are left when hosts have failed. */
    public double left() {
      return iops * (hosts - failures) / hosts;
    }
  }

  /**
   * How many VMs fit.
   *
   * @param machines VMs that the answer is of
   * @param demand mean of their figures, operations a second
   * @param vms how many fit; NaN, as the interval = no VM has operations
   * @param low lower end of the interval
   * @param high upper end
   */
  public record Fit(int machines, double demand, double vms, double low, double high) {}

  /**
   * How many VMs fit.
   *
   * @param demands operations a second of each VM that is there: its mean, or its p50 or p95; NaN =
   *     they are not known, and it does not count
   * @param capacity what is there for them
   */
  public static Fit of(double[] demands, Capacity capacity) {
    return fit(
        Arrays.stream(demands).filter(it -> !Double.isNaN(it)).toArray(), capacity.left(), SEED);
  }

  static Fit fit(double[] demands, double left, long seed) {
    double mean = Arrays.stream(demands).average().orElse(Double.NaN);
    if (!(mean > 0)) {
      return new Fit(demands.length, mean, Double.NaN, Double.NaN, Double.NaN);
    }
    SplittableRandom random = new SplittableRandom(seed);
    double[] counts = new double[ROUNDS];
    int n = 0;
    double[] drawn = new double[demands.length];
    for (int round = 0; round < ROUNDS; round++) {
      double sum = 0;
      for (int i = 0; i < drawn.length; i++) {
        drawn[i] = demands[random.nextInt(demands.length)];
        sum += drawn[i];
      }
      if (sum > 0) {
        counts[n++] = fill(drawn, sum / drawn.length, left, random);
      }
    }
    Arrays.sort(counts, 0, n);
    return new Fit(
        demands.length,
        mean,
        Math.floor(left / mean),
        Distribution.rank(counts, n, TAIL),
        Distribution.rank(counts, n, 100 - TAIL));
  }

  /** How many VMs of these are drawn until the next one no longer fits. */
  private static double fill(double[] of, double mean, double left, SplittableRandom random) {
    if (left / mean < MANY) {
      double sum = 0;
      for (int count = 0; count < MANY * MANY; count++) {
        sum += of[random.nextInt(of.length)];
        if (sum > left) {
          return count;
        }
      }
    }
    // Central limit theorem of renewals (Feller, volume 2, XI.5): mean and variance of the count.
    double variance = 0;
    for (double one : of) {
      variance += (one - mean) * (one - mean) / of.length;
    }
    double count = left / mean + random.nextGaussian() * Math.sqrt(left * variance / mean) / mean;
    return Math.max(0, Math.floor(count));
  }
}
