package io.peerlens.notify.delivery;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Exponential backoff: how long to wait before the next attempt, a random share of a time that
 * doubles with each attempt, so that what failed together does not come back together.
 *
 * @param first the longest wait after the first attempt
 * @param longest the longest wait at all, also where the receiver asks for more
 * @param random from 0 to 1
 */
record Backoff(Duration first, Duration longest, DoubleSupplier random) {

  /** Waiting less makes no difference to a receiver that is in trouble. */
  private static final long LEAST_MILLIS = 100;

  /**
   * The wait after an attempt.
   *
   * @param attempts made so far, from 1
   */
  Duration after(int attempts) {
    double most =
        Math.min(
            (double) longest.toMillis(),
            first.toMillis() * Math.pow(2, Math.min(attempts - 1, 40)));
    return Duration.ofMillis(Math.max(LEAST_MILLIS, (long) (most * random.getAsDouble())));
  }

  /** What the receiver asks for, but not more than the longest wait. */
  Duration asked(Duration wanted) {
    return wanted.compareTo(longest) > 0 ? longest : wanted;
  }
}
