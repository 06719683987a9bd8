/**
 * What an installation of a given size needs: arithmetic from unit costs that were measured, each
 * of which is a constant with its source ({@link io.peerlens.standalone.size.Cost}). Nothing here
 * measures, reads a file or talks to anything.
 */
@NullMarked
package io.peerlens.standalone.size;

import org.jspecify.annotations.NullMarked;
