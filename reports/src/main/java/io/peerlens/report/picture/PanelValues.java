package io.peerlens.report.picture;

import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values of panels as texts. Thread-safe. */
final class PanelValues {

  private static final int DIGITS = 4;

  private final DateTimeFormatter times;

  PanelValues(ZoneId zone) {
    this.times = DateTimeFormatter.ofPattern("d MMM uuuu HH:mm", Locale.ENGLISH).withZone(zone);
  }

  /** A moment in milliseconds since 1970. */
  String time(long millis) {
    return times.format(Instant.ofEpochMilli(millis));
  }

  /** A cell without its unit; empty = no value. */
  String cell(PanelColumn column, @Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Number number when column.getType() == PanelColumnType.TIME -> time(number.longValue());
      case Number number -> number(number.doubleValue(), column.getDecimals());
      default -> value.toString();
    };
  }

  /** A cell with its unit, such as {@code 12.5 %}. */
  String withUnit(PanelColumn column, @Nullable Object value) {
    String text = cell(column, value);
    String unit = column.getUnit();
    return text.isEmpty() || unit == null || !(value instanceof Number) ? text : text + " " + unit;
  }

  /** The title of a column, with its unit. */
  static String title(PanelColumn column) {
    String unit = column.getUnit();
    return unit == null || unit.isEmpty() || column.getType() != PanelColumnType.NUMBER
        ? column.getTitle()
        : column.getTitle() + " (" + unit + ")";
  }

  /**
   * A number.
   *
   * @param decimals null = as many as four digits need
   */
  static String number(double value, @Nullable Integer decimals) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal exact = BigDecimal.valueOf(value);
    if (decimals != null) {
      return grouped(exact.setScale(decimals, RoundingMode.HALF_UP));
    }
    // Whole digits are kept: 123456 is not 123500.
    int whole = exact.precision() - exact.scale();
    BigDecimal rounded =
        exact.round(new MathContext(Math.max(DIGITS, whole), RoundingMode.HALF_UP));
    return rounded.signum() == 0 ? "0" : grouped(rounded.stripTrailingZeros());
  }

  /** With commas between thousands. */
  private static String grouped(BigDecimal number) {
    return String.format(Locale.ROOT, "%,." + Math.max(0, number.scale()) + "f", number);
  }
}
