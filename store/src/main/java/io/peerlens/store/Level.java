package io.peerlens.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Levels of stored samples: raw and roll-ups. Times of this package are microseconds since 1970
 * UTC, which is what the database keeps.
 */
public enum Level implements RollUpLevel {
  /** Samples as they came. */
  RAW("raw", "sample", 0),
  /** Roll-ups of 5 minutes, made of raw samples. */
  FIVE_MINUTES("5m", "sample_5m", 300_000_000L),
  /** Roll-ups of 1 hour, made of those of 5 minutes. */
  ONE_HOUR("1h", "sample_1h", 3_600_000_000L);

  private final String label;
  private final String table;
  private final long widthMicros;

  Level(String label, String table, long widthMicros) {
    this.label = label;
    this.table = table;
    this.widthMicros = widthMicros;
  }

  /** {@code raw}, {@code 5m} or {@code 1h}, in the database and in the API. */
  @Override
  public String label() {
    return label;
  }

  /** The level of that label. */
  public static Level ofLabel(String label) {
    for (Level level : values()) {
      if (level.label.equals(label)) {
        return level;
      }
    }
    throw new IllegalArgumentException("No level is called " + label);
  }

  String table() {
    return table;
  }

  @Override
  public long widthMicros() {
    return widthMicros;
  }

  /** Width of a bucket; zero for raw samples. */
  public Duration width() {
    return Duration.of(widthMicros, ChronoUnit.MICROS);
  }

  /** Level that this one is made of; null for raw samples. */
  public @Nullable Level source() {
    return switch (this) {
      case RAW -> null;
      case FIVE_MINUTES -> RAW;
      case ONE_HOUR -> FIVE_MINUTES;
    };
  }

  @Override
  public String sourceLabel() {
    Level source = source();
    return source == null ? "none" : source.label;
  }

  /** Label of the level that is made of this one; {@code none} for the coarsest. */
  String coarserLabel() {
    return switch (this) {
      case RAW -> FIVE_MINUTES.label;
      case FIVE_MINUTES -> ONE_HOUR.label;
      case ONE_HOUR -> "none";
    };
  }

  /** Microseconds since 1970. */
  public static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000L);
  }

  /** The moment of so many microseconds since 1970. */
  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
