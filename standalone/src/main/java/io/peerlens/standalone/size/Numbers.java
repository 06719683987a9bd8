package io.peerlens.standalone.size;

import java.util.Locale;

/** Figures as people read them: three digits, bytes in decimal units. */
final class Numbers {
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Numbers() {}

  static String number(double value) {
    if (value > 0 && value < 0.01) {
      return "under 0.01";
    }
    boolean whole = value == Math.rint(value);
    String form = value >= 10 || whole ? "%,.0f" : value >= 1 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }

  static String range(Range range) {
    String low = number(range.low());
    String high = number(range.high());
    return low.equals(high) ? low : low + " to " + high;
  }

  static String percent(Range range) {
    return range(range.times(100)) + " %";
  }

  static String bytes(double bytes) {
    return bytes(Range.of(bytes));
  }

  /** Both ends in the unit of the greater one. */
  static String bytes(Range bytes) {
    int unit = 0;
    double size = 1;
    while (bytes.high() / size >= 999.5 && unit < UNITS.length - 1) {
      size *= 1000;
      unit++;
    }
    return range(bytes.times(1 / size)) + " " + UNITS[unit];
  }
}
