package io.peerlens.ingest.flow;

/**
 * Measure that traffic is ranked by. A rate is bytes over the length of the range, and ranks like
 * them.
 */
public enum TalkerMeasure {
  BYTES,
  PACKETS,
  FLOWS,
  SESSIONS,
  RESETS,
  /** Packets that were not forwarded. */
  DROPS,
  /** Bytes of the minute that has most of them: a burst, where bytes tell of the sustained. */
  PEAK;

  public static final int COUNT = values().length;

  /** Number of measures that can be added up: all but the peak, which is the last one. */
  public static final int SUMS = COUNT - 1;

  /** The value of two stretches of time together. */
  public long together(long a, long b) {
    return this == PEAK ? Math.max(a, b) : a + b;
  }
}
