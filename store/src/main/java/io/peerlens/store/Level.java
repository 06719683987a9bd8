package io.peerlens.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How coarse stored values are. Times of this package are microseconds since 1970 UTC, which is
 * what the database keeps; a bucket is named by its begin and holds {@code [begin, begin + width)}.
 */
public enum Level {
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

  /** Width of a bucket in microseconds; 0 for raw samples. */
  public long widthMicros() {
    return widthMicros;
  }

  /** Width of a bucket; zero for raw samples. */
  public Duration width() {
    return Duration.of(widthMicros, ChronoUnit.MICROS);
  }

  /** What this level is made of; null for raw samples. */
  public @Nullable Level source() {
    return switch (this) {
      case RAW -> null;
      case FIVE_MINUTES -> RAW;
      case ONE_HOUR -> FIVE_MINUTES;
    };
  }

  /** Begin of the bucket that holds the moment; the moment itself for raw samples. */
  public long floor(long micros) {
    return widthMicros == 0 ? micros : Math.floorDiv(micros, widthMicros) * widthMicros;
  }

  /** The first begin of a bucket that is not before the moment. */
  public long ceil(long micros) {
    return widthMicros == 0 ? micros : Math.ceilDiv(micros, widthMicros) * widthMicros;
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
