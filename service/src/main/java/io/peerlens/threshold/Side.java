package io.peerlens.threshold;

import org.jspecify.annotations.Nullable;

/**
 * One side of a range at one moment, for all objects of a kind.
 *
 * @param constant the same for all; not looked at if there is a column
 * @param column one for each object; NaN = not known
 */
record Side(double constant, double @Nullable [] column) {

  static final Side LOWEST = new Side(Double.NEGATIVE_INFINITY, null);
  static final Side HIGHEST = new Side(Double.POSITIVE_INFINITY, null);
  static final Side UNKNOWN = new Side(Double.NaN, null);

  double at(int object) {
    return column == null ? constant : column[object];
  }
}
