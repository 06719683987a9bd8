/**
 * Comparison of periods: whether values of one differ from those of another, and whether that is
 * better.
 */
@NullMarked
package io.peerlens.baselines.compare;

import org.jspecify.annotations.NullMarked;
