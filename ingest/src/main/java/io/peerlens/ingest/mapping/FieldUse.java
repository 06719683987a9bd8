package io.peerlens.ingest.mapping;

import org.jspecify.annotations.Nullable;

/** Use of a field. */
public sealed interface FieldUse {

  /**
   * A metric.
   *
   * @param unit null when unknown
   */
  record Value(String metric, @Nullable String unit) implements FieldUse {}

  /**
   * A metric that only counts up, and the metric of its increase for each second.
   *
   * @param unit of the counter; null when unknown
   */
  record Counter(String metric, String rateMetric, @Nullable String unit) implements FieldUse {

    /** Unit of the rate; null when the counter's is unknown. */
    public @Nullable String rateUnit() {
      return unit == null ? null : unit + "/s";
    }
  }

  /** A property of the object; numbers are multiplied first. */
  record Property(String property, double multiply) implements FieldUse {}

  /** Use of a field that is dropped. */
  record Drop() implements FieldUse {}
}
