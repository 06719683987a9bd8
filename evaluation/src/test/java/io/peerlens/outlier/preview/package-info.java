@NullMarked
package io.peerlens.outlier.preview;

import org.jspecify.annotations.NullMarked;
