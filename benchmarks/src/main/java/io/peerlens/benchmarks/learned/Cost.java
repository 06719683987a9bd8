package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.BandLearner;
import io.peerlens.baselines.StreamScore;
import io.peerlens.baselines.WeekSlots;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

/** What scoring and learning cost. */
final class Cost {

  private Cost() {}

  /** Time per value and per band, best of several runs over the virtual machines. */
  static String text(List<Labelled> vms) {
    long best = Long.MAX_VALUE;
    long values = 0;
    double kept = 0;
    for (int run = 0; run < 5; run++) {
      values = 0;
      long start = System.nanoTime();
      for (Labelled vm : vms) {
        StreamScore stream = new StreamScore(new WeekSlots(ZoneOffset.UTC));
        for (int i = 0; i < vm.rows(); i++) {
          kept += stream.next(vm.seconds()[i], vm.metrics()[0][i], 0);
        }
        values += vm.rows();
      }
      best = Math.min(best, (System.nanoTime() - start) / values);
    }
    long bestBand = Long.MAX_VALUE;
    BandLearner learner = new BandLearner();
    WeekSlots slots = new WeekSlots(ZoneOffset.UTC);
    int hours = BandLearner.HISTORY_DAYS * 24;
    for (int run = 0; run < 5; run++) {
      long took = 0;
      for (Labelled vm : vms) {
        float[] cells = new float[hours];
        Arrays.fill(cells, Float.NaN);
        long first = vm.seconds()[0] / 3600;
        for (int i = 0; i < vm.rows(); i++) {
          int h = (int) (vm.seconds()[i] / 3600 - first);
          if (h < hours) {
            cells[h] = (float) vm.metrics()[0][i];
          }
        }
        long start = System.nanoTime();
        kept += learner.learn(first, cells, cells, cells, slots, first + hours + 24, 24).spread();
        took += System.nanoTime() - start;
      }
      bestBand = Math.min(bestBand, took / vms.size());
    }
    if (kept == 42) {
      System.err.println(kept);
    }
    return String.format(
        "%d ns for each value scored, and %.0f µs for each band learned (%d hours, 24 hours of bounds)",
        best, bestBand / 1000.0, hours);
  }
}
