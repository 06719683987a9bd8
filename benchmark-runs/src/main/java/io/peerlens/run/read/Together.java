package io.peerlens.run.read;

import io.peerlens.run.Run.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Series of several machines as one: rates add up, latencies are weighted by the machine's
 * operations, and all else is a mean. Machines' intervals are taken together by their length.
 */
final class Together {

  private static final int MOST_INTERVALS = 200_000;

  /** Of each series, to know its usual interval. */
  private static final int ENOUGH_GAPS = 200;

  private Together() {}

  /** Adds a series of all instances for each metric. */
  static void add(Draft run, List<Series> all) {
    Map<String, List<Series>> metrics = new LinkedHashMap<>();
    Map<String, Series> rates = new HashMap<>();
    Doubles gaps = new Doubles();
    for (Series one : all) {
      metrics.computeIfAbsent(one.metric(), key -> new ArrayList<>()).add(one);
      if (one.unit().equals("IO/s")) {
        rates.put(one.metric() + "\n" + one.instance(), one);
      }
      for (int i = 1; i < Math.min(one.seconds().length, ENOUGH_GAPS); i++) {
        gaps.add(one.seconds()[i] - one.seconds()[i - 1]);
      }
    }
    double median = gaps.median();
    double width = median > 0 ? median : 1;
    metrics.forEach((metric, parts) -> run.series(sum(metric, parts, rates, width)));
  }

  private static Series sum(
      String metric, List<Series> parts, Map<String, Series> rates, double width) {
    String unit = parts.getFirst().unit();
    boolean rate = unit.endsWith("/s") || metric.equals("outstanding");
    boolean max = metric.endsWith("_max");
    TreeMap<Long, double[]> sums = new TreeMap<>();
    for (Series part : parts) {
      Series weights = rate ? null : rates.get(Intervals.weight(metric) + "\n" + part.instance());
      for (int i = 0; i < part.values().length; i++) {
        double value = part.values()[i];
        double weight = weights == null ? 1 : at(weights, i);
        if (Double.isNaN(value) || !(weight > 0)) {
          continue;
        }
        double[] sum =
            sums.computeIfAbsent(Math.round(part.seconds()[i] / width), key -> new double[3]);
        sum[0] += value * weight;
        sum[1] += weight;
        sum[2] = Math.max(sum[2], value);
      }
    }
    if (sums.size() > MOST_INTERVALS) {
      throw new UnreadableException(
          0,
          "The machines have more than %,d intervals".formatted(MOST_INTERVALS),
          "Use a longer interval.");
    }
    double[] seconds = new double[sums.size()];
    double[] values = new double[sums.size()];
    int i = 0;
    for (Map.Entry<Long, double[]> one : sums.entrySet()) {
      double[] sum = one.getValue();
      seconds[i] = one.getKey() * width;
      values[i++] = max ? sum[2] : rate ? sum[0] : sum[0] / sum[1];
    }
    return new Series(metric, "", unit, seconds, values);
  }

  private static double at(@Nullable Series series, int index) {
    return series == null || index >= series.values().length ? 1 : series.values()[index];
  }
}
