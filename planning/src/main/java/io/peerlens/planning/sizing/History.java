package io.peerlens.planning.sizing;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a machine did. Columns have one value for each hour, NaN = none.
 *
 * @param columns of all measures
 * @param keys which key each column is of; a column without values has none
 * @param last values; NaN = not known
 */
record History(
    Map<Measure, double[]> columns, Map<Measure, String> keys, Map<Measure.Last, Double> last) {

  double[] column(Measure measure) {
    double[] column = columns.get(measure);
    if (column == null) {
      throw new IllegalStateException(measure + " was not read");
    }
    return column;
  }

  boolean has(Measure measure) {
    return keys.containsKey(measure);
  }

  @Nullable String key(Measure measure) {
    return keys.get(measure);
  }

  double last(Measure.Last what) {
    return last.getOrDefault(what, Double.NaN);
  }

  /** The last value of a column; NaN = it has none. */
  static double last(double[] column) {
    for (int i = column.length - 1; i >= 0; i--) {
      if (!Double.isNaN(column[i])) {
        return column[i];
      }
    }
    return Double.NaN;
  }

  static History empty() {
    return new History(
        new EnumMap<>(Measure.class),
        new EnumMap<>(Measure.class),
        new EnumMap<>(Measure.Last.class));
  }
}
