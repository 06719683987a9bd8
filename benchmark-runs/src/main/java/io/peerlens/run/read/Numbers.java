package io.peerlens.run.read;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers as tools write them. */
final class Numbers {

  /** Longer texts are no number of a benchmark. */
  private static final int LONGEST = 40;

  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)\\s*([kmgtp]?)(i?b?)", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLAIN = Pattern.compile("[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?");

  private Numbers() {}

  /**
   * @return NaN = it is no number, such as {@code n/a} or {@code NaN}, or none that is finite
   */
  static double of(@Nullable String text) {
    if (text == null) {
      return Double.NaN;
    }
    String number = text.strip();
    if (number.isEmpty() || number.length() > LONGEST || !PLAIN.matcher(number).matches()) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(number);
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** A number at the start of a text, such as of {@code 12.5 ms} or {@code 1,234 IO/S}. */
  static double leading(@Nullable String text) {
    if (text == null) {
      return Double.NaN;
    }
    String first = text.strip().split("[\\s%]", 2)[0].replace(",", "");
    return of(first);
  }

  /**
   * Bytes of a size such as {@code 4k}, {@code 64KiB}, {@code 1.5m} or {@code 4096}. All units are
   * powers of 1,024, as fio (by its default {@code kb_base}), vdbench and DiskSpd take them.
   *
   * @return NaN = it is no size
   */
  static double size(@Nullable String text) {
    if (text == null) {
      return Double.NaN;
    }
    Matcher size = SIZE.matcher(text.strip());
    if (!size.matches()) {
      return Double.NaN;
    }
    String unit = size.group(2).toLowerCase(Locale.ROOT);
    int power = unit.isEmpty() ? 0 : "kmgtp".indexOf(unit) + 1;
    return Double.parseDouble(size.group(1)) * Math.pow(1024, power);
  }

  /** Without exponent, trailing zeros or thousands separators. */
  static String plain(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return new BigDecimal(String.format(Locale.ROOT, "%.6f", value))
        .stripTrailingZeros()
        .toPlainString();
  }
}
