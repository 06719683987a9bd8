package io.peerlens.supermetrics.program;

import org.jspecify.annotations.Nullable;

/** One value: a number, a text or nothing; with both, a property whose text is a number. */
record Cell(double number, @Nullable String text, @Nullable Boolean fresh, long time) {

  static final Cell NOTHING = new Cell(Double.NaN, null, null, 0);

  static Cell of(double number) {
    return new Cell(number, null, null, 0);
  }

  static Cell of(Column column, int i) {
    String text = column.texts() == null ? null : column.texts()[i];
    boolean[] fresh = column.fresh();
    boolean present = text != null || !Double.isNaN(column.numbers()[i]);
    return new Cell(
        column.numbers()[i],
        text,
        fresh == null || !present ? null : (Boolean) fresh[i],
        column.time(i));
  }

  boolean isPresent() {
    return text != null || isNumber();
  }

  boolean isNumber() {
    return !Double.isNaN(number);
  }

  boolean isFresh() {
    return fresh == null || fresh;
  }

  @Nullable String asText() {
    return text != null ? text : isNumber() ? Column.text(number) : null;
  }
}
