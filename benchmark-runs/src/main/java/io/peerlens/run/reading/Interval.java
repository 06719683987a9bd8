package io.peerlens.run.reading;

import org.jspecify.annotations.Nullable;

/**
 * Interval that holds a value with a stated probability, or the least and the most of several
 * values.
 *
 * @param low finite
 * @param high finite, at least {@code low}
 */
public record Interval(double low, double high) {

  public Interval {
    if (!Double.isFinite(low) || !Double.isFinite(high) || low > high) {
      throw new IllegalArgumentException("No interval from " + low + " to " + high);
    }
  }

  /** Both ends where they are numbers, else null: no end can be named. */
  static @Nullable Interval of(double low, double high) {
    return Double.isFinite(low) && Double.isFinite(high) && low <= high
        ? new Interval(low, high)
        : null;
  }

  /** Whether a value is in it; its ends are. */
  public boolean contains(double value) {
    return value >= low && value <= high;
  }
}
