package io.peerlens.notify.render;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chart of a metric around the time of an alert, and of what it is compared with. Arrays have one
 * entry for each time; NaN = no value.
 *
 * @param title what is drawn, such as {@code web-17: CPU usage}
 * @param unit such as {@code %} or {@code ms}; empty = none
 * @param times epoch seconds, ascending
 * @param values of the object
 * @param low lower end of the band of its peers; null = no band
 * @param high upper end of the band
 * @param middle of its peers; null = none
 * @param bounds of a fixed threshold, each a line across
 * @param since when the alert began; null = it is not marked
 * @param zone of the times below the chart
 */
public record Chart(
    String title,
    String unit,
    long[] times,
    double[] values,
    double @Nullable [] low,
    double @Nullable [] high,
    double @Nullable [] middle,
    List<Double> bounds,
    @Nullable Instant since,
    ZoneId zone) {

  public Chart {
    bounds = List.copyOf(bounds);
    check(times.length, values.length);
    check(times.length, low == null ? times.length : low.length);
    check(times.length, high == null ? times.length : high.length);
    check(times.length, middle == null ? times.length : middle.length);
    if ((low == null) != (high == null)) {
      throw new IllegalArgumentException("A band has two ends");
    }
  }

  private static void check(int wanted, int given) {
    if (wanted != given) {
      throw new IllegalArgumentException(given + " values for " + wanted + " times");
    }
  }
}
