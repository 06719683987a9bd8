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
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads the public traces and splits them in a part for development and one kept aside. */
final class Corpus {

  private static final long SPLIT_SEED = 20261121;
  private static final int DAY = 288;

  /** Bitbrains: this long is for learning. */
  private static final int WARM_DAYS = 8;

  /** PlanetLab has single days, so learning has eight hours. */
  private static final int WARM_HOURS = 8;

  /** The part of a stale group that does not belong. */
  private static final double STALE = 0.3;

  private static final String MIXED = "mixed";
  private static final String END = ".csv.gz";
  private static final String[] METRICS = {"cpu", "net rx", "net tx", "disk"};

  private final Path root;

  Corpus(Path root) {
    this.root = root;
  }

  /** All traces: groups as they are, gone stale, and random groups of 3, 4 and 5 of them. */
  List<Trace> read() throws IOException {
    List<Trace> traces = new ArrayList<>();
    List<String> groups = names("bitbrains-rnd", "peer-.*");
    List<Boolean> aside = aside(groups);
    List<Trace> strangers = bitbrains(MIXED, false);
    for (int g = 0; g < groups.size(); g++) {
      List<Trace> metrics = bitbrains(groups.get(g), aside.get(g));
      for (int m = 0; m < metrics.size(); m++) {
        Trace trace = metrics.get(m);
        traces.add(trace);
        if (m == 0) {
          small(trace, "Bitbrains cpu", traces, 4);
          stale(trace, List.of(strangers.get(m)), traces);
        }
      }
    }
    List<String> days = names("planetlab", ".*");
    aside = aside(days);
    for (int d = 0; d < days.size(); d++) {
      List<Trace> slices = planetlab(days.get(d), aside.get(d));
      traces.addAll(slices);
      for (Trace trace : slices) {
        small(trace, "PlanetLab cpu", traces, 2);
        stale(trace, slices, traces);
      }
    }
    return traces;
  }

  /** The names of the files of a folder without their ends, in the order of a seeded shuffle. */
  private List<String> names(String folder, String pattern) throws IOException {
    List<String> names;
    try (Stream<Path> files = Files.list(root.resolve(folder))) {
      names =
          new ArrayList<>(
              files
                  .map(f -> f.getFileName().toString())
                  .filter(f -> f.endsWith(END))
                  .map(f -> f.substring(0, f.length() - END.length()))
                  .filter(f -> f.matches(pattern))
                  .sorted()
                  .toList());
    }
    Collections.shuffle(names, new Random(SPLIT_SEED));
    return names;
  }

  /** Two fifths are kept aside: the last ones, and at least one of two. */
  private static List<Boolean> aside(List<String> names) {
    int kept = names.size() < 2 ? 0 : Math.max(1, 2 * names.size() / 5);
    List<Boolean> aside = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      aside.add(i >= names.size() - kept);
    }
    return aside;
  }

  /**
   * A group that has gone stale: {@value #STALE} of its members have been replaced by machines that
   * do something else, as when the definition of a group is older than what it is about.
   */
  private static void stale(Trace of, List<Trace> strangers, List<Trace> to) {
    List<Trace> others = strangers.stream().filter(s -> s != of).toList();
    if (of.members() < 6 || others.isEmpty()) {
      return;
    }
    Random random = new Random(SPLIT_SEED ^ of.name().hashCode());
    double[][] values = new double[of.buckets()][];
    for (int b = 0; b < values.length; b++) {
      values[b] = of.values()[b].clone();
    }
    for (int member : pick(of.members(), (int) Math.round(STALE * of.members()), random)) {
      Trace stranger = others.get(random.nextInt(others.size()));
      int column = random.nextInt(stranger.members());
      for (int b = 0; b < values.length; b++) {
        values[b][member] = b < stranger.buckets() ? stranger.values()[b][column] : Double.NaN;
      }
    }
    to.add(
        trace(of.set() + ", stale groups", of.name(), of.kept(), values, of.warm(), of.percent()));
  }

  /** VMs that have nothing to do with each other: a badly made group. */
  Trace mixed() throws IOException {
    return bitbrains(MIXED, false).getFirst();
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
                of.group(),
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
    try (BufferedReader in = open(root.resolve("bitbrains-rnd/" + group + END))) {
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
    try (BufferedReader in = open(root.resolve("planetlab/" + day + END))) {
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
