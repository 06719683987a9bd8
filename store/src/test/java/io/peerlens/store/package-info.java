/** Samples, roll-ups, retention and views against a real database. */
@NullMarked
package io.peerlens.store;

import org.jspecify.annotations.NullMarked;
