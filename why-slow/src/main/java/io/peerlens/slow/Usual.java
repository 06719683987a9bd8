package io.peerlens.slow;

/**
 * Range of a figure that is usual at an hour.
 *
 * @param low lower end
 * @param high upper end
 * @param learned whether it is a learned band; otherwise it is from the hours before
 */
public record Usual(double low, double high, boolean learned) {

  public Usual {
    if (!(low <= high)) {
      throw new IllegalArgumentException("low " + low + " is not up to high " + high);
    }
  }

  double middle() {
    return (low + high) / 2;
  }
}
