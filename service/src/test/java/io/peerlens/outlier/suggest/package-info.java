@NullMarked
package io.peerlens.outlier.suggest;

import org.jspecify.annotations.NullMarked;
