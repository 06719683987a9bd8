package io.peerlens.profile;

/** Sizes of blocks as people say them. */
public final class BlockSize {

  /** The smallest usual size: a sector. */
  static final int LEAST_LOG2 = 9;

  /** The largest usual size: 16 MB. */
  static final int MOST_LOG2 = 24;

  private static final long K = 1024;

  private BlockSize() {}

  /**
   * The usual size next to a size by its ratio: a power of two from 512 bytes to 16 MB.
   *
   * @param bytes positive
   */
  public static long usual(double bytes) {
    return 1L << nearest(bytes);
  }

  /** The exponent of {@link #usual}. */
  static int nearest(double bytes) {
    return (int) Math.clamp(Math.round(log2(bytes)), LEAST_LOG2, MOST_LOG2);
  }

  static double log2(double bytes) {
    return Math.log(bytes) / Math.log(2);
  }

  /** {@code 8K}, {@code 1M}, {@code 512}; other sizes in bytes. */
  public static String text(long bytes) {
    if (bytes >= K * K && bytes % (K * K) == 0) {
      return bytes / (K * K) + "M";
    }
    return bytes >= K && bytes % K == 0 ? bytes / K + "K" : String.valueOf(bytes);
  }
}
