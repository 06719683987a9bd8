package io.peerlens.report.picture;

/** Width of texts in points. */
@FunctionalInterface
interface TextMeasure {
  double of(String text, double size, boolean bold);
}
