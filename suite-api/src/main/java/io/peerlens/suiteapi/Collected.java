package io.peerlens.suiteapi;

import io.peerlens.suiteapi.StatQueries.Points;
import io.peerlens.web.Doubles;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Values of a series on their way from the database, without an object for each. */
final class Collected {

  private long[] times = new long[16];
  private double[] values = new double[16];
  private int size;
  private boolean ordered = true;

  /** Adds a value at a time in epoch milliseconds; of two at the same time the later one counts. */
  void add(long time, double value) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    ordered &= size == 0 || time > times[size - 1];
    times[size] = time;
    values[size] = value;
    size++;
  }

  /**
   * The values in the order of their times.
   *
   * @param others times that may be the same; null = there are none
   */
  Points points(@Nullable Times others) {
    if (!ordered) {
      order();
    }
    return new Points(
        Times.of(Arrays.copyOf(times, size)).orElse(others),
        Doubles.of(Arrays.copyOf(values, size)));
  }

  private void order() {
    TreeMap<Long, Double> all = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      all.put(times[i], values[i]);
    }
    size = 0;
    ordered = true;
    all.forEach(this::add);
  }
}
