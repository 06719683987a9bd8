package io.peerlens.series;

import io.peerlens.store.ValueSketch;
import org.jspecify.annotations.Nullable;

/**
 * Origin of a percentile: what it was computed from.
 *
 * @param from the least exact of its parts
 * @param meansShare part of the values that only means stand for, 0 to 1
 */
public record PercentileOrigin(From from, double meansShare) {

  /** Sources of values, most exact first. */
  public enum From {
    /** Raw samples; exact. */
    RAW,
    /** Sketches of hours, and buckets whose values are all equal; within the error of a sketch. */
    SKETCH,
    /**
     * For a part, means of 5 minutes or hours, each as often as it has values; how far off this is
     * is not known.
     */
    MEANS
  }

  /** How far a value may be off, as a part of it; null = exact, or not known. */
  public @Nullable Double relativeError() {
    return from == From.SKETCH ? ValueSketch.RELATIVE_ERROR : null;
  }

  /** The less exact of two. */
  public PercentileOrigin worse(PercentileOrigin other) {
    int compared = from.compareTo(other.from);
    return compared == 0
        ? (meansShare >= other.meansShare ? this : other)
        : compared > 0 ? this : other;
  }
}
