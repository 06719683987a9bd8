/** Series, newest values and rankings. */
@NullMarked
package io.peerlens.series;

import org.jspecify.annotations.NullMarked;
