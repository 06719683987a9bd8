package io.peerlens.benchmarks.accuracy;

import io.peerlens.outliers.Proposal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Reads the public traces and splits them in a part for development and one kept aside. */
final class Corpus {

  private static final long SPLIT_SEED = 20261121;
  private static final int DAY = 288;

  /** Bitbrains: this long is for learning. */
  private static final int WARM_DAYS = 8;

  /** PlanetLab has single days, so learning has eight hours. */
  private static final int WARM_HOURS = 8;

  private static final String[] METRICS = {"cpu", "net rx", "net tx", "disk"};

  private final Path root;

  Corpus(Path root) {
    this.root = root;
  }

  /** All traces: groups as they are, and random groups of 3, 4 and 5 of them. */
  List<Trace> read() throws IOException {
    List<Trace> traces = new ArrayList<>();
    List<String> groups =
        new ArrayList<>(List.of("peer-1", "peer-2", "peer-3", "peer-4", "peer-5"));
    Collections.shuffle(groups, new Random(SPLIT_SEED));
    for (int g = 0; g < groups.size(); g++) {
      for (Trace trace : bitbrains(groups.get(g), g >= 3)) {
        traces.add(trace);
        if (trace.set().endsWith("cpu")) {
          small(trace, "Bitbrains cpu", traces, 4);
        }
      }
    }
    List<String> days =
        new ArrayList<>(List.of("20110303", "20110306", "20110309", "20110322", "20110325"));
    Collections.shuffle(days, new Random(SPLIT_SEED));
    for (int d = 0; d < days.size(); d++) {
      List<Trace> slices = planetlab(days.get(d), d >= 3);
      traces.addAll(slices);
      for (Trace trace : slices) {
        small(trace, "PlanetLab cpu", traces, 2);
      }
    }
    return traces;
  }

  /** VMs that have nothing to do with each other: a badly made group. */
  Trace mixed() throws IOException {
    return bitbrains("mixed", false).getFirst();
  }

  private static void small(Trace of, String set, List<Trace> to, int each) {
    Random random = new Random(SPLIT_SEED ^ of.name().hashCode());
    for (int size = 3; size <= 5; size++) {
      for (int k = 0; k < each && size < of.members(); k++) {
        int[] pick = pick(of.members(), size, random);
        to.add(
            new Trace(
                set + ", 3 to 5 members",
                of.name() + "/" + size + "-" + k,
                of.kept(),
                columns(of.values(), pick),
                of.warm(),
                of.amplitude(),
                of.top(),
                of.minDeviation()));
      }
    }
  }

  private static int[] pick(int of, int count, Random random) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < of; i++) {
      all.add(i);
    }
    Collections.shuffle(all, random);
    int[] pick = new int[count];
    for (int i = 0; i < count; i++) {
      pick[i] = all.get(i);
    }
    Arrays.sort(pick);
    return pick;
  }

  private static double[][] columns(double[][] values, int[] pick) {
    double[][] cut = new double[values.length][pick.length];
    for (int b = 0; b < values.length; b++) {
      for (int i = 0; i < pick.length; i++) {
        cut[b][i] = values[b][pick[i]];
      }
    }
    return cut;
  }

  private List<Trace> bitbrains(String group, boolean kept) throws IOException {
    Map<String, Integer> vms = new LinkedHashMap<>();
    List<double[]> rows = new ArrayList<>();
    try (BufferedReader in = open(root.resolve("bitbrains-rnd/" + group + ".csv.gz"))) {
      in.readLine();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] f = line.split(",", -1);
        int vm = vms.computeIfAbsent(f[0], k -> vms.size());
        rows.add(
            new double[] {
              vm,
              Long.parseLong(f[1]) / 300,
              number(f[4]),
              number(f[9]),
              number(f[10]),
              number(f[7]) + number(f[8])
            });
      }
    }
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (double[] row : rows) {
      first = Math.min(first, (long) row[1]);
      last = Math.max(last, (long) row[1]);
    }
    int buckets = (int) (last - first + 1);
    List<Trace> traces = new ArrayList<>();
    for (int m = 0; m < METRICS.length; m++) {
      double[][] sum = new double[buckets][vms.size()];
      int[][] count = new int[buckets][vms.size()];
      for (double[] row : rows) {
        if (!Double.isNaN(row[2 + m])) {
          int b = (int) ((long) row[1] - first);
          sum[b][(int) row[0]] += row[2 + m];
          count[b][(int) row[0]]++;
        }
      }
      for (int b = 0; b < buckets; b++) {
        for (int i = 0; i < sum[b].length; i++) {
          sum[b][i] = count[b][i] == 0 ? Double.NaN : sum[b][i] / count[b][i];
        }
      }
      traces.add(trace("Bitbrains " + METRICS[m], group, kept, sum, WARM_DAYS * DAY, m == 0));
    }
    return traces;
  }

  private List<Trace> planetlab(String day, boolean kept) throws IOException {
    Map<String, List<double[]>> slices = new TreeMap<>();
    try (BufferedReader in = open(root.resolve("planetlab/" + day + ".csv.gz"))) {
      in.readLine();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] f = line.split(",", -1);
        double[] values = new double[DAY];
        for (int b = 0; b < DAY; b++) {
          values[b] = number(f[2 + b]);
        }
        if (!f[1].equals("root")) {
          slices.computeIfAbsent(f[1], k -> new ArrayList<>()).add(values);
        }
      }
    }
    List<Trace> traces = new ArrayList<>();
    for (Map.Entry<String, List<double[]>> slice : slices.entrySet()) {
      List<double[]> members = slice.getValue();
      if (members.size() < 3) {
        continue;
      }
      double[][] values = new double[DAY][members.size()];
      for (int i = 0; i < members.size(); i++) {
        for (int b = 0; b < DAY; b++) {
          values[b][i] = members.get(i)[b];
        }
      }
      String name = day + "/" + slice.getKey();
      if (members.size() > 40) {
        values = columns(values, pick(members.size(), 40, new Random(name.hashCode())));
      }
      traces.add(trace("PlanetLab cpu", name, kept, values, WARM_HOURS * 12, true));
    }
    return traces;
  }

  private static Trace trace(
      String set, String name, boolean kept, double[][] values, int warm, boolean percent) {
    double[] seen = new double[warm * values[0].length];
    int n = 0;
    for (int b = 0; b < warm; b++) {
      for (double v : values[b]) {
        if (!Double.isNaN(v)) {
          seen[n++] = v;
        }
      }
    }
    seen = Arrays.copyOf(seen, n);
    double minDeviation = Proposal.minDeviation(percent, seen);
    Arrays.sort(seen);
    double high = Math.max(1, seen[(int) (0.95 * (n - 1))]);
    return new Trace(
        set,
        name,
        kept,
        values,
        warm,
        percent ? 10 : high,
        percent ? 100 : Double.MAX_VALUE,
        minDeviation);
  }

  private static double number(String text) {
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
  }

  private static BufferedReader open(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(
            new GZIPInputStream(Files.newInputStream(file), 1 << 16), StandardCharsets.UTF_8));
  }
}
