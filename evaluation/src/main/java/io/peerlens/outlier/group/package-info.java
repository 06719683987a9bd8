/** Outlier groups: which machines are compared, by which metrics, and how they are stored. */
@NullMarked
package io.peerlens.outlier.group;

import org.jspecify.annotations.NullMarked;
