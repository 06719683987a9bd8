package io.peerlens.slow;

import java.util.Arrays;

/**
 * Operations a second that disks are known to carry with a latency that is usual: what they did in
 * at least a quarter of an hour of their history. More may be possible, but nobody has seen it.
 */
public final class Headroom {

  private static final int MINUTES = 15;

  private Headroom() {}

  /**
   * @param iops operations a second, by step; NaN = not known
   * @param latency in ms, by step; NaN = not known
   * @param acceptable latency up to which a step counts, in ms
   * @param stepSeconds length of a step
   * @return what they did in as many steps at least; NaN = too few of the steps count
   */
  public static double carried(
      double[] iops, double[] latency, double acceptable, int stepSeconds) {
    double[] counted = new double[iops.length];
    Arrays.setAll(counted, i -> latency[i] <= acceptable ? iops[i] : Double.NaN);
    double[] sorted = Robust.sorted(counted, 0, counted.length);
    int steps = Math.ceilDiv(MINUTES * 60, stepSeconds);
    return sorted.length < steps ? Double.NaN : sorted[sorted.length - steps];
  }
}
