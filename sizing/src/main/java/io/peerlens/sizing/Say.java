package io.peerlens.sizing;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as sentences write them. */
final class Say {

  private Say() {}

  /** At most one decimal below 100, none above; no trailing zero. */
  static String number(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "not known";
    }
    BigDecimal rounded =
        Math.abs(value) < 0.1
            ? BigDecimal.valueOf(value).round(new MathContext(1, RoundingMode.HALF_UP))
            : BigDecimal.valueOf(value)
                .setScale(Math.abs(value) < 100 ? 1 : 0, RoundingMode.HALF_UP);
    String plain = rounded.stripTrailingZeros().toPlainString();
    return plain.equals("-0") ? "0" : plain;
  }

  static String percent(double share) {
    return number(100 * share) + " %";
  }

  static String gigabytes(double gb) {
    return number(gb) + " GB";
  }

  static String days(double days) {
    return count((long) Math.floor(days), "day");
  }

  static String count(long n, String one) {
    return n + " " + one + (n == 1 ? "" : "s");
  }

  static String hour(int hourOfDay) {
    return String.format(Locale.ROOT, "%02d:00", Math.floorMod(hourOfDay, 24));
  }
}
