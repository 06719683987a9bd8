package io.peerlens.learning;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Bounds of one metric in one hour.
 *
 * @param sets ids of the metric sets, ascending
 * @param lower of each set, before any margin; NaN = none
 * @param upper of each set, before any margin; NaN = none
 * @param spread of each set; NaN = nothing learned
 */
record BandColumns(int[] sets, float[] lower, float[] upper, float[] spread) {

  static final BandColumns NONE =
      new BandColumns(new int[0], new float[0], new float[0], new float[0]);

  /** The same in the order of sets. */
  BandColumns sorted() {
    boolean ascending = IntStream.range(1, sets.length).allMatch(i -> sets[i - 1] < sets[i]);
    if (ascending) {
      return this;
    }
    long[] order = new long[sets.length];
    Arrays.setAll(order, i -> (long) sets[i] << 32 | i);
    Arrays.sort(order);
    int[] ids = new int[order.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = (int) (order[i] >> 32);
    }
    return new BandColumns(
        ids, inOrder(lower, order), inOrder(upper, order), inOrder(spread, order));
  }

  private static float[] inOrder(float[] values, long[] order) {
    float[] sorted = new float[order.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = values[(int) order[i]];
    }
    return sorted;
  }

  /** Place of a set; negative = nothing is learned of it. */
  int place(int set) {
    return Arrays.binarySearch(sets, set);
  }
}
