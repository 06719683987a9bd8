package io.peerlens.benchmarks.learned;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads the labelled sets and splits each in a half for development and one kept aside. */
final class Sets {

  private static final long SPLIT_SEED = 20261122;

  /** Where a set has no rows for learning, this part of a series is (NAB's rule). */
  private static final double PROBATION = 0.15;

  private static final int PROBATION_AT_MOST = 750;

  private static final Pattern LABEL =
      Pattern.compile("\"([^\"]+\\.csv)\"|\"(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)[.0-9]*\"");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", java.util.Locale.ROOT);

  private final Path root;

  Sets(Path root) {
    this.root = root;
  }

  /** Rows for learning of a series that has no others. */
  static int probation(int rows) {
    return (int) Math.min(Math.floor(PROBATION * rows), PROBATION_AT_MOST);
  }

  /**
   * The Numenta anomaly benchmark: single series with the windows its scorer judges by.
   *
   * @throws IOException if a file has no entry among the windows, or its rows not the time of one
   */
  List<Labelled> nab() throws IOException {
    Map<String, List<Long>> windows = windows();
    List<Labelled> all = new ArrayList<>();
    Map<String, List<String>> categories = new TreeMap<>();
    for (Path category : list(root.resolve("nab"))) {
      if (Files.isDirectory(category)) {
        for (Path file : list(category)) {
          categories
              .computeIfAbsent(category.getFileName().toString(), k -> new ArrayList<>())
              .add(category.getFileName() + "/" + file.getFileName());
        }
      }
    }
    for (List<String> files : categories.values()) {
      List<Boolean> kept = halves(files.size(), files.getFirst().hashCode());
      for (int f = 0; f < files.size(); f++) {
        String file = files.get(f);
        List<String[]> rows = rows(root.resolve("nab/" + file), true);
        long[] seconds = rows.stream().mapToLong(r -> seconds(r[0])).toArray();
        List<Long> limits = windows.get(file);
        if (limits == null) {
          throw new IOException(file + " is in none of nab/combined_windows*.json");
        }
        int[][] segments = new int[limits.size() / 2][];
        for (int w = 0; w < segments.length; w++) {
          segments[w] =
              new int[] {
                index(file, seconds, limits.get(2 * w)), index(file, seconds, limits.get(2 * w + 1))
              };
        }
        all.add(
            new Labelled(
                "NAB",
                file,
                kept.get(f),
                seconds,
                new double[][] {rows.stream().mapToDouble(r -> number(r[1])).toArray()},
                segments,
                probation(seconds.length)));
      }
    }
    return all;
  }

  private Map<String, List<Long>> windows() throws IOException {
    Map<String, List<Long>> windows = new TreeMap<>();
    for (Path file : list(root.resolve("nab"))) {
      if (!file.getFileName().toString().matches("combined_windows.*\\.json")) {
        continue;
      }
      List<Long> of = new ArrayList<>();
      for (Matcher m = LABEL.matcher(Files.readString(file)); m.find(); ) {
        if (m.group(1) != null) {
          of = new ArrayList<>();
          windows.put(m.group(1), of);
        } else {
          of.add(seconds(m.group(2)));
        }
      }
    }
    return windows;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.sorted().toList();
    }
  }

  /**
   * Server machine dataset: 38 metrics of a machine, a row a minute; no times, no weekday known.
   */
  List<Labelled> smd() throws IOException {
    return machines("SMD", "smd", 60);
  }

  /** JumpStarter, second dataset: 19 metrics of a service, every five minutes. */
  List<Labelled> jumpStarter() throws IOException {
    return machines("JumpStarter", "jumpstarter", 300);
  }

  /** Microsoft cloud monitoring: single series, by the minute or the hour. */
  List<Labelled> cloudMonitoring() throws IOException {
    List<Labelled> all = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (Path domain : list(root.resolve("ms-cloud-monitoring"))) {
      files.addAll(list(domain));
    }
    List<Boolean> kept = halves(files.size(), 3);
    for (int f = 0; f < files.size(); f++) {
      List<String[]> rows = rows(files.get(f), true);
      long[] seconds = rows.stream().mapToLong(r -> seconds(r[0])).toArray();
      boolean[] label = new boolean[seconds.length];
      for (int i = 0; i < label.length; i++) {
        label[i] = number(rows.get(i)[2]) > 0;
      }
      all.add(
          new Labelled(
              "MS cloud monitoring",
              files.get(f).getFileName().toString().replace(".csv.gz", ""),
              kept.get(f),
              seconds,
              new double[][] {rows.stream().mapToDouble(r -> number(r[1])).toArray()},
              segments(label),
              probation(seconds.length)));
    }
    return all;
  }

  /**
   * Every fourth virtual machine of Bitbrains, five-minute values of a month, without labels: what
   * is unusual in them really happened, and counts as false all the same. Each of the metrics is a
   * set.
   */
  List<Labelled> bitbrains() throws IOException {
    String[] names = {"CPU", "received", "sent", "disk written", "memory"};
    int[] columns = {4, 9, 10, 8, 6};
    Map<String, TreeMap<Long, String[]>> vms = new TreeMap<>();
    for (String group : List.of("peer-1", "peer-2", "peer-3", "peer-4", "peer-5", "mixed")) {
      for (String[] row : rows(root.resolve("bitbrains-rnd/" + group + ".csv.gz"), true)) {
        vms.computeIfAbsent(row[0], k -> new TreeMap<>())
            .put(Long.parseLong(row[1]) / 300 * 300, row);
      }
    }
    List<String> fourth = new ArrayList<>(vms.keySet());
    for (int v = 0; v < fourth.size(); v++) {
      if (v % 4 != 0) {
        vms.remove(fourth.get(v));
      }
    }
    List<Labelled> all = new ArrayList<>();
    for (int c = 0; c < names.length; c++) {
      int column = columns[c];
      for (Map.Entry<String, TreeMap<Long, String[]>> vm : vms.entrySet()) {
        TreeMap<Long, String[]> rows = vm.getValue();
        all.add(
            new Labelled(
                "Bitbrains " + names[c],
                vm.getKey(),
                false,
                rows.keySet().stream().mapToLong(t -> t).toArray(),
                new double[][] {
                  rows.values().stream().mapToDouble(r -> number(r[column])).toArray()
                },
                new int[0][],
                Math.min(rows.size() - 1, 8 * 288)));
      }
    }
    return all;
  }

  private List<Labelled> machines(String set, String folder, int step) throws IOException {
    List<String> names =
        list(root.resolve(folder)).stream()
            .map(p -> p.getFileName().toString())
            .filter(n -> n.endsWith("_train.csv.gz"))
            .map(n -> n.substring(0, n.length() - "_train.csv.gz".length()))
            .toList();
    List<Boolean> kept = halves(names.size(), set.hashCode());
    List<Labelled> all = new ArrayList<>();
    for (int n = 0; n < names.size(); n++) {
      Path base = root.resolve(folder);
      List<String[]> train = rows(base.resolve(names.get(n) + "_train.csv.gz"), false);
      List<String[]> test = rows(base.resolve(names.get(n) + "_test.csv.gz"), false);
      List<String[]> labels = rows(base.resolve(names.get(n) + "_test_label.csv.gz"), false);
      if (labels.size() != test.size()) {
        throw new IOException(
            names.get(n) + ": " + test.size() + " rows but " + labels.size() + " labels");
      }
      int rows = train.size() + test.size();
      double[][] metrics = new double[train.getFirst().length][rows];
      boolean[] label = new boolean[rows];
      long[] seconds = new long[rows];
      for (int i = 0; i < rows; i++) {
        boolean learning = i < train.size();
        String[] row = learning ? train.get(i) : test.get(i - train.size());
        for (int m = 0; m < metrics.length; m++) {
          metrics[m][i] = number(row[m]);
        }
        label[i] = !learning && number(labels.get(i - train.size())[0]) > 0;
        // The sets have no times: as if they began on a Monday.
        seconds[i] = 4 * 86_400L + (long) i * step;
      }
      all.add(
          new Labelled(
              set, names.get(n), kept.get(n), seconds, metrics, segments(label), train.size()));
    }
    return all;
  }

  /** One half true, by a fixed seed; of an odd number the smaller one. */
  private static List<Boolean> halves(int count, int salt) {
    List<Boolean> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kept.add(i < count / 2);
    }
    Collections.shuffle(kept, new Random(SPLIT_SEED ^ salt));
    return kept;
  }

  static int[][] segments(boolean[] label) {
    List<int[]> segments = new ArrayList<>();
    for (int i = 0; i < label.length; i++) {
      if (label[i]) {
        int first = i;
        while (i + 1 < label.length && label[i + 1]) {
          i++;
        }
        segments.add(new int[] {first, i});
      }
    }
    return segments.toArray(int[][]::new);
  }

  private static int index(String file, long[] seconds, long wanted) throws IOException {
    for (int i = 0; i < seconds.length; i++) {
      if (seconds[i] == wanted) {
        return i;
      }
    }
    throw new IOException(
        file + ": no row has the time of a window's limit, " + Instant.ofEpochSecond(wanted));
  }

  private static List<String[]> rows(Path file, boolean header) throws IOException {
    InputStream in = Files.newInputStream(file);
    if (file.toString().endsWith(".gz")) {
      in = new GZIPInputStream(in, 1 << 16);
    }
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      if (header) {
        reader.readLine();
      }
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.isBlank()) {
          rows.add(line.replace("\"", "").split(",", -1));
        }
      }
    }
    return rows;
  }

  /** Seconds since 1970 of a time such as {@code 2015-02-26 21:42:53}, taken as UTC. */
  static long seconds(String time) {
    return LocalDateTime.parse(time.replace('T', ' ').replace("Z", ""), TIME)
        .toEpochSecond(ZoneOffset.UTC);
  }

  private static double number(String text) {
    return text.isBlank() ? Double.NaN : Double.parseDouble(text);
  }
}
