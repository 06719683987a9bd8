package io.peerlens.assistant;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Figures as a model reads them: five digits. */
final class Figures {

  private static final MathContext DIGITS = new MathContext(5, RoundingMode.HALF_EVEN);

  private Figures() {}

  /** The number with five digits; null when there is none, or none that JSON can write. */
  static @Nullable BigDecimal of(@Nullable Double value) {
    if (value == null || !Double.isFinite(value)) {
      return null;
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0, RoundingMode.UNNECESSARY) : rounded;
  }

  /** As text; a dash when there is none. */
  static String text(@Nullable Double value) {
    BigDecimal number = of(value);
    return number == null ? "-" : number.toPlainString();
  }

  /**
   * What a series is in figures; members are null when there are no values.
   *
   * @param mean of the points
   * @param last newest point
   * @param lastAt place of the newest point; -1 = none
   */
  record Summary(
      int count,
      @Nullable Double min,
      @Nullable Double mean,
      @Nullable Double max,
      @Nullable Double last,
      int lastAt) {

    /**
     * Sums up points.
     *
     * @param low least value within each point; null = the points themselves
     * @param high greatest value within each point; null = the points themselves
     */
    static Summary of(
        List<? extends @Nullable Double> points,
        @Nullable List<? extends @Nullable Double> low,
        @Nullable List<? extends @Nullable Double> high) {
      int count = 0;
      int lastAt = -1;
      double sum = 0;
      double min = Double.POSITIVE_INFINITY;
      double max = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < points.size(); i++) {
        Double point = points.get(i);
        if (point == null) {
          continue;
        }
        count++;
        lastAt = i;
        sum += point;
        min = Math.min(min, at(low, i, point));
        max = Math.max(max, at(high, i, point));
      }
      return count == 0
          ? new Summary(0, null, null, null, null, -1)
          : new Summary(count, min, sum / count, max, points.get(lastAt), lastAt);
    }

    private static double at(
        @Nullable List<? extends @Nullable Double> values, int i, double otherwise) {
      Double value = values == null || i >= values.size() ? null : values.get(i);
      return value == null ? otherwise : value;
    }
  }
}
