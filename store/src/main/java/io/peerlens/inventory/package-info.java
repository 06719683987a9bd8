/** Watched objects: what they are called, what is known of them, and how they hang together. */
@NullMarked
package io.peerlens.inventory;

import org.jspecify.annotations.NullMarked;
