package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Verdicts on HTTP status codes. */
final class HttpVerdicts {

  /** However long a receiver asks to be left alone, it is asked again after this time. */
  static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private HttpVerdicts() {}

  /**
   * The verdict on an answer.
   *
   * @param retryAfter header of the answer, empty = none
   * @param now when the answer came
   */
  static Verdict of(Message.Http message, int status, String retryAfter, Instant now) {
    if (message.succeeded(status)) {
      return new Verdict.Delivered();
    }
    String answered = "The receiver answered " + status;
    return switch (status) {
      case 401, 403 ->
          new Verdict.Unauthorized(
              answered + ": it does not accept our credentials, or they may not do this");
      case 408, 425, 429 -> new Verdict.Retry(wait(retryAfter, now), answered + words(status));
      case 410 -> new Verdict.Gone(answered + ": it is gone and wants no more messages");
      default -> {
        if (status >= 500) {
          yield new Verdict.Retry(wait(retryAfter, now), answered + words(status));
        }
        if (status >= 300 && status < 400) {
          yield new Verdict.Refused(
              answered + ", a redirect, which is never followed; give the target the new URL");
        }
        if (status >= 200 && status < 300) {
          yield new Verdict.Refused(
              answered
                  + ", which the template does not take for success: "
                  + String.join(", ", message.success()));
        }
        yield new Verdict.Refused(answered + words(status));
      }
    };
  }

  private static String words(int status) {
    return switch (status) {
      case 400, 422 -> ": it does not understand the message";
      case 404 -> ": there is nothing at this path";
      case 405 -> ": it does not take this method";
      case 408 -> ": it has waited too long";
      case 413 -> ": the message is too large for it";
      case 415 -> ": it does not take this content type";
      case 429 -> ": it gets too many messages";
      case 503 -> ": it is not available now";
      default -> "";
    };
  }

  /** How long an answer asks to wait, in seconds or until a date; null = it does not say. */
  static @Nullable Duration wait(String retryAfter, Instant now) {
    String text = retryAfter.strip();
    if (text.isEmpty()) {
      return null;
    }
    Duration wait;
    if (text.matches("\\d{1,18}")) {
      wait = Duration.ofSeconds(Long.parseLong(text));
    } else {
      try {
        wait =
            Duration.between(
                now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      } catch (DateTimeException e) {
        return null;
      }
    }
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
  }
}
