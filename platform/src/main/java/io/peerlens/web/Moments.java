package io.peerlens.web;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** Moments in requests: RFC 3339 with an offset, or epoch milliseconds as digits. */
public final class Moments {

  /** What the database can hold with room on both sides. */
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  private Moments() {}

  /** The moment in a query parameter, cut to the millisecond. */
  public static Instant parameter(String name, String text) {
    return parse(text, ApiException.invalidParameter(name, reason(text)));
  }

  /** The moment in a field of the body, cut to the millisecond. */
  public static Instant field(String path, String text) {
    return parse(text, ApiException.invalidField(path, reason(text)));
  }

  private static Instant parse(String text, ApiException otherwise) {
    Instant moment;
    try {
      moment =
          isNumber(text)
              ? Instant.ofEpochMilli(Long.parseLong(text))
              : OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
    } catch (DateTimeException | NumberFormatException e) {
      throw otherwise.hint(
          "Give RFC 3339 with an offset, such as 2026-11-20T14:05:00Z (in a query, + must be"
              + " written %2B), or epoch milliseconds, such as 1795183500000.");
    }
    if (moment.isBefore(EARLIEST) || moment.isAfter(LATEST)) {
      throw otherwise.hint("Give a moment in the years 1 to 9999.");
    }
    return moment;
  }

  private static String reason(String text) {
    return "\"" + Texts.shorten(text) + "\" is not a moment";
  }

  private static boolean isNumber(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    return text.length() > start && text.chars().skip(start).allMatch(c -> c >= '0' && c <= '9');
  }
}
