package io.peerlens.run.read;

import io.peerlens.run.Run.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Values by interval, of several metrics with the same times. Of more than 100,000 intervals two
 * become one, again and again: rates are then means, latencies are weighted by operations, maxima
 * stay maxima.
 */
final class Intervals {

  /** At one a second, more than a day. */
  static final int MOST = 100_000;

  private static final int MOST_METRICS = 200;

  /** A metric's values and what is being added up of it. */
  private static final class Metric {
    final String unit;
    final boolean max;
    final String weight;
    Doubles values = new Doubles();
    double now = Double.NaN;
    double sum;
    double weights;
    double largest = Double.NaN;

    Metric(String name, String unit) {
      this.unit = unit;
      max = name.endsWith("_max");
      weight = unit.equals("ms") && !max ? weight(name) : "";
    }

    void add(double by) {
      if (Double.isNaN(now)) {
        return;
      }
      largest = Double.isNaN(largest) ? now : Math.max(largest, now);
      if (by > 0) {
        sum += now * by;
        weights += by;
      }
    }

    void close() {
      values.add(max ? largest : weights > 0 ? sum / weights : largest);
      sum = 0;
      weights = 0;
      largest = Double.NaN;
    }
  }

  private final Map<String, Metric> metrics = new LinkedHashMap<>();
  private Doubles seconds = new Doubles();
  private double last = Double.NaN;

  /** Intervals that are put together, and how many of the next one there are. */
  private int group = 1;

  private int inGroup;
  private int size;

  /** The metric of operations that a latency is weighted by. */
  static String weight(String latency) {
    return latency.startsWith("read_")
        ? "read_iops"
        : latency.startsWith("write_") ? "write_iops" : "iops";
  }

  /** Begins an interval that ends so many seconds after the start. */
  void end(double at) {
    row();
    last = at;
    size++;
  }

  /**
   * A value of the interval that {@link #end} began. Metrics beyond what is sensible are left out.
   */
  void value(String metric, String unit, double value) {
    Metric to = metrics.get(metric);
    if (to == null) {
      if (metrics.size() >= MOST_METRICS) {
        return;
      }
      to = new Metric(metric, unit);
      for (int i = 0; i < seconds.size(); i++) {
        to.values.add(Double.NaN);
      }
      metrics.put(metric, to);
    }
    to.now = value;
  }

  private void row() {
    if (Double.isNaN(last)) {
      return;
    }
    for (Metric one : metrics.values()) {
      Metric by = metrics.get(one.weight);
      // Alone, a value is what it is, whatever was done.
      one.add(group == 1 || by == null || Double.isNaN(by.now) ? 1 : by.now);
    }
    metrics.values().forEach(one -> one.now = Double.NaN);
    if (++inGroup >= group) {
      close();
    }
    if (seconds.size() >= MOST) {
      halve();
    }
  }

  private void close() {
    if (inGroup > 0) {
      seconds.add(last);
      metrics.values().forEach(Metric::close);
      inGroup = 0;
    }
  }

  private void halve() {
    Doubles ends = seconds;
    Map<String, Doubles> all = new LinkedHashMap<>();
    metrics.forEach((name, metric) -> all.put(name, metric.values));
    seconds = new Doubles();
    metrics.values().forEach(one -> one.values = new Doubles());
    group *= 2;
    for (int i = 0; i + 1 < ends.size(); i += 2) {
      for (int j = i; j < i + 2; j++) {
        for (Map.Entry<String, Metric> one : metrics.entrySet()) {
          Metric metric = one.getValue();
          metric.now = at(all, one.getKey(), j);
          double by = metric.weight.isEmpty() ? 1 : at(all, metric.weight, j);
          metric.add(Double.isNaN(by) ? 1 : by);
        }
      }
      last = ends.get(i + 1);
      inGroup = group;
      close();
    }
    metrics.values().forEach(one -> one.now = Double.NaN);
    last = Double.NaN;
  }

  private static double at(Map<String, Doubles> all, String metric, int index) {
    Doubles values = all.get(metric);
    return values == null ? Double.NaN : values.get(index);
  }

  /** How many intervals there were, before any were put together. */
  int size() {
    return size;
  }

  /**
   * Series of all metrics that have a value.
   *
   * @param after intervals that end later than this
   * @param factor from what {@link #end} was given to seconds
   */
  List<Series> series(String instance, double after, double factor) {
    row();
    last = Double.NaN;
    close();
    int from = 0;
    while (from < seconds.size() && seconds.get(from) <= after) {
      from++;
    }
    double[] times = new double[seconds.size() - from];
    for (int i = 0; i < times.length; i++) {
      times[i] = seconds.get(from + i) * factor;
    }
    List<Series> series = new ArrayList<>();
    for (Map.Entry<String, Metric> one : metrics.entrySet()) {
      double[] kept = new double[times.length];
      boolean any = false;
      for (int i = 0; i < kept.length; i++) {
        kept[i] = one.getValue().values.get(from + i);
        any |= !Double.isNaN(kept[i]);
      }
      if (any) {
        series.add(new Series(one.getKey(), instance, one.getValue().unit, times, kept));
      }
    }
    return series;
  }
}
