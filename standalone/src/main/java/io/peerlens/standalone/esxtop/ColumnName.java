package io.peerlens.standalone.esxtop;

import org.jspecify.annotations.Nullable;

/**
 * Name of a column as performance counters are written: {@code \\host\Object(instance)\Counter}, or
 * without instance.
 *
 * @param instance empty = there is none
 */
record ColumnName(String host, String object, String instance, String counter) {

  /** Takes a name apart; null when it has another form. */
  static @Nullable ColumnName parse(String text) {
    if (!text.startsWith("\\\\")) {
      return null;
    }
    int afterHost = text.indexOf('\\', 2);
    if (afterHost <= 2) {
      return null;
    }
    String host = text.substring(2, afterHost);
    int bracket = text.indexOf('(', afterHost);
    int backslash = text.indexOf('\\', afterHost + 1);
    if (bracket < 0 || (backslash >= 0 && backslash < bracket)) {
      return backslash < 0
          ? null
          : new ColumnName(
              host, text.substring(afterHost + 1, backslash), "", text.substring(backslash + 1));
    }
    // Names of machines hold brackets and backslashes, counters hold no ")\".
    int end = text.lastIndexOf(")\\");
    return end < bracket
        ? null
        : new ColumnName(
            host,
            text.substring(afterHost + 1, bracket),
            text.substring(bracket + 1, end),
            text.substring(end + 2));
  }
}
