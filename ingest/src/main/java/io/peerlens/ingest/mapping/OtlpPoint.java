package io.peerlens.ingest.mapping;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Meaning of a point of OpenTelemetry.
 *
 * @param outputs what it gives a value to; none = it is dropped
 * @param matched count of the series that were mapped like it
 */
public record OtlpPoint(
    ObjectKey object, ObjectAttributes attributes, List<Output> outputs, LongAdder matched) {

  /** Counts the series, once it is known. */
  public void met() {
    matched.increment();
  }

  /** How values of several points come to one. */
  public enum Role {
    /** The point's own value. */
    VALUE,
    /** Added up over the points of a resource in a record that have the same time. */
    SUM,
    /** Their mean. */
    MEAN
  }

  /**
   * A metric that gets a value.
   *
   * @param instance empty = over all instances
   * @param unit null = not known
   * @param rateAs null = none
   * @param derived what is computed of this metric
   */
  public record Output(
      String group,
      String instance,
      String metric,
      @Nullable String unit,
      double multiply,
      Role role,
      @Nullable RateAs rateAs,
      List<Derived> derived) {}

  /** A second metric of the increase for each second; over several instances it is their mean. */
  public record RateAs(String metric, double multiply, @Nullable String unit) {}

  /**
   * A metric in percent of the same row.
   *
   * @param of the part; what is left of 100 when there is no total
   * @param total metrics that are the whole together; empty = this is what is left of 100
   */
  public record Derived(String metric, String of, List<String> total) {}
}
