package io.peerlens.report.picture;

/** Something that is drawn. Lengths are points, 72 to an inch; y grows downwards. */
sealed interface Mark {

  /** A filled rectangle. */
  record Box(double x, double y, double width, double height, Ink ink) implements Mark {}

  /** A straight line. */
  record Line(double x1, double y1, double x2, double y2, Ink ink, double width, boolean dashed)
      implements Mark {}

  /** Where a text lies, seen from its point. */
  enum Side {
    RIGHT_OF,
    LEFT_OF,
    AROUND
  }

  /**
   * A line of text.
   *
   * @param y of its base line
   */
  record Words(double x, double y, String text, double size, boolean bold, Ink ink, Side side)
      implements Mark {}

  /** A line through points; one that is NaN is a gap. */
  record Curve(double[] xs, double[] ys, Ink ink, double width) implements Mark {}

  /** A filled area between points. */
  record Area(double[] xs, double[] ys, Ink ink) implements Mark {}
}
