package io.peerlens.series;

import io.peerlens.store.SampleReader.Part;
import java.util.EnumSet;
import java.util.Set;

/**
 * Aggregation of the values of a step or a window. Exact over roll-ups as over raw samples, but for
 * percentiles; of these, {@link PercentileOrigin} says what they were computed from.
 */
public enum Aggregation {
  /** Mean of all values, each weighing the same. */
  AVG(EnumSet.of(Part.AVG, Part.COUNT)),
  /** Least value. */
  MIN(EnumSet.of(Part.MIN)),
  /** Greatest value. */
  MAX(EnumSet.of(Part.MAX)),
  /** Sum of all values. */
  SUM(EnumSet.of(Part.AVG, Part.COUNT)),
  /** The value latest in time. */
  LAST(EnumSet.of(Part.LAST)),
  /** Number of values. */
  COUNT(EnumSet.of(Part.COUNT)),
  /** The value that so many percent do not exceed, see {@link Percentile}. */
  PERCENTILE(EnumSet.of(Part.AVG, Part.COUNT, Part.MIN, Part.MAX, Part.SKETCH));

  private final Set<Part> parts;

  Aggregation(Set<Part> parts) {
    this.parts = parts;
  }

  /** What of a bucket is needed to compute it. */
  public Set<Part> parts() {
    return parts;
  }
}
