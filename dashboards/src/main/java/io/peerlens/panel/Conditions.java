package io.peerlens.panel;

import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Select.Condition;
import io.peerlens.dashboard.file.Select.Op;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Conditions on single objects. */
final class Conditions {

  private Conditions() {}

  /**
   * Whether a row meets a condition. A row without a value meets {@code notExists}, {@code !=} and
   * {@code notContains} only.
   *
   * @param wanted what is compared with, with the values of variables
   */
  static boolean holds(Op op, Cells cells, int row, @Nullable Object wanted) {
    boolean has = cells.has(row);
    if (op == Op.EXISTS || op == Op.NOT_EXISTS) {
      return has == (op == Op.EXISTS);
    }
    if (!has) {
      return op == Op.NOT_EQUAL || op == Op.NOT_CONTAINS;
    }
    double number = cells.isText() ? Double.NaN : cells.numbers()[row];
    double other = number(wanted);
    boolean numeric = !Double.isNaN(number) && !Double.isNaN(other);
    String text = Objects.requireNonNull(cells.text(row)).toLowerCase(Locale.ROOT);
    String with = String.valueOf(wanted).toLowerCase(Locale.ROOT);
    return switch (op) {
      case GREATER -> numeric && number > other;
      case GREATER_OR_EQUAL -> numeric && number >= other;
      case LESS -> numeric && number < other;
      case LESS_OR_EQUAL -> numeric && number <= other;
      case EQUAL -> numeric ? number == other : text.equals(with);
      case NOT_EQUAL -> numeric ? number != other : !text.equals(with);
      case CONTAINS -> text.contains(with);
      case NOT_CONTAINS -> !text.contains(with);
      case STARTS_WITH -> text.startsWith(with);
      case ENDS_WITH -> text.endsWith(with);
      case MATCHES -> new Glob(with).matches(text);
      case EXISTS, NOT_EXISTS -> throw new IllegalStateException("decided above");
    };
  }

  private static double number(@Nullable Object value) {
    return value instanceof Double number
        ? number
        : value == null
            ? Double.NaN
            : io.peerlens.supermetrics.program.Column.number(value.toString());
  }

  /** A condition in words. */
  static String words(Condition condition, @Nullable Object value) {
    String what =
        switch (condition.what()) {
          case Column.OfMetric of -> of.metric().any().getFirst();
          case Column.Property property -> property.key();
          case Column.Tag tag -> "tag " + tag.key();
          case Column.Attribute attribute ->
              attribute.name().toLowerCase(Locale.ROOT).replace('_', ' ');
          default -> "column";
        };
    String op =
        switch (condition.op()) {
          case CONTAINS -> "contains";
          case NOT_CONTAINS -> "does not contain";
          case STARTS_WITH -> "starts with";
          case ENDS_WITH -> "ends with";
          case MATCHES -> "matches";
          case EXISTS -> "is known";
          case NOT_EXISTS -> "is not known";
          default -> condition.op().word();
        };
    return value == null ? what + " " + op : what + " " + op + " " + plain(value);
  }

  private static String plain(Object value) {
    return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString(number.longValue())
        : value.toString();
  }
}
