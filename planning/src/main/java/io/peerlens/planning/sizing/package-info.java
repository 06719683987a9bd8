/**
 * Right-sizing and reclamation of stored machines: evaluating them, what people decide, and what
 * came of it.
 */
@NullMarked
package io.peerlens.planning.sizing;

import org.jspecify.annotations.NullMarked;
