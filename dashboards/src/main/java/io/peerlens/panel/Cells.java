package io.peerlens.panel;

import io.peerlens.dashboard.file.Column;
import io.peerlens.series.PercentileOrigin;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values of a column, one for each row: numbers, texts or times.
 *
 * @param numbers NaN = no number; times are milliseconds since 1970
 * @param texts null = the column has no texts
 * @param unit null = none is known
 * @param key metric or property that was read; null = none
 * @param isTime whether the numbers are times
 * @param origin of percentiles; null = there are none
 * @param factor by which values were multiplied to be in the unit of the column
 */
record Cells(
    Column column,
    double[] numbers,
    @Nullable String @Nullable [] texts,
    @Nullable String unit,
    @Nullable String key,
    boolean isTime,
    PercentileOrigin.@Nullable From origin,
    double factor) {

  /** So many numbers that are not there. */
  static double[] none(int size) {
    double[] values = new double[size];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  static Cells numbers(Column column, double[] numbers, @Nullable String unit) {
    return new Cells(column, numbers, null, unit, null, false, null, 1);
  }

  static Cells times(Column column, double[] millis) {
    return new Cells(column, millis, null, null, null, true, null, 1);
  }

  /** Texts; numbers if each of them is one. */
  static Cells texts(Column column, @Nullable String[] texts, @Nullable String key) {
    double[] numbers = new double[texts.length];
    boolean any = false;
    boolean all = true;
    for (int row = 0; row < texts.length; row++) {
      numbers[row] = io.peerlens.supermetrics.program.Column.number(texts[row]);
      if (texts[row] != null) {
        any = true;
        all &= !Double.isNaN(numbers[row]);
      }
    }
    return new Cells(column, numbers, any && all ? null : texts, null, key, false, null, 1);
  }

  boolean isText() {
    return texts != null;
  }

  boolean has(int row) {
    return texts == null ? !Double.isNaN(numbers[row]) : texts[row] != null;
  }

  /** For answers: a number, a text or null. */
  @Nullable Object value(int row) {
    if (texts != null) {
      return texts[row];
    }
    double number = numbers[row];
    return !Double.isFinite(number) ? null : isTime ? (Object) (long) number : (Object) number;
  }

  /** The text that conditions and patterns see. */
  @Nullable String text(int row) {
    if (texts != null) {
      return texts[row];
    }
    double number = numbers[row];
    return Double.isNaN(number)
        ? null
        : number == Math.rint(number) && Math.abs(number) < 1e15
            ? Long.toString((long) number)
            : Double.toString(number);
  }

  /** Some of the rows, in that order. */
  Cells at(int[] places) {
    @Nullable String[] all = texts;
    return new Cells(
        column,
        Arrays.stream(places).mapToDouble(row -> numbers[row]).toArray(),
        all == null ? null : Arrays.stream(places).mapToObj(row -> all[row]).toArray(String[]::new),
        unit,
        key,
        isTime,
        origin,
        factor);
  }

  /** The numbers in another unit. */
  Cells times(double by, String toUnit) {
    return new Cells(
        column,
        Arrays.stream(numbers).map(number -> number * by).toArray(),
        texts,
        toUnit,
        key,
        isTime,
        origin,
        factor * by);
  }
}
