package io.peerlens.standalone.esxtop;

import java.nio.charset.StandardCharsets;

/**
 * Cursor over the cells of a line, without making text of them. A cell in quotes ends with the
 * quote that a comma or the end of the line follows, so a name may hold quotes, doubled or not.
 */
final class CellCursor {

  private static final double[] TENS = new double[19];

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = Math.pow(10, i);
    }
  }

  private final byte[] bytes;
  private final int end;
  private int at;
  private boolean more;
  private int cellBegin;
  private int cellEnd;
  private boolean quoted;

  CellCursor(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    at = from;
    end = to;
    more = to > from;
  }

  /** Goes to the next cell; false = there is none. */
  boolean next() {
    if (!more) {
      return false;
    }
    quoted = at < end && bytes[at] == '"';
    int i = quoted ? at + 1 : at;
    cellBegin = i;
    if (quoted) {
      while (i < end && !(bytes[i] == '"' && (i + 1 == end || bytes[i + 1] == ','))) {
        i++;
      }
      cellEnd = i;
      at = Math.min(end, i + 2);
      more = i + 1 < end;
    } else {
      while (i < end && bytes[i] != ',') {
        i++;
      }
      cellEnd = i;
      at = Math.min(end, i + 1);
      more = i < end;
    }
    return true;
  }

  /** Whether the cell is whole: one in quotes has its second one. */
  boolean isClosed() {
    return !quoted || cellEnd < end;
  }

  boolean isEmpty() {
    return cellBegin == cellEnd;
  }

  String text() {
    String text = new String(bytes, cellBegin, cellEnd - cellBegin, StandardCharsets.UTF_8);
    return quoted ? text.replace("\"\"", "\"") : text;
  }

  /** The cell as a number; NaN when it is none. */
  double number() {
    int i = cellBegin;
    boolean negative = i < cellEnd && bytes[i] == '-';
    if (negative) {
      i++;
    }
    long mantissa = 0;
    int digits = 0;
    int decimals = -1;
    for (; i < cellEnd; i++) {
      byte b = bytes[i];
      if (b >= '0' && b <= '9') {
        mantissa = mantissa * 10 + (b - '0');
        digits++;
        decimals += decimals < 0 ? 0 : 1;
      } else if (b == '.' && decimals < 0) {
        decimals = 0;
      } else {
        return slowNumber();
      }
    }
    if (digits == 0 || digits > 18) {
      return slowNumber();
    }
    double value = decimals > 0 ? mantissa / TENS[decimals] : mantissa;
    return negative ? -value : value;
  }

  /** Long numbers, and those with an exponent. */
  private double slowNumber() {
    for (int i = cellBegin; i < cellEnd; i++) {
      byte b = bytes[i];
      boolean possible = (b >= '0' && b <= '9') || "+-.eE".indexOf(b) >= 0;
      if (!possible) {
        return Double.NaN;
      }
    }
    try {
      double value = Double.parseDouble(text());
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /**
   * The cell as a moment, {@code 11/25/2026 13:05:10}, with or without decimals of the second.
   *
   * @param minutesToUtc added to it
   * @return epoch milliseconds; {@link Long#MIN_VALUE} when it is none
   */
  long time(int minutesToUtc) {
    int length = cellEnd - cellBegin;
    if (length < 19
        || bytes[cellBegin + 2] != '/'
        || bytes[cellBegin + 5] != '/'
        || bytes[cellBegin + 10] != ' '
        || bytes[cellBegin + 13] != ':'
        || bytes[cellBegin + 16] != ':'
        || (length > 19 && bytes[cellBegin + 19] != '.')) {
      return Long.MIN_VALUE;
    }
    int month = digits(0, 2);
    int day = digits(3, 2);
    int year = digits(6, 4);
    int hour = digits(11, 2);
    int minute = digits(14, 2);
    int second = digits(17, 2);
    int millis = length >= 23 ? digits(20, 3) : 0;
    if (month < 1
        || month > 12
        || day < 1
        || year < 1970
        || hour < 0
        || hour > 23
        || minute < 0
        || minute > 59
        || second < 0
        || second > 60
        || millis < 0
        || day > java.time.YearMonth.of(year, month).lengthOfMonth()) {
      return Long.MIN_VALUE;
    }
    long days = java.time.LocalDate.of(year, month, day).toEpochDay();
    long seconds = ((days * 24 + hour) * 60 + minute + minutesToUtc) * 60 + second;
    return seconds * 1000 + millis;
  }

  private int digits(int offset, int count) {
    int value = 0;
    for (int i = cellBegin + offset; i < cellBegin + offset + count; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return -1;
      }
      value = value * 10 + (bytes[i] - '0');
    }
    return value;
  }
}
