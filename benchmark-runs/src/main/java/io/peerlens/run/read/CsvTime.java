package io.peerlens.run.read;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How a CSV says the time.
 *
 * @param column its heading
 * @param factor seconds of a number; NaN = it is a text
 * @param format of a text; null = ISO 8601
 * @param zone of texts without one
 */
record CsvTime(String column, double factor, @Nullable DateTimeFormatter format, ZoneId zone) {

  /** Numbers from here on are seconds since 1970, smaller ones since the start of the run. */
  private static final double EPOCH = 1e8;

  static CsvTime of(JsonNode json) {
    String column = FioJob.text(json, "column");
    String format = FioJob.text(json, "format");
    String zone = FioJob.text(json, "zone");
    if (column.isEmpty()) {
      throw new UnreadableException(0, "time lacks its column", "Give the heading of the column.");
    }
    try {
      ZoneId of = zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone);
      return switch (format) {
        case "", "iso" -> new CsvTime(column, Double.NaN, null, of);
        case "seconds" -> new CsvTime(column, 1, null, of);
        case "milliseconds" -> new CsvTime(column, 1e-3, null, of);
        default ->
            new CsvTime(
                column, Double.NaN, DateTimeFormatter.ofPattern(format, Locale.ENGLISH), of);
      };
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new UnreadableException(
          0,
          "The format or zone of time cannot be used: " + e.getMessage(),
          "Use iso, seconds, milliseconds or a pattern such as yyyy-MM-dd HH:mm:ss.");
    }
  }

  /**
   * Seconds since 1970, or since the start of the run.
   *
   * @return NaN = the cell is no such time
   */
  double seconds(String cell) {
    String text = cell.strip();
    if (!Double.isNaN(factor)) {
      return Numbers.of(text) * factor;
    }
    try {
      DateTimeFormatter by = format == null ? DateTimeFormatter.ISO_DATE_TIME : format;
      TemporalAccessor read =
          by.parseBest(
              text.replace(' ', format == null ? 'T' : ' '),
              OffsetDateTime::from,
              LocalDateTime::from);
      Instant at =
          read instanceof OffsetDateTime offset
              ? offset.toInstant()
              : LocalDateTime.from(read).atZone(zone).toInstant();
      return at.getEpochSecond() + at.getNano() * 1e-9;
    } catch (DateTimeException e) {
      return Double.NaN;
    }
  }

  static boolean isEpoch(double seconds) {
    return seconds >= EPOCH;
  }
}
