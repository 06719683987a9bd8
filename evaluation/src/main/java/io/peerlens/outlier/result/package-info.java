/** Results of outlier groups, now and at past moments: states, members, and their values. */
@NullMarked
package io.peerlens.outlier.result;

import org.jspecify.annotations.NullMarked;
