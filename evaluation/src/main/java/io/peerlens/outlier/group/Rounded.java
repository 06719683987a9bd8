package io.peerlens.outlier.group;

/** Numbers of answers with no more digits than the floats that they were kept as. */
public final class Rounded {

  private static final int DIGITS = 7;
  private static final int LARGEST = 30;
  private static final double[] POWERS = new double[LARGEST + 1];

  static {
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = Double.parseDouble("1e" + i);
    }
  }

  private Rounded() {}

  /** With 7 significant digits; what is not finite stays as it is. */
  public static double value(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value;
    }
    int shift = DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
    if (shift > LARGEST || shift < -LARGEST) {
      return value;
    }
    return shift >= 0
        ? Math.rint(value * POWERS[shift]) / POWERS[shift]
        : Math.rint(value / POWERS[-shift]) * POWERS[-shift];
  }

  /** A score, with 2 decimals. */
  public static double score(double score) {
    return Math.rint(score * 100) / 100;
  }
}
