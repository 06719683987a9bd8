/** Limits on how much a node computes for requests at once, and on how often a token may ask. */
@NullMarked
package io.peerlens.load;

import org.jspecify.annotations.NullMarked;
