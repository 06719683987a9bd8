/**
 * A datacentre that does not exist, as a collector would see it. Everything about it is a pure
 * function of a seed and the time, so any moment can be computed alone, in any order, again.
 */
@NullMarked
package io.peerlens.standalone.sample;

import org.jspecify.annotations.NullMarked;
