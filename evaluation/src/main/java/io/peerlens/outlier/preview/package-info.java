/** Tries an outlier group on the past before it is stored. */
@NullMarked
package io.peerlens.outlier.preview;

import org.jspecify.annotations.NullMarked;
