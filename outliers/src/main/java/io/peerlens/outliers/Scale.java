package io.peerlens.outliers;

/**
 * Scale of comparison: from the unit of a metric and back. The logarithm is signed, {@code sign(x)
 * * unit * log(1 + |x| / unit)}: near 0 it is the value itself, so a scale in it is still in the
 * metric's unit, and far from 0 equal factors are equal distances.
 *
 * @param unit the unit floor; infinite for the linear scale
 */
record Scale(double unit) {

  static final Scale LINEAR = new Scale(Double.POSITIVE_INFINITY);

  double of(double x) {
    return unit == Double.POSITIVE_INFINITY
        ? x
        : Math.copySign(unit * Math.log1p(Math.abs(x) / unit), x);
  }

  double back(double y) {
    return unit == Double.POSITIVE_INFINITY
        ? y
        : Math.copySign(unit * Math.expm1(Math.abs(y) / unit), y);
  }
}
