package io.peerlens.vcenter.performance;

import io.peerlens.vcenter.vim.PerfBlock;
import io.peerlens.vcenter.vim.PerfCounter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one entity as numbers, by vROps' key: {@code cpu|ready_summation} of the entity as a
 * whole and of its instances. NaN stands for a moment without a value. Percents are percents.
 */
final class Samples {

  private final int moments;
  private final Map<String, Map<String, double[]>> byKey = new HashMap<>();

  /**
   * @param keys by the number of the counter
   */
  Samples(PerfBlock block, Map<Integer, PerfCounter> counters, Map<Integer, String> keys) {
    moments = block.times().length;
    for (PerfBlock.Series series : block.series()) {
      PerfCounter counter = counters.get(series.counter());
      String key = keys.get(series.counter());
      if (counter != null && key != null) {
        put(key, series.instance(), numbers(series.values(), counter.unit().equals("percent")));
      }
    }
  }

  private double[] numbers(long[] raw, boolean hundredths) {
    double[] numbers = none();
    for (int i = 0; i < Math.min(moments, raw.length); i++) {
      if (raw[i] >= 0) {
        numbers[i] = hundredths ? raw[i] / 100.0 : raw[i];
      }
    }
    return numbers;
  }

  /** Key of a counter: {@code cpu|ready_summation}. */
  static String key(PerfCounter counter) {
    String name = counter.name().replace('.', '_');
    return counter.group()
        + '|'
        + (counter.rollup().isEmpty() ? name : name + '_' + counter.rollup());
  }

  int moments() {
    return moments;
  }

  /** As many moments without a value. */
  double[] none() {
    double[] none = new double[moments];
    Arrays.fill(none, Double.NaN);
    return none;
  }

  void put(String key, String instance, double[] values) {
    byKey.computeIfAbsent(key, k -> new HashMap<>()).put(instance, values);
  }

  /** Values of the entity as a whole; null when there are none. */
  double @Nullable [] total(String key) {
    Map<String, double[]> all = byKey.get(key);
    return all == null ? null : all.get("");
  }

  /** Values of each instance. */
  Map<String, double[]> each(String key) {
    Map<String, double[]> all = byKey.get(key);
    if (all == null) {
      return Map.of();
    }
    if (!all.containsKey("")) {
      return all;
    }
    Map<String, double[]> instances = new HashMap<>(all);
    instances.remove("");
    return instances;
  }
}
