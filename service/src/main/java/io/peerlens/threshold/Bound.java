package io.peerlens.threshold;

/** What a value is held against. */
public sealed interface Bound {

  /** The same for all objects at all times. */
  record Fixed(double value) implements Bound {}

  /**
   * What a metric or property of the same object says at the moment.
   *
   * @param property whether the key is meant to be a property's; where a metric has it too, the
   *     metric is read all the same
   */
  record OfKey(boolean property, String key, double factor, double offset) implements Bound {}
}
