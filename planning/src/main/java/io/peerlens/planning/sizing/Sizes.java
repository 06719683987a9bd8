package io.peerlens.planning.sizing;

import io.peerlens.words.Figures;
import org.jspecify.annotations.Nullable;

/** Sizes in words. */
final class Sizes {

  private Sizes() {}

  /** A change, such as "16 to 8 vCPU". */
  static String change(@Nullable Double from, @Nullable Double to, @Nullable Object unit) {
    return number(from) + " to " + number(to) + (unit == null ? "" : " " + unit);
  }

  /** A number of vCPUs, GB or hours. */
  static String number(@Nullable Double value) {
    return value == null ? "not known" : Figures.number(Math.round(value * 10) / 10.0);
  }
}
