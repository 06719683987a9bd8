package io.peerlens.dashboard.file;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of times: ranges, moments and business hours. */
final class TimeReader {

  private TimeReader() {}

  /** Reads a range: up to now, or from one moment to another. */
  static Dashboard.@Nullable Time time(Node node) {
    Dashboard.Time time = null;
    if (node.has("last")) {
      Duration last = node.duration("last");
      time = last == null ? null : new Dashboard.Time.Last(last);
    } else {
      Instant from = instant(node, "from");
      Instant to = instant(node, "to");
      if (from != null && to != null) {
        if (!from.isBefore(to)) {
          node.wrong("begins when it ends or later", "");
        } else if (Duration.between(from, to).compareTo(BundleReader.LONGEST_WINDOW) > 0) {
          node.wrong("is longer than %d days".formatted(BundleReader.LONGEST_WINDOW.toDays()), "");
        } else {
          time = new Dashboard.Time.Range(from, to);
        }
      } else if (!node.has("from") || !node.has("to")) {
        node.wrong(
            "says no time",
            "Give {\"last\": \"24h\"}, or from and to such as 2026-11-20T14:00:00Z.");
      }
    }
    node.end();
    return time;
  }

  /** Reads a moment; null if there is none, or none between 1970 and 2200. */
  static @Nullable Instant instant(Node node, String member) {
    Node one = node.get(member);
    if (one == null) {
      return null;
    }
    String text = one.asText(64);
    if (text == null) {
      return null;
    }
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      if (instant.isAfter(Instant.EPOCH)
          && instant.isBefore(Instant.parse("2200-01-01T00:00:00Z"))) {
        return instant;
      }
      one.wrong("is not between 1970 and 2200", "");
    } catch (DateTimeParseException e) {
      one.wrong("is no moment", "Write it as 2026-11-20T14:00:00Z.");
    }
    return null;
  }

  static Question.@Nullable BusinessHours businessHours(Node node) {
    List<DayOfWeek> days = node.list("days", 7, one -> one.asWord(Node.words(DayOfWeek.class)));
    LocalTime from = timeOfDay(node, "from");
    String end = node.optionalText("to", 5);
    LocalTime to = "24:00".equals(end) ? null : timeOfDay(node, "to");
    ZoneId zone = null;
    try {
      zone = ZoneId.of(node.text("zone", Node.LINE));
    } catch (DateTimeException e) {
      node.wrong("has no time zone that is known", "Give a name such as Europe/Berlin, or UTC.");
    }
    node.end();
    if (from == null || zone == null) {
      return null;
    }
    if (to != null && !from.isBefore(to)) {
      node.wrong("begins when it ends or later", "");
    }
    return new Question.BusinessHours(
        days.isEmpty() ? Set.of(DayOfWeek.values()) : new HashSet<>(days), from, to, zone);
  }

  private static @Nullable LocalTime timeOfDay(Node node, String member) {
    String text = node.text(member, 5);
    try {
      return LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      node.wrong("has no time of day as " + member, "Write it as 08:00.");
      return null;
    }
  }
}
