/**
 * Computes formulas for all objects of a kind at once. A {@link
 * io.peerlens.supermetrics.program.Program} is made of checked formulas and runs on a {@link
 * io.peerlens.supermetrics.program.Frame}, which holds columns of values and the relations between
 * objects at one moment.
 *
 * <p>Everywhere here NaN is "no value"; results are finite or NaN.
 */
@NullMarked
package io.peerlens.supermetrics.program;

import org.jspecify.annotations.NullMarked;
