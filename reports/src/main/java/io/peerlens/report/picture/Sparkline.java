package io.peerlens.report.picture;

import io.peerlens.api.model.PanelLine;
import io.peerlens.report.picture.Mark.Curve;
import java.util.List;
import java.util.Optional;

/** Small course of a value, without axes. */
final class Sparkline {

  private Sparkline() {}

  /** The course in a rectangle; empty = no value is known. */
  static Optional<Curve> of(PanelLine line, double x, double y, double width, double height) {
    List<Double> of = line.getValues();
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (Double value : of) {
      if (value != null) {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    if (least > greatest) {
      return Optional.empty();
    }
    double[] xs = new double[of.size()];
    double[] ys = new double[of.size()];
    for (int i = 0; i < xs.length; i++) {
      Double value = of.get(i);
      xs[i] = x + (xs.length == 1 ? 0 : width * i / (xs.length - 1));
      ys[i] =
          value == null
              ? Double.NaN
              : greatest == least
                  ? y + height / 2
                  : y + height - (value - least) / (greatest - least) * height;
    }
    return Optional.of(new Curve(xs, ys, Ink.ACCENT, 0.8));
  }
}
