package io.peerlens.benchmarks.sizing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reader of the Bitbrains traces: CPU of virtual machines in July 2013, every 5 minutes. */
final class Bitbrains {

  /** Midnight of 1 July 2013 in the Netherlands, where the machines stood. */
  static final long START = 1_372_629_600;

  static final int STEP = 300;
  static final int DAY = 86_400 / STEP;
  static final int DAYS = 30;

  private Bitbrains() {}

  /**
   * Machine.
   *
   * @param mhz used; NaN = no value
   */
  record Vm(String id, int vcpus, double mhzPerVcpu, double[] mhz) {
    double size() {
      return vcpus * mhzPerVcpu;
    }
  }

  /** All machines of a folder, in the order of the files' names and lines. */
  static List<Vm> read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(file -> file.toString().endsWith(".csv.gz")).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException(
          "There is no .csv.gz file in " + folder + ". Name the folder of traces.");
    }
    List<Vm> vms = new ArrayList<>();
    for (Path file : files) {
      vms.addAll(file(file));
    }
    return vms;
  }

  private static List<Vm> file(Path file) throws IOException {
    Map<String, double[]> sums = new LinkedHashMap<>();
    Map<String, int[]> counts = new LinkedHashMap<>();
    Map<String, double[]> sizes = new LinkedHashMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      in.readLine();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] f = line.split(",", -1);
        double cores = number(f[2]);
        double mhz = number(f[3]);
        double percent = number(f[4]);
        long at = (Long.parseLong(f[1]) - START) / STEP;
        // A machine that is off has no cores.
        if (cores > 0 && mhz > 0 && !Double.isNaN(percent) && at >= 0 && at < DAYS * DAY) {
          sums.computeIfAbsent(f[0], vm -> new double[DAYS * DAY])[(int) at] += mhz * percent / 100;
          counts.computeIfAbsent(f[0], vm -> new int[DAYS * DAY])[(int) at]++;
          double[] size = sizes.computeIfAbsent(f[0], vm -> new double[2]);
          size[0] = Math.max(size[0], cores);
          size[1] = Math.max(size[1], mhz);
        }
      }
    }
    List<Vm> vms = new ArrayList<>();
    sums.forEach(
        (id, sum) -> {
          int[] count = counts.getOrDefault(id, new int[0]);
          double[] values = new double[sum.length];
          Arrays.setAll(values, i -> count[i] == 0 ? Double.NaN : sum[i] / count[i]);
          double[] size = sizes.getOrDefault(id, new double[2]);
          vms.add(new Vm(id, (int) size[0], size[1] / size[0], values));
        });
    return vms;
  }

  private static double number(String text) {
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
  }
}
