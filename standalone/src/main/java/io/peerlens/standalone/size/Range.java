package io.peerlens.standalone.size;

/**
 * A figure of which two ends are known, such as the best and the worst of several measurements.
 *
 * @param low not above {@code high}
 * @param high may be the same as {@code low}
 */
public record Range(double low, double high) {

  public Range {
    if (!(low <= high)) {
      throw new IllegalArgumentException("A range from " + low + " to " + high);
    }
  }

  static Range of(double value) {
    return new Range(value, value);
  }

  Range plus(Range other) {
    return new Range(low + other.low, high + other.high);
  }

  Range plus(double value) {
    return new Range(low + value, high + value);
  }

  /** By a factor that is not negative. */
  Range times(double factor) {
    return new Range(low * factor, high * factor);
  }

  /** Of two ranges without negative ends. */
  Range times(Range other) {
    return new Range(low * other.low, high * other.high);
  }

  /** How often a rate is exhausted by this load: least for the greatest rate. */
  Range over(Range rate) {
    return new Range(low / rate.high, high / rate.low);
  }

  /** The greater of each end. */
  Range max(Range other) {
    return new Range(Math.max(low, other.low), Math.max(high, other.high));
  }
}
