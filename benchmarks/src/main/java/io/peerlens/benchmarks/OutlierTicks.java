package io.peerlens.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.IntSupplier;

/**
 * What {@link OutlierBenchmark} measures, in processor time of one thread, for a machine that does
 * other things too: the median and the best of 15 runs after 10.
 */
public final class OutlierTicks {

  private OutlierTicks() {}

  public static void main(String[] args) {
    OutlierBenchmark.Fleet fleet = new OutlierBenchmark.Fleet();
    fleet.threads = 1;
    fleet.learn();
    print("bucket of 1,000 groups x 100 members x 5 metrics", 1, fleet::next);
    OutlierBenchmark.Week week = new OutlierBenchmark.Week();
    week.make();
    OutlierBenchmark benchmark = new OutlierBenchmark();
    print("preview of 200 members x 7 days", 1, () -> benchmark.previewOfWeek(week));
    for (int members : new int[] {3, 10, 30, 100, 1000, 10_000}) {
      OutlierBenchmark.OneGroup one = new OutlierBenchmark.OneGroup();
      one.members = members;
      one.learn();
      int times = Math.max(1, 100_000 / members);
      print(
          "bucket of a group of " + members,
          times,
          () -> {
            int changes = 0;
            for (int k = 0; k < times; k++) {
              changes += one.next().changes().size();
            }
            return changes;
          });
    }
  }

  private static void print(String what, int times, IntSupplier work) {
    var threads = ManagementFactory.getThreadMXBean();
    double[] millis = new double[15];
    long sum = 0;
    for (int k = -10; k < millis.length; k++) {
      long from = threads.getCurrentThreadCpuTime();
      sum += work.getAsInt();
      if (k >= 0) {
        millis[k] = (threads.getCurrentThreadCpuTime() - from) / 1e6 / times;
      }
    }
    Arrays.sort(millis);
    System.out.printf(
        "%-52s median %10.4f ms, best %10.4f ms (%d changes)%n",
        what, millis[millis.length / 2], millis[0], sum);
  }
}
