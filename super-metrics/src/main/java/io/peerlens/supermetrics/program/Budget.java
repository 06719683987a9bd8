package io.peerlens.supermetrics.program;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Time limit of one formula. Loops over many values look at the clock after every stretch, so no
 * formula holds a tick up for much longer than its time. Not thread-safe.
 */
final class Budget {

  /** Thrown when a formula has had its time, or would need too much memory. */
  @SuppressWarnings("serial")
  static final class Exceeded extends RuntimeException {
    Exceeded(String message) {
      super(message, null, false, false);
    }
  }

  /** Part of a loop over columns. */
  @FunctionalInterface
  interface Loop {
    /**
     * @param from first index
     * @param to behind the last index
     */
    void run(int from, int to);
  }

  /**
   * So many values are computed between two looks at the clock: some 0.1 ms with plain arithmetic,
   * a few ms with texts, and more than a hundred thousand objects cost but one look.
   */
  static final int STRETCH = 1 << 16;

  private final LongSupplier ticker;
  private final Duration time;
  private long deadline;
  private long work;

  /**
   * @param ticker a clock in nanoseconds
   */
  Budget(LongSupplier ticker, Duration time) {
    this.ticker = ticker;
    this.time = time;
  }

  /** One that never ends. */
  static Budget unlimited() {
    return new Budget(() -> 0, Duration.ZERO);
  }

  /** Starts the time anew. */
  void start() {
    deadline = ticker.getAsLong() + time.toNanos();
  }

  /**
   * Looks at the clock.
   *
   * @return how much of the time is left, from 0 to 1
   * @throws Exceeded if it is over
   */
  double check() {
    long left = deadline - ticker.getAsLong();
    if (left < 0) {
      throw new Exceeded("more than " + time.toMillis() + " ms");
    }
    return (double) left / Math.max(1, time.toNanos());
  }

  /** Runs a loop stretch by stretch. */
  void each(int length, Loop loop) {
    int from = 0;
    while (length - from > STRETCH) {
      loop.run(from, from + STRETCH);
      from += STRETCH;
      check();
    }
    loop.run(from, length);
  }

  /**
   * Tells that so many values were looked at, and looks at the clock if that makes a stretch
   * together with those before.
   */
  void spent(int values) {
    work += values;
    if (work >= STRETCH) {
      work = 0;
      check();
    }
  }
}
