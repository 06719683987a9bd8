package io.peerlens.ingest;

import io.peerlens.ingest.otlp.Point;
import java.util.Arrays;

/** Points of a record, in columns, those of one resource behind those of the other. Reused. */
final class OtlpPoints {

  int count;
  OtlpSeries[] series = new OtlpSeries[256];

  /** When, in microseconds. */
  long[] time = new long[256];

  /** Since when it counts, in microseconds; 0 = it does not say. */
  long[] start = new long[256];

  double[] value = new double[256];

  /** Whether there is no value on purpose. */
  boolean[] nothing = new boolean[256];

  /** Where it stands in the record, for those that have more than a value. */
  int[] pointFrom = new int[256];

  int[] pointTo = new int[256];

  void clear() {
    count = 0;
  }

  void add(OtlpSeries of, long micros, Point point, int from, int to) {
    if (count == series.length) {
      grow(count * 2);
    }
    series[count] = of;
    time[count] = micros;
    start[count] = Long.divideUnsigned(point.startNanos, 1_000);
    value[count] = point.value;
    nothing[count] = point.noRecordedValue;
    pointFrom[count] = from;
    pointTo[count++] = to;
  }

  private void grow(int size) {
    series = Arrays.copyOf(series, size);
    time = Arrays.copyOf(time, size);
    start = Arrays.copyOf(start, size);
    value = Arrays.copyOf(value, size);
    nothing = Arrays.copyOf(nothing, size);
    pointFrom = Arrays.copyOf(pointFrom, size);
    pointTo = Arrays.copyOf(pointTo, size);
  }
}
