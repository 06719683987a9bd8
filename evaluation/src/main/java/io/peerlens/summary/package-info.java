/**
 * How things stand and what was open when, in brief, for the frame of the pages and for others'
 * status lines.
 */
@NullMarked
package io.peerlens.summary;

import org.jspecify.annotations.NullMarked;
