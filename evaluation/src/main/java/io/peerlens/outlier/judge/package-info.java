/** Judges the buckets of outlier groups: usual medians, open events, and what a tick writes. */
@NullMarked
package io.peerlens.outlier.judge;

import org.jspecify.annotations.NullMarked;
