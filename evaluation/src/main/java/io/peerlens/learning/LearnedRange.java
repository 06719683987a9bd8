package io.peerlens.learning;

/**
 * Learned bounds of one metric at a moment. Elements belong to objects, by their number within
 * their kind, or to instances, by their place. The arrays may be kept and used again: they are
 * valid until bounds are asked for the next time, and not to be written to.
 *
 * @param lower lower bounds before any margin, in the metric's unit; NaN = nothing learned
 * @param upper upper bounds before any margin; NaN = nothing learned
 * @param spread by which a {@link io.peerlens.baselines.Sensitivity} widens both; NaN = nothing
 *     learned
 */
public record LearnedRange(float[] lower, float[] upper, float[] spread) {}
