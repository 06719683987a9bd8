package io.peerlens.slow;

/**
 * What a limit of a disk does at the moment. NaN = not known.
 *
 * @param asked counted operations a second that are asked for; when nothing tells more than is
 *     served, at least this
 * @param served operations a second
 * @param block mean size of an operation in KB
 * @param weight how many operations one counts as
 * @param delay how long an operation waits for the limit, in ms
 * @param latency of an operation, in ms
 * @param binds whether it delays
 * @param since first step of the stretch in which it delays; -1 = it does not
 */
public record LimitReading(
    DiskLimit disk,
    double asked,
    double served,
    double block,
    double weight,
    double delay,
    double latency,
    boolean binds,
    int since) {

  /** Share of a limit from which on it delays: means hide the seconds above. */
  private static final double NEAR = 0.93;

  /** Share of the counted operations that were delayed, from which on it delays. */
  private static final double DELAYED = 0.05;

  /** So many times a limit can be served for a short time; more was another limit. */
  private static final double OTHER = 1.15;

  private static final int GAP = 2;

  /**
   * @param without latency without the limit, in ms; NaN = not known
   */
  static LimitReading of(DiskLimit disk, Evidence evidence, double without) {
    int steps = evidence.steps();
    int from = steps - evidence.window();
    double served = Robust.mean(disk.iops(), from, steps);
    double block = Robust.mean(disk.block(), from, steps);
    double counted = Robust.mean(disk.counted(), from, steps);
    double delayed = Robust.mean(disk.delayed(), from, steps);
    double latency = Robust.mean(disk.latency(), from, steps);
    double weight =
        counted > 0 && served > 0 && counted <= disk.limit() * 1.02
            ? Math.max(1, counted / served)
            : DiskLimit.weight(block);
    boolean binds = binds(disk, counted, delayed, served, block);
    double delay = binds && !Double.isNaN(without) ? Math.max(0, latency - without) : 0;
    int since = binds ? since(disk, from) : -1;
    return new LimitReading(
        disk,
        counted,
        served,
        block,
        Double.isNaN(block) && Double.isNaN(counted) ? Double.NaN : weight,
        delay,
        latency,
        binds,
        since);
  }

  /** Where more than the limit was served, it was another one at that time. */
  private static boolean binds(
      DiskLimit disk, double counted, double delayed, double served, double block) {
    if (served * DiskLimit.weight(Double.isNaN(block) ? 0 : block) > OTHER * disk.limit()) {
      return false;
    }
    return Double.isNaN(delayed)
        ? counted >= NEAR * disk.limit()
        : delayed > DELAYED * disk.limit() || counted > 1.05 * disk.limit();
  }

  /** Whether it delayed in a step. */
  public static boolean bindsAt(DiskLimit disk, int step) {
    return binds(
        disk, disk.counted()[step], disk.delayed()[step], disk.iops()[step], disk.block()[step]);
  }

  private static int since(DiskLimit disk, int last) {
    int first = last;
    int below = 0;
    for (int i = last - 1; i >= 0 && below < GAP; i--) {
      if (bindsAt(disk, i)) {
        first = i;
        below = 0;
      } else if (!Double.isNaN(disk.counted()[i])) {
        below++;
      }
    }
    return first;
  }
}
