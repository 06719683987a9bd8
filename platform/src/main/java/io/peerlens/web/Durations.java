package io.peerlens.web;

import java.time.Duration;

/**
 * Durations as the contract writes them: a whole number and {@code s}, {@code m}, {@code h}, {@code
 * d}.
 */
public final class Durations {

  public static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private Durations() {}

  /** Of a text that fits the contract's pattern. */
  public static Duration parse(String text) {
    long number = Long.parseLong(text.substring(0, text.length() - 1));
    return switch (text.charAt(text.length() - 1)) {
      case 's' -> Duration.ofSeconds(number);
      case 'm' -> Duration.ofMinutes(number);
      case 'h' -> Duration.ofHours(number);
      case 'd' -> Duration.ofDays(number);
      default -> throw new IllegalArgumentException("No unit: " + text);
    };
  }

  /** In the largest unit that is exact; no time at all is {@code 0s}. */
  public static String print(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds == 0) {
      return "0s";
    }
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
