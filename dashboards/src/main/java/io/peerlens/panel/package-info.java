/** Answers to what panels ask: which objects, which values, and why there are none. */
@NullMarked
package io.peerlens.panel;

import org.jspecify.annotations.NullMarked;
