/**
 * Right-sizing and reclamation: what a virtual machine really needs, what can be given back, and
 * how many more fit.
 *
 * <p>Everything here is a function of what goes in: no clock, no database, and chance comes from a
 * seed that is given. Values stand in columns ({@code double[]}) of one {@link
 * io.peerlens.sizing.Grid}; NaN is "no value" and never zero. Each rule answers with its figures
 * and one plain sentence, or says why it does not know ({@link io.peerlens.sizing.Answer}).
 */
@NullMarked
package io.peerlens.sizing;

import org.jspecify.annotations.NullMarked;
