package io.peerlens.threshold;

import io.peerlens.baselines.Sensitivity;

/** Bound that a value is compared with. */
public sealed interface Bound {

  /** The same for all objects at all times. */
  record Fixed(double value) implements Bound {}

  /**
   * Value of a metric or property of the same object at the moment.
   *
   * @param property whether the key is meant to be a property's; where a metric has it too, the
   *     metric is read all the same
   */
  record OfKey(boolean property, String key, double factor, double offset) implements Bound {}

  /**
   * Both learned bounds of the very series at this hour of the week, as far as it has been learned.
   * A value has to be beyond them by more than either deviation.
   *
   * @param minimumDeviation in the unit of the metric; 0 = none
   * @param minimumRelativeDeviation as a share of the size of the end that the value is beyond; 0 =
   *     none
   */
  record Learned(Sensitivity sensitivity, double minimumDeviation, double minimumRelativeDeviation)
      implements Bound {}
}
