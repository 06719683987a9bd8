package io.peerlens.ingest;

import org.jspecify.annotations.Nullable;

/** Unit of the timestamps in line protocol. */
public enum TimePrecision {
  NS("nanoseconds"),
  US("microseconds"),
  MS("milliseconds"),
  S("seconds"),
  M("minutes"),
  H("hours");

  private final String unit;

  TimePrecision(String unit) {
    this.unit = unit;
  }

  /** The unit with this name, {@code ns} to {@code h}; null when there is none. */
  static @Nullable TimePrecision named(String name) {
    for (TimePrecision precision : values()) {
      if (precision.name().equalsIgnoreCase(name)) {
        return precision;
      }
    }
    return null;
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
      case M -> Math.multiplyExact(timestamp, 60_000_000L);
      case H -> Math.multiplyExact(timestamp, 3_600_000_000L);
    };
  }
}
