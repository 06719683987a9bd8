/**
 * What runs of a benchmark say: sweeps and their curves, the reading at a latency limit, steady
 * state, scatter, criteria, comparison, drift, likeness to a load profile. Everything is data with
 * a sentence. Nothing is random: the same runs give the same answer. A figure that is not known is
 * null or absent, never NaN.
 */
@NullMarked
package io.peerlens.run.reading;

import org.jspecify.annotations.NullMarked;
