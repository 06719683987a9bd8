package io.peerlens.threshold;

/** One side of a range at one moment, for all objects of a kind. */
interface Side {

  Side LOWEST = new Constant(Double.NEGATIVE_INFINITY);
  Side HIGHEST = new Constant(Double.POSITIVE_INFINITY);
  Side UNKNOWN = new Constant(Double.NaN);

  /**
   * Where it is; NaN = not known.
   *
   * @param at number of the object; of learned bounds an index of {@link Usual}
   */
  double at(int at);

  /** The same for all. */
  record Constant(double value) implements Side {
    @Override
    public double at(int at) {
      return value;
    }
  }

  /** One for each object. */
  record PerObject(double[] column) implements Side {
    @Override
    public double at(int at) {
      return column[at];
    }
  }
}
