@NullMarked
package io.peerlens.outlier.result;

import org.jspecify.annotations.NullMarked;
