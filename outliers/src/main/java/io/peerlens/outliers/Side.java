package io.peerlens.outliers;

/** Side of deviations that count. */
public enum Side {
  HIGH,
  LOW,
  BOTH;

  /** Whether a deviation of this sign counts. */
  boolean counts(double signed) {
    return switch (this) {
      case HIGH -> signed > 0;
      case LOW -> signed < 0;
      case BOTH -> true;
    };
  }
}
