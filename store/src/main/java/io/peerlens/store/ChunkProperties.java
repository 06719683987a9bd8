package io.peerlens.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Lengths of the chunks in which TimescaleDB keeps samples. A change is for chunks to come. None =
 * the length is chosen by how many samples come, see {@code docs/operations.md}.
 *
 * @param raw of raw samples, 1h to 7d
 * @param fiveMinutes of roll-ups of 5 minutes, 6h to 30d
 * @param oneHour of roll-ups of an hour, 1d to 90d
 */
@ConfigurationProperties("peerlens.chunks")
public record ChunkProperties(
    @Nullable Duration raw, @Nullable Duration fiveMinutes, @Nullable Duration oneHour) {

  public ChunkProperties {
    within("raw", raw, Duration.ofHours(1), Duration.ofDays(7));
    within("five-minutes", fiveMinutes, Duration.ofHours(6), Duration.ofDays(30));
    within("one-hour", oneHour, Duration.ofDays(1), Duration.ofDays(90));
  }

  private static void within(String key, @Nullable Duration length, Duration least, Duration most) {
    if (length != null && (length.compareTo(least) < 0 || length.compareTo(most) > 0)) {
      throw new IllegalArgumentException(
          "peerlens.chunks.%s is %s: give %dh to %dd"
              .formatted(key, length, least.toHours(), most.toDays()));
    }
  }

  /** The length that is set for a level; null = none is. */
  @Nullable Duration of(Level level) {
    return switch (level) {
      case RAW -> raw;
      case FIVE_MINUTES -> fiveMinutes;
      case ONE_HOUR -> oneHour;
    };
  }
}
