/** Suggests outlier groups from machines that are alike. */
@NullMarked
package io.peerlens.outlier.suggest;

import org.jspecify.annotations.NullMarked;
