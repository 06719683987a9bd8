package io.peerlens.baselines.compare;

/**
 * Values of one metric over one period.
 *
 * @param values values that follow one another in equal steps; NaN = none
 * @param slots for each value the hour of its local week, 0 (Monday from 0 o'clock) to 167; see
 *     {@link io.peerlens.baselines.WeekSlots}
 */
public record Period(double[] values, int[] slots) {

  /**
   * @throws IllegalArgumentException when there is not one slot for each value
   */
  public Period {
    if (values.length != slots.length) {
      throw new IllegalArgumentException(
          values.length + " values and " + slots.length + " slots; one slot is needed for each");
    }
  }

  /** How many values there are. */
  int count() {
    int count = 0;
    for (double value : values) {
      count += Double.isNaN(value) ? 0 : 1;
    }
    return count;
  }
}
