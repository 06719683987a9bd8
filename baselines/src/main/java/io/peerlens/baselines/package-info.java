/**
 * Baselines: what is usual for a series at each hour of the week, learned from its own past; where
 * it is heading; and whether two periods differ.
 *
 * <p>The past of a series is one cell for each hour: lowest, mean and highest value. A {@link
 * io.peerlens.baselines.BandLearner} makes a {@link io.peerlens.baselines.Band} of at most four
 * weeks of them: a lower and an upper bound for each hour that is asked for.
 *
 * <p>Value by value, a {@link io.peerlens.baselines.StreamScore} says how unusual each value of a
 * series is, and an {@link io.peerlens.baselines.ObjectScore} how unusual an object with many
 * metrics is.
 *
 * <p>Everything here is a function of what goes in: no clock, no randomness, no threads. Everywhere
 * NaN is "no value". Hours are counted since 1970 in UTC.
 */
@NullMarked
package io.peerlens.baselines;

import org.jspecify.annotations.NullMarked;
