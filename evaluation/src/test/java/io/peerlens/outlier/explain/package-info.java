@NullMarked
package io.peerlens.outlier.explain;

import org.jspecify.annotations.NullMarked;
