package io.peerlens.benchmarks;

import io.peerlens.supermetrics.program.Results;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@link SuperMetricBenchmark} measures, in processor time: on a machine that others use too,
 * time by the clock says more about them. One thread computes.
 *
 * <p>Arguments: numbers of objects; {@code -Dslowest=N} lists the N slowest formulas of each.
 */
public final class SuperMetricTicks {

  private static final int WARM_UP = 200;
  private static final int TICKS = 200;

  private SuperMetricTicks() {}

  /** Measures; see the class. */
  public static void main(String[] arguments) {
    List<String> sizes =
        arguments.length == 0 ? List.of("1000", "10000", "100000") : List.of(arguments);
    System.out.println(
        "| objects | formulas | results | ms CPU, median | least | results/s | bytes |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (String size : sizes) {
      for (String formulas : List.of("all", "flat", "others")) {
        measure(Integer.parseInt(size), formulas);
      }
    }
  }

  private static void measure(int objects, String formulas) {
    SuperMetricBenchmark benchmark = new SuperMetricBenchmark();
    benchmark.objects = objects;
    benchmark.formulas = formulas;
    benchmark.load();
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().threadId();
    for (int i = 0; i < WARM_UP; i++) {
      benchmark.tick();
    }
    long[] nanos = new long[TICKS];
    long bytes = threads.getThreadAllocatedBytes(thread);
    Map<String, Long> slowest = new HashMap<>();
    Results results = benchmark.tick();
    for (int i = 0; i < TICKS; i++) {
      long start = threads.getCurrentThreadCpuTime();
      results = benchmark.tick();
      nanos[i] = threads.getCurrentThreadCpuTime() - start;
      for (Results.Result result : results.columns()) {
        slowest.merge(benchmark.text(result.id()), result.nanos() / 1000, Long::sum);
      }
    }
    bytes = (threads.getThreadAllocatedBytes(thread) - bytes) / (TICKS + 1);
    Arrays.sort(nanos);
    long computed = results.columns().stream().mapToLong(Results.Result::computed).sum();
    double median = nanos[TICKS / 2] / 1e6;
    System.out.printf(
        Locale.ROOT,
        "| %,d | %s | %,d | %.2f | %.2f | %,.0f M | %,d |%n",
        objects,
        formulas,
        computed,
        median,
        nanos[0] / 1e6,
        computed / median / 1e3,
        bytes);
    slowest.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(Integer.getInteger("slowest", 0))
        .forEach(e -> System.out.printf("%,9d us %s%n", e.getValue() / TICKS, e.getKey()));
  }
}
