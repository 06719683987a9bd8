package io.peerlens.frame;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A column of a property while it is changed. Arrays are copied when something is really other, and
 * never parsed anew as a whole.
 */
final class PropertyColumn {

  private Column column;
  private boolean own;

  private PropertyColumn(Column column, boolean own) {
    this.column = column;
    this.own = own;
  }

  /** The column of a property that no object has. */
  static Column nothing(int length) {
    double[] numbers = new double[length];
    Arrays.fill(numbers, Double.NaN);
    return new Column(numbers, null, null);
  }

  /** That of a kind whose objects may have other numbers now; new ones have no value. */
  static PropertyColumn of(Column column, ObjectGraph before, ObjectGraph now, ObjectKind kind) {
    if (now.hasNumbersOf(before)) {
      return new PropertyColumn(column, false);
    }
    int count = now.count(kind);
    Column moved = nothing(count);
    @Nullable String @Nullable [] texts = column.texts();
    if (texts == null) {
      return new PropertyColumn(moved, true);
    }
    @Nullable String[] movedTexts = new @Nullable String[count];
    for (int i = 0; i < count; i++) {
      int old = before.number(kind, now.id(kind, i));
      if (old >= 0) {
        movedTexts[i] = texts[old];
        moved.numbers()[i] = column.numbers()[old];
      }
    }
    return new PropertyColumn(new Column(moved.numbers(), movedTexts, null), true);
  }

  void set(int number, @Nullable String text) {
    @Nullable String @Nullable [] texts = column.texts();
    if (number < 0 || (texts == null ? text == null : Objects.equals(texts[number], text))) {
      return;
    }
    if (!own || texts == null) {
      int length = column.numbers().length;
      texts = texts == null ? new @Nullable String[length] : texts.clone();
      column = new Column(column.numbers().clone(), texts, null);
      own = true;
    }
    texts[number] = text;
    column.numbers()[number] = Column.number(text);
  }

  /** One of a property that no object has any more has no texts. */
  Column column() {
    @Nullable String @Nullable [] texts = column.texts();
    return texts == null || Arrays.stream(texts).anyMatch(text -> text != null)
        ? column
        : nothing(texts.length);
  }
}
