package io.peerlens.ingest;

/** Unit of the timestamps in line protocol. */
public enum TimePrecision {
  NS("nanoseconds"),
  US("microseconds"),
  MS("milliseconds"),
  S("seconds");

  private final String unit;

  TimePrecision(String unit) {
    this.unit = unit;
  }

  /** For messages. */
  String unit() {
    return unit;
  }

  /**
   * Microseconds since 1970, rounded down.
   *
   * @throws ArithmeticException when that does not fit
   */
  long toMicros(long timestamp) {
    return switch (this) {
      case NS -> Math.floorDiv(timestamp, 1_000L);
      case US -> timestamp;
      case MS -> Math.multiplyExact(timestamp, 1_000L);
      case S -> Math.multiplyExact(timestamp, 1_000_000L);
    };
  }
}
