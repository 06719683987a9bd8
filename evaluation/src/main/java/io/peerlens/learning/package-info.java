/** Usual range of every series at each hour of the week, learned from its own past. */
@NullMarked
package io.peerlens.learning;

import org.jspecify.annotations.NullMarked;
