package io.peerlens.run.read;

import io.peerlens.run.Run.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values by interval, of several metrics with the same times. */
final class Intervals {

  /** At one a second, 46 days. */
  static final int MOST = 4_000_000;

  private final Map<String, String> units = new LinkedHashMap<>();
  private final Map<String, Doubles> values = new LinkedHashMap<>();
  private final Doubles seconds = new Doubles();

  /** Begins an interval that ends so many seconds after the start. */
  void end(double at) {
    if (seconds.size() * (1L + values.size()) > MOST) {
      throw new UnreadableException(
          0, "There are more than %,d values".formatted(MOST), "Use a longer interval.");
    }
    for (Doubles one : values.values()) {
      while (one.size() < seconds.size()) {
        one.add(Double.NaN);
      }
    }
    seconds.add(at);
  }

  /** A value of the interval that {@link #end} began. */
  void value(String metric, String unit, double value) {
    Doubles all = values.computeIfAbsent(metric, key -> new Doubles());
    units.putIfAbsent(metric, unit);
    while (all.size() < seconds.size() - 1) {
      all.add(Double.NaN);
    }
    all.add(value);
  }

  int size() {
    return seconds.size();
  }

  /**
   * Series of all metrics that have a value.
   *
   * @param after intervals that end later than this
   * @param factor from what {@link #end} was given to seconds
   */
  List<Series> series(String instance, double after, double factor) {
    List<Series> series = new ArrayList<>();
    for (Map.Entry<String, Doubles> one : values.entrySet()) {
      Doubles all = one.getValue();
      Doubles times = new Doubles();
      Doubles kept = new Doubles();
      boolean any = false;
      for (int i = 0; i < all.size(); i++) {
        if (seconds.get(i) <= after) {
          continue;
        }
        times.add(seconds.get(i) * factor);
        kept.add(all.get(i));
        any |= !Double.isNaN(all.get(i));
      }
      if (any) {
        String metric = one.getKey();
        series.add(
            new Series(
                metric, instance, units.getOrDefault(metric, ""), times.toArray(), kept.toArray()));
      }
    }
    return series;
  }
}
