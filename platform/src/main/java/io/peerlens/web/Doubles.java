package io.peerlens.web;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** Numbers of an answer that are boxed when they are written, one at a time. */
public final class Doubles extends AbstractList<Double> implements RandomAccess {

  private final double[] values;

  private Doubles(double[] values) {
    this.values = values;
  }

  /** Null where there is no number. */
  public static List<Double> of(double[] values) {
    return new Doubles(values);
  }

  @Override
  @SuppressWarnings("NullAway") // the contract says null for no value; the generated type does not
  public Double get(int index) {
    double value = values[index];
    return Double.isFinite(value) ? value : null;
  }

  @Override
  public int size() {
    return values.length;
  }
}
