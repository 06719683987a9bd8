package io.peerlens.run.reading;

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

  /** Whether a value is in it; its ends are. */
  public boolean contains(double value) {
    return value >= low && value <= high;
  }
}
