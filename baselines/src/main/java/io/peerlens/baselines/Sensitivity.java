package io.peerlens.baselines;

/**
 * Sensitivity: how far beyond its learned bounds a value has to be to count. A bound of a {@link
 * Band} is widened by a multiple of the band's spread.
 */
public enum Sensitivity {
  /** Only what is far out. */
  LOW(4),
  /** The default. */
  MEDIUM(2),
  /** Everything beyond what nearly all hours of the past kept to. */
  HIGH(0.5);

  private final double margin;

  Sensitivity(double margin) {
    this.margin = margin;
  }

  /** By how many spreads of the band its bounds are widened. */
  public double margin() {
    return margin;
  }
}
