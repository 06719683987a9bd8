@NullMarked
package io.peerlens.outlier.judge;

import org.jspecify.annotations.NullMarked;
