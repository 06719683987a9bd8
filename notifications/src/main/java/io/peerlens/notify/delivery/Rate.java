package io.peerlens.notify.delivery;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rate limiter of a target: never more than so many within a minute, whichever minute one looks at,
 * and of these never more than a burst within its share of a minute. A limiter that gives out
 * permissions anew each period would let twice as many through around the end of a period.
 * Thread-safe.
 */
final class Rate {

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanos;
  private final long[] taken; // moments of the last ones, as a ring
  private final int burst;
  private final long burstNanos;
  private long count;

  /**
   * A rate of which nothing is used yet.
   *
   * @param burst null = as many as in a minute
   * @param nanos as {@link System#nanoTime}
   */
  Rate(int perMinute, @Nullable Integer burst, LongSupplier nanos) {
    this.nanos = nanos;
    this.taken = new long[perMinute];
    this.burst = Math.clamp(burst == null ? perMinute : burst, 1, perMinute);
    this.burstNanos = MINUTE / perMinute * this.burst;
  }

  /** How many may be taken now, up to a number. */
  synchronized int room(int most) {
    long now = nanos.getAsLong();
    int room = 0;
    while (room < most && isFree(room, now)) {
      room++;
    }
    return room;
  }

  /** Takes one; false = there is none. */
  synchronized boolean take() {
    long now = nanos.getAsLong();
    if (!isFree(0, now)) {
      return false;
    }
    taken[(int) (count % taken.length)] = now;
    count++;
    return true;
  }

  /** Whether one more may be taken after some others. */
  private boolean isFree(int others, long now) {
    return isPast(count + others - taken.length, MINUTE, now)
        && isPast(count + others - burst, burstNanos, now);
  }

  private boolean isPast(long number, long time, long now) {
    return number < 0 || number < count && now - taken[(int) (number % taken.length)] >= time;
  }
}
