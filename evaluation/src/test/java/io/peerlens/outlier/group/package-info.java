@NullMarked
package io.peerlens.outlier.group;

import org.jspecify.annotations.NullMarked;
