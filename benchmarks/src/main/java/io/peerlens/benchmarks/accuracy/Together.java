package io.peerlens.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * Several members with one fault: k of n members go the same way at the same moment, for two hours,
 * and are judged at the thresholds that detectors ship with. Also all members at once, which nobody
 * may be told of.
 */
final class Together {

  static final int[] MEMBERS = {5, 7, 12, 24, 50, 100, 200};
  static final double[] SIZES = {1, 1.5, 2, 3, 5, -1, -1.5, -2, -3, -5};
  static final double[] PARTS = {0.1, 0.2, 0.3, 0.4, 0.49};

  private static final int LENGTH = 24;
  private static final int STARTS = 4;
  private static final int DAY = 288;

  private Together() {}

  /**
   * One number of members with one fault.
   *
   * @param size in minimum deviations; 5 times the values if NaN
   * @param found mean part of the k that are out
   * @param all part of the trials in which all k are
   * @param wrong mean part of the others that are newly out
   */
  record Row(int members, int wrongOnes, double size, double found, double all, double wrong) {}

  /** Groups of machines that differ in nothing but level and noise, with a daily wave. */
  static List<Trace> clean() {
    List<Trace> traces = new ArrayList<>();
    for (int n : MEMBERS) {
      Random random = new Random(n);
      double[] level = new double[n];
      for (int i = 0; i < n; i++) {
        level[i] = 20 * Math.exp(0.3 * random.nextGaussian());
      }
      double[][] values = new double[3 * DAY][n];
      for (int b = 0; b < values.length; b++) {
        double wave = 1 + 0.3 * Math.sin(2 * Math.PI * b / DAY);
        for (int i = 0; i < n; i++) {
          values[b][i] = Math.max(0, level[i] * wave + 0.5 * random.nextGaussian());
        }
      }
      traces.add(
          new Trace(
              "clean groups", "clean-" + n, "clean-" + n, false, values, 2 * DAY, 10, 100, 2));
    }
    return traces;
  }

  /** Groups of any size from recorded members, those that come twice a day or more apart. */
  static List<Trace> drawn(List<Trace> recorded) {
    List<Trace> traces = new ArrayList<>();
    for (int n : MEMBERS) {
      Random random = new Random(31L * n);
      int days = 12;
      double[][] values = new double[days * DAY][n];
      Trace from = recorded.get(random.nextInt(recorded.size()));
      for (int i = 0; i < n; i++) {
        int column = random.nextInt(from.members());
        int shift =
            i < from.members() ? 0 : DAY * (1 + random.nextInt(from.buckets() / DAY - days));
        for (int b = 0; b < values.length; b++) {
          values[b][i] = from.values()[b + shift][column];
        }
      }
      traces.add(
          new Trace(
              "groups drawn from Bitbrains cpu",
              from.name() + "/" + n,
              from.group(),
              from.kept(),
              values,
              (days - 2) * DAY,
              from.amplitude(),
              from.top(),
              from.minDeviation()));
    }
    return traces;
  }

  /** How many of n go wrong: one, two, and parts up to just less than half. */
  static List<Integer> counts(int n) {
    TreeSet<Integer> counts = new TreeSet<>(List.of(1, 2));
    for (double part : PARTS) {
      counts.add((int) Math.max(1, Math.floor(part * n)));
    }
    counts.removeIf(k -> 2 * k >= n);
    return List.copyOf(counts);
  }

  static List<Row> run(Detector detector, Trace trace) {
    int n = trace.members();
    Random random = new Random(trace.name().hashCode());
    List<Integer> starts = new ArrayList<>();
    for (int s = 0; s < STARTS; s++) {
      starts.add(trace.warm() + random.nextInt(trace.buckets() - trace.warm() - LENGTH - 3));
    }
    Collections.sort(starts);
    Detector.Run run = detector.start(trace);
    double[] out = new double[n];
    float[][] clean = new float[n][trace.buckets()];
    List<Detector.Run> copies = new ArrayList<>();
    for (int b = 0; b < trace.buckets(); b++) {
      while (copies.size() < STARTS && starts.get(copies.size()) == b) {
        copies.add(run.copy());
      }
      run.step(b, trace.values()[b].clone(), out);
      for (int i = 0; i < n; i++) {
        clean[i][b] = (float) out[i];
      }
    }
    float[][] opening = new float[n][];
    Arrays.setAll(opening, i -> Opening.of(clean[i]));
    List<Row> rows = new ArrayList<>();
    List<Integer> counts = new ArrayList<>(counts(n));
    counts.add(n);
    for (int k : counts) {
      for (double size : SIZES) {
        rows.add(row(detector, trace, starts, copies, clean, opening, k, size));
      }
      rows.add(row(detector, trace, starts, copies, clean, opening, k, Double.NaN));
    }
    return rows;
  }

  private static Row row(
      Detector detector,
      Trace trace,
      List<Integer> starts,
      List<Detector.Run> copies,
      float[][] clean,
      float[][] opening,
      int k,
      double size) {
    int n = trace.members();
    double found = 0;
    double all = 0;
    double wrong = 0;
    for (int s = 0; s < starts.size(); s++) {
      int start = starts.get(s);
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        order.add(i);
      }
      Collections.shuffle(order, new Random(start * 31L + k));
      boolean[] faulty = new boolean[n];
      order.subList(0, k).forEach(i -> faulty[i] = true);
      Detector.Run copy = copies.get(s).copy();
      float[][] after = new float[n][LENGTH + Lab.GRACE];
      double[] out = new double[n];
      for (int t = 0; t < after[0].length; t++) {
        double[] values = trace.values()[start + t].clone();
        for (int i = 0; i < n; i++) {
          if (faulty[i] && t < LENGTH) {
            double y = Double.isNaN(size) ? 5 * values[i] : values[i] + size * trace.minDeviation();
            values[i] = Double.isNaN(y) ? y : Math.max(0, Math.min(trace.top(), y));
          }
        }
        copy.step(start + t, values, out);
        for (int i = 0; i < n; i++) {
          after[i][t] = (float) out[i];
        }
      }
      int right = 0;
      int others = 0;
      for (int i = 0; i < n; i++) {
        boolean is =
            Lab.joined(after[i], clean[i], opening[i], start, LENGTH).found(detector.threshold())
                >= 0;
        right += is && faulty[i] ? 1 : 0;
        others += is && !faulty[i] ? 1 : 0;
      }
      found += right / (double) k;
      all += right == k ? 1 : 0;
      wrong += k == n ? 0 : others / (double) (n - k);
    }
    int of = starts.size();
    return new Row(n, k, size, found / of, all / of, wrong / of);
  }
}
