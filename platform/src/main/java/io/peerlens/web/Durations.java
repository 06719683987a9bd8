package io.peerlens.web;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as the contract writes them: a whole number and {@code s}, {@code m}, {@code h}, {@code
 * d}.
 */
public final class Durations {

  public static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private static final Pattern FORM = Pattern.compile("[0-9]{1,8}[smhd]");

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

  /**
   * How often a rule is evaluated.
   *
   * @param field its name, for the message
   * @param text null = left out
   * @param otherwise seconds when it is left out
   * @return seconds, 5 to a day, a multiple of 5
   * @throws ApiException if it is anything else
   */
  public static int interval(String field, @Nullable String text, int otherwise) {
    if (text == null) {
      return otherwise;
    }
    long seconds = FORM.matcher(text).matches() ? parse(text).toSeconds() : 0;
    if (seconds % 5 != 0) {
      throw ApiException.invalidField(field, text + " is no multiple of 5s");
    }
    if (seconds < 5 || seconds > 86_400) {
      throw ApiException.invalidField(field, text + " is not within 5s and 1d");
    }
    return (int) seconds;
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
