package io.peerlens.threshold;

import io.peerlens.learning.LearnedBands;

/**
 * Source of learned bounds.
 *
 * @param now asked for moments, which follow one another
 * @param before asked for the hours before these; it may be the same, but each of two has to read
 *     an hour only once
 */
record Learned(LearnedBands now, LearnedBands before) {}
