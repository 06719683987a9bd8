/**
 * Summary and timeline of what is open, for the frame of the pages and for others' status lines.
 */
@NullMarked
package io.peerlens.summary;

import org.jspecify.annotations.NullMarked;
