/** Outlier events: search, actions, exceptions, and how long results are kept. */
@NullMarked
package io.peerlens.outlier.event;

import org.jspecify.annotations.NullMarked;
