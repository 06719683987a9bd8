package io.peerlens.assistant;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Stretch of time that a call is about. */
record TimeSpan(Instant from, Instant to) {

  static final String FORMS =
      "RFC 3339 such as 2026-11-20T14:05:00Z, a day such as 2026-11-20 (UTC), or how long ago, such as 90m, 6h or 7d";

  private static final Pattern AGO = Pattern.compile("-?([1-9][0-9]{0,5})\\s*(m|h|d|w)");

  static final Parameter FROM = Parameter.text("from", "Begin of the time range: " + FORMS + ".");
  static final Parameter TO =
      Parameter.text("to", "End of the time range, in the same forms, or now; default now.");

  /** Reads {@code from} and {@code to}. */
  static TimeSpan of(Arguments arguments, Duration otherwise, Instant now) {
    return of("from", arguments.text("from"), "to", arguments.text("to"), otherwise, now);
  }

  /**
   * Reads two moments.
   *
   * @param otherwise length when there is no begin
   */
  static TimeSpan of(
      String fromName,
      @Nullable String from,
      String toName,
      @Nullable String to,
      Duration otherwise,
      Instant now) {
    Instant end = to == null ? now : moment(toName, to, now);
    Instant begin = from == null ? end.minus(otherwise) : moment(fromName, from, now);
    if (!begin.isBefore(end)) {
      throw ToolProblem.argument(
          fromName,
          begin + " is not before " + toName + " (" + end + ")",
          "Give a begin before the end.");
    }
    return new TimeSpan(begin, end);
  }

  /** Reads one moment. */
  static Instant moment(String name, String text, Instant now) {
    if (text.equalsIgnoreCase("now")) {
      return now;
    }
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      long count = Long.parseLong(ago.group(1));
      return now.minus(
          switch (ago.group(2)) {
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofDays(7 * count);
          });
    }
    try {
      Instant moment =
          text.length() == 10
              ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
              : OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
      if (moment.isAfter(now.minus(Duration.ofDays(36_500)))
          && moment.isBefore(now.plus(Duration.ofDays(3_650)))) {
        return moment;
      }
    } catch (DateTimeException e) {
      // said below
    }
    throw ToolProblem.argument(
        name, "\"" + PlainText.of(text, 40) + "\" is no moment", "Give " + FORMS + ".");
  }

  Duration length() {
    return Duration.between(from, to);
  }

  /** The stretch of the same length that ends so long before this one does. */
  TimeSpan earlier(Duration by) {
    return new TimeSpan(from.minus(by), to.minus(by));
  }
}
