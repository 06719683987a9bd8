package io.peerlens.benchmarks.learned;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Turns the signal of any detector into scores that tell a thing once: a row keeps its score if no
 * row that was told within the day before has one as high; otherwise its score is 0. So a detector
 * may speak again at once when something is more unusual, and a day later in any case. It has no
 * constant but the day.
 */
final class Once {

  private static final long DAY = 86_400;

  private Once() {}

  /**
   * @param seconds time of each row, ascending
   * @param signal not below 0
   */
  static double[] of(long[] seconds, double[] signal) {
    double[] told = new double[signal.length];
    // Told rows of the last day, each higher than those before it: the last one is the highest.
    Deque<Integer> recent = new ArrayDeque<>();
    for (int i = 0; i < signal.length; i++) {
      while (!recent.isEmpty() && seconds[i] - seconds[recent.peekFirst()] > DAY) {
        recent.removeFirst();
      }
      if (recent.isEmpty() || signal[i] > told[recent.peekLast()]) {
        told[i] = signal[i];
        recent.addLast(i);
      }
    }
    return told;
  }
}
