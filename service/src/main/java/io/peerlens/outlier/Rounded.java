package io.peerlens.outlier;

import org.jspecify.annotations.Nullable;

/** Numbers as answers give them: no more digits than the floats that they were stored as. */
final class Rounded {

  private static final int DIGITS = 7;
  private static final double[] POWERS = new double[61];

  static {
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = Double.parseDouble("1e" + (i - 30));
    }
  }

  private Rounded() {}

  /** With 7 significant digits; null = not a number, or not finite. */
  static @Nullable Double value(double value) {
    return Double.isFinite(value) ? exact(value) : null;
  }

  /** With 7 significant digits. */
  static double exact(double value) {
    if (value == 0) {
      return 0;
    }
    int shift = DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
    if (shift > 30 || shift < -30) {
      return value;
    }
    return shift >= 0
        ? Math.rint(value * POWERS[30 + shift]) / POWERS[30 + shift]
        : Math.rint(value / POWERS[30 - shift]) * POWERS[30 - shift];
  }

  /** A score, with 2 decimals; null = not judged. */
  static @Nullable Double score(double score) {
    return Double.isNaN(score) ? null : Math.rint(score * 100) / 100;
  }
}
