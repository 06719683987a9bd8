/**
 * Frames: what was newest at a moment, read from the database into columns. {@link
 * io.peerlens.frame.Frames} reads them, of the present and of the past.
 */
@NullMarked
package io.peerlens.frame;

import org.jspecify.annotations.NullMarked;
