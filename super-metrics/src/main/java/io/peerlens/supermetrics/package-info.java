/**
 * Super metrics: formulas over the metrics of an object and its relatives, and the files they come
 * in.
 */
@NullMarked
package io.peerlens.supermetrics;

import org.jspecify.annotations.NullMarked;
