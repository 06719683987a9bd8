package io.peerlens.ingest;

import java.math.BigDecimal;

/** A field's value as the text of a property. */
final class PropertyText {

  private PropertyText() {}

  /** The value times the factor when it is a number, the value as it is when not. */
  static String of(String value, double multiply) {
    String text =
        value.endsWith("i") || value.endsWith("u") ? value.substring(0, value.length() - 1) : value;
    if (multiply == 1) {
      return isNumber(text) ? text : value;
    }
    return isNumber(text)
        ? new BigDecimal(text)
            .multiply(BigDecimal.valueOf(multiply))
            .stripTrailingZeros()
            .toPlainString()
        : value;
  }

  private static boolean isNumber(String text) {
    return text.length() <= 30 && text.matches("-?\\d+(\\.\\d+)?");
  }
}
