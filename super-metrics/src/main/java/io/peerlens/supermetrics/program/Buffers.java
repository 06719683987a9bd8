package io.peerlens.supermetrics.program;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Pool of arrays for columns. Columns of 100,000 objects are so large that garbage collectors give
 * each a region of its own; a tick would make hundreds of them. Not thread-safe.
 */
final class Buffers {

  private static final int LEAST = 64;

  private final Map<Integer, Deque<double[]>> free = new HashMap<>();

  /** An array that holds anything. */
  double[] take(int length) {
    if (length >= LEAST) {
      Deque<double[]> arrays = free.get(length);
      if (arrays != null && !arrays.isEmpty()) {
        return arrays.pop();
      }
    }
    return new double[length];
  }

  void give(double[] array) {
    if (array.length >= LEAST) {
      free.computeIfAbsent(array.length, length -> new ArrayDeque<>()).push(array);
    }
  }

  /** Forgets arrays of lengths that the kinds of objects no longer have. */
  void clear() {
    free.clear();
  }
}
