package io.peerlens.series;

import io.peerlens.store.SampleRow;
import java.util.Arrays;

/**
 * Values on the way to become one value for each cell. Cells without a value stay NaN. Percentiles
 * need more than one number on the way: {@link PercentileCells}.
 */
public final class Cells {
  private final Aggregation aggregation;
  private final double[] value;
  private final long[] weight; // number of values, or for LAST the time of the value

  /**
   * @throws IllegalArgumentException for percentiles
   */
  public Cells(Aggregation aggregation, int size) {
    this.aggregation = aggregation;
    value = new double[size];
    boolean weighs =
        switch (aggregation) {
          case AVG, LAST -> true;
          case MIN, MAX, SUM, COUNT -> false;
          case PERCENTILE -> throw new IllegalArgumentException("Percentiles have other cells");
        };
    weight = new long[weighs ? size : 0];
    Arrays.fill(value, Double.NaN);
  }

  /** Takes one position of a row into a cell. */
  public void add(int cell, SampleRow row, int index) {
    double avg = row.avg(index);
    if (Double.isNaN(avg)) {
      return;
    }
    boolean first = Double.isNaN(value[cell]);
    switch (aggregation) {
      case AVG -> {
        int count = row.count(index);
        double sum = count == 1 ? avg : avg * count;
        value[cell] = first ? sum : value[cell] + sum;
        weight[cell] += count;
      }
      case SUM -> {
        double sum = avg * row.count(index);
        value[cell] = first ? sum : value[cell] + sum;
      }
      case MIN -> value[cell] = first ? row.min(index) : Math.min(value[cell], row.min(index));
      case MAX -> value[cell] = first ? row.max(index) : Math.max(value[cell], row.max(index));
      case COUNT -> value[cell] = first ? row.count(index) : value[cell] + row.count(index);
      case LAST -> {
        if (first || row.time() >= weight[cell]) {
          value[cell] = row.last(index);
          weight[cell] = row.time();
        }
      }
      case PERCENTILE -> throw new IllegalStateException("Percentiles have other cells");
    }
  }

  /** The values of cells {@code [from, to)}; NaN = none. */
  public double[] values(int from, int to) {
    double[] result = Arrays.copyOfRange(value, from, to);
    if (aggregation == Aggregation.AVG) {
      for (int i = 0; i < result.length; i++) {
        result[i] /= weight[from + i]; // NaN / 0 stays NaN
      }
    }
    return result;
  }
}
