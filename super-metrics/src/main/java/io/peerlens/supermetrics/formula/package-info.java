/**
 * The formula language of super metrics: from text to a checked tree. {@link
 * io.peerlens.supermetrics.formula.Formula} is the way in.
 */
@NullMarked
package io.peerlens.supermetrics.formula;

import org.jspecify.annotations.NullMarked;
