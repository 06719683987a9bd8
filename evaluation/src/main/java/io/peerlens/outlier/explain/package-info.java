/** Explains an outlier: its other metrics, what changed nearby, what sets its kind apart. */
@NullMarked
package io.peerlens.outlier.explain;

import org.jspecify.annotations.NullMarked;
