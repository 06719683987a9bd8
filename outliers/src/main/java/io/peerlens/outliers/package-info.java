/**
 * Finds the member of a group of alike machines that differs from its peers.
 *
 * <p>A {@link io.peerlens.outliers.PeerGroup} takes one value per member and metric for each bucket
 * of time, in order, and answers with a {@link io.peerlens.outliers.Judgement}: how far each member
 * is from what its peers let expect, and which events open, go on and close. What it knows of the
 * past is in its state, which can be saved and restored. A {@link io.peerlens.outliers.Replay} runs
 * the same code over a stretch of history.
 *
 * <p>Everything here is a function of what goes in: no clock, no randomness, no threads. Everywhere
 * NaN is "no value". Times are the ends of buckets in milliseconds since 1970.
 */
@NullMarked
package io.peerlens.outliers;

import org.jspecify.annotations.NullMarked;
