package io.peerlens.panel;

import io.peerlens.dashboard.file.Column.Transform.Plain;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleRow;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Values of a window on the way to become one for each cell. Cells without a value stay NaN. Times
 * are microseconds since 1970; of a bucket, its begin.
 */
final class Fold {

  private final Plain of;
  private final double[] value;
  private final long[] weight; // number of values, or the time of the value

  /**
   * @param of none of {@code CURRENT} and {@code TREND}, which are no folds
   */
  Fold(Plain of, int cells) {
    this.of = of;
    value = new double[cells];
    weight = new long[cells];
    Arrays.fill(value, Double.NaN);
  }

  /** What it reads of rows. */
  Set<Part> parts() {
    return switch (of) {
      case AVG, SUM, COUNT -> EnumSet.of(Part.COUNT);
      case MIN, TIME_OF_MIN -> EnumSet.of(Part.MIN);
      case MAX, TIME_OF_MAX -> EnumSet.of(Part.MAX);
      case LAST, TIMESTAMP -> EnumSet.of(Part.LAST);
      case FIRST, CURRENT, TREND -> EnumSet.of(Part.AVG);
    };
  }

  /** Whether it becomes the same of one row that stands for all of a set. */
  boolean folds() {
    return switch (of) {
      case AVG, SUM, COUNT, MIN, MAX -> true;
      default -> false;
    };
  }

  void add(int cell, SampleRow row, int index) {
    double avg = row.avg(index);
    if (Double.isNaN(avg)) {
      return;
    }
    boolean first = Double.isNaN(value[cell]);
    switch (of) {
      case AVG -> {
        int count = row.count(index);
        value[cell] = (first ? 0 : value[cell]) + avg * count;
        weight[cell] += count;
      }
      case SUM -> value[cell] = (first ? 0 : value[cell]) + avg * row.count(index);
      case COUNT -> value[cell] = (first ? 0 : value[cell]) + row.count(index);
      case MIN, TIME_OF_MIN ->
          keep(cell, row, row.min(index), first || row.min(index) < value[cell]);
      case MAX, TIME_OF_MAX ->
          keep(cell, row, row.max(index), first || row.max(index) > value[cell]);
      case LAST, TIMESTAMP -> keep(cell, row, row.last(index), first || row.time() >= weight[cell]);
      // The first of a bucket is not kept; its mean is the nearest that is.
      case FIRST -> keep(cell, row, avg, first || row.time() < weight[cell]);
      case CURRENT, TREND -> throw new IllegalStateException(of + " is no fold");
    }
  }

  private void keep(int cell, SampleRow row, double candidate, boolean better) {
    if (better) {
      value[cell] = candidate;
      weight[cell] = row.time();
    }
  }

  /** The value of a cell; a time is in milliseconds since 1970. NaN = none. */
  double value(int cell) {
    if (Double.isNaN(value[cell])) {
      return Double.NaN;
    }
    return switch (of) {
      case AVG -> value[cell] / weight[cell];
      case TIMESTAMP, TIME_OF_MIN, TIME_OF_MAX -> weight[cell] / 1000;
      default -> value[cell];
    };
  }
}
