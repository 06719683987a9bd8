package io.peerlens.run.read;

import java.util.Arrays;

/** A list of numbers that grows. */
final class Doubles {

  private double[] values = new double[16];
  private int size;

  void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  double get(int index) {
    return values[index];
  }

  double[] toArray() {
    return Arrays.copyOf(values, size);
  }

  /** NaN = there are none. */
  double median() {
    double[] sorted = toArray();
    Arrays.sort(sorted);
    return size == 0 ? Double.NaN : sorted[size / 2];
  }
}
