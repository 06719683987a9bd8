package io.peerlens.slow;

import org.jspecify.annotations.Nullable;

/**
 * A disk of the machine with a limit of operations a second. ESXi since 5.5 and vSAN count an
 * operation by its size in steps of 32 KB: one of up to 32 KB as one, one of 64 KB as two
 * (yellow-bricks.com on the scheduler of vSphere 5.5; cormachogan.com, "VSAN 6.2 Part 4 – IOPS
 * limit for object").
 *
 * @param disk what people call it, such as "Hard disk 2"
 * @param instance its instance; empty = the machine has one disk, and its figures are its
 * @param policy the storage policy that it has; null = not known, or none
 * @param limit counted operations a second
 * @param counted what is asked for by step, counted as the limit counts; NaN = not known
 * @param iops operations a second that are served, by step; NaN = not known
 * @param block mean size of an operation in KB, by step; NaN = not known
 * @param latency of an operation in ms, by step; NaN = not known
 * @param delayed counted operations a second that vSAN says it delayed, by step; NaN = not known
 */
public record DiskLimit(
    String disk,
    String instance,
    @Nullable String policy,
    double limit,
    double[] counted,
    double[] iops,
    double[] block,
    double[] latency,
    double[] delayed) {

  /** Largest size that counts as one operation, in KB. */
  public static final double COUNTED_KB = 32;

  /**
   * How many operations one of a mean size counts as. The sizes behind a mean are not known: the
   * mean is divided, and no part is rounded up, so this is the least that it can be.
   */
  public static double weight(double blockKb) {
    return Math.max(1, blockKb / COUNTED_KB);
  }
}
