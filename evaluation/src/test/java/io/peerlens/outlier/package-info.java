@NullMarked
package io.peerlens.outlier;

import org.jspecify.annotations.NullMarked;
