package io.peerlens.benchmarks.learned;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Real series: of the Bitbrains traces by five minutes, of the machines of SMD by the minute. */
final class ImpactTraces {

  static final int STEP_SECONDS = 300;

  private static final String[] METRICS = {"cpu", "memory", "disk write", "net rx", "net tx"};
  private static final int[] COLUMNS = {4, 6, 8, 9, 10};
  private static final List<String> GROUPS =
      List.of("peer-1", "peer-4", "peer-2", "peer-3", "peer-5");
  private static final int DEVELOPED_WITH = 2;
  private static final int FEWEST_VALUES = 20;

  private ImpactTraces() {}

  /**
   * One metric of one VM.
   *
   * @param kept whether it was kept aside when constants were chosen
   * @param first number of the first step since 1970
   * @param values NaN = none
   */
  record Series(String name, String metric, boolean kept, long first, double[] values) {}

  /**
   * All series that move at all: more than {@value #FEWEST_VALUES} different values and a median
   * above 0. VMs of a group of peers resemble each other, so whole groups are kept aside, and every
   * other one of those VMs that have no peers.
   */
  static List<Series> read(Path corpus) throws IOException {
    List<Series> series = new ArrayList<>();
    for (int g = 0; g < GROUPS.size(); g++) {
      add(corpus, GROUPS.get(g), g >= DEVELOPED_WITH, g >= DEVELOPED_WITH, series);
    }
    add(corpus, "mixed", false, true, series);
    return series;
  }

  /** The days of the SMD machines that are for learning, in which nothing is said to be wrong. */
  static List<Series> minutes(Path corpus) throws IOException {
    List<Series> series = new ArrayList<>();
    for (Labelled machine : new Sets(corpus).smd()) {
      for (int m = 0; m < machine.metrics().length; m++) {
        double[] values = Arrays.copyOf(machine.metrics()[m], machine.judged());
        if (moves(values)) {
          series.add(
              new Series(
                  machine.name(),
                  "metric " + m,
                  machine.kept(),
                  machine.seconds()[0] / 60,
                  values));
        }
      }
    }
    return series;
  }

  private static boolean moves(double[] values) {
    double[] sorted = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    return sorted[sorted.length / 2] > 0
        && Arrays.stream(sorted).distinct().count() > FEWEST_VALUES;
  }

  private static void add(Path corpus, String group, boolean even, boolean odd, List<Series> to)
      throws IOException {
    Map<Integer, List<String[]>> rows = new TreeMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(corpus.resolve("bitbrains-rnd/" + group + ".csv.gz"))),
                StandardCharsets.UTF_8))) {
      in.readLine();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] fields = line.split(",", -1);
        rows.computeIfAbsent(Integer.valueOf(fields[0]), vm -> new ArrayList<>()).add(fields);
      }
    }
    int number = 0;
    for (Map.Entry<Integer, List<String[]>> vm : rows.entrySet()) {
      boolean kept = number++ % 2 == 0 ? even : odd;
      for (int m = 0; m < METRICS.length; m++) {
        Series one = series(vm.getValue(), "vm " + vm.getKey(), m, kept);
        if (moves(one.values())) {
          to.add(one);
        }
      }
    }
  }

  private static Series series(List<String[]> rows, String vm, int metric, boolean kept) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (String[] row : rows) {
      long step = Long.parseLong(row[1]) / STEP_SECONDS;
      first = Math.min(first, step);
      last = Math.max(last, step);
    }
    double[] sums = new double[(int) (last - first + 1)];
    int[] counts = new int[sums.length];
    for (String[] row : rows) {
      String text = row[COLUMNS[metric]];
      if (!text.isEmpty()) {
        int at = (int) (Long.parseLong(row[1]) / STEP_SECONDS - first);
        sums[at] += Double.parseDouble(text);
        counts[at]++;
      }
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
    }
    return new Series(vm, METRICS[metric], kept, first, sums);
  }
}
