package io.peerlens.outlier.suggest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.support.Capture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Whether machines of real traces that do the same work are put together: the five groups of the
 * Bitbrains traces, and machines beside them that belong to none. The groups were found by how CPU
 * correlates over a month, so this is no independent truth; what is asked here is whether three
 * days of hourly means, with what all have in common taken off, say the same.
 */
class CorrelationCorpusTest {

  private static final Path TRACES = Capture.CORPUS.resolve("bitbrains-rnd");
  private static final int HOURS = 72;

  /** Machine, hour since the first of all, and the sums of two metrics. */
  private record Machine(String group, Map<Integer, double[]> hours) {}

  private static List<Machine> machines() throws IOException {
    List<Machine> machines = new ArrayList<>();
    for (String group : List.of("peer-1", "peer-2", "peer-3", "peer-4", "peer-5", "mixed")) {
      Map<String, Map<Integer, double[]>> byVm = new TreeMap<>();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(Files.newInputStream(TRACES.resolve(group + ".csv.gz"))),
                  StandardCharsets.UTF_8))) {
        lines.readLine();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] of = line.split(",");
          int hour = (int) (Long.parseLong(of[1]) / 3600);
          double[] sums =
              byVm.computeIfAbsent(of[0], vm -> new HashMap<>())
                  .computeIfAbsent(hour, h -> new double[3]);
          sums[0]++;
          sums[1] += Double.parseDouble(of[4]);
          sums[2] += Double.parseDouble(of[9]);
        }
      }
      byVm.forEach(
          (vm, hours) ->
              machines.add(new Machine(group.equals("mixed") ? "alone " + vm : group, hours)));
    }
    return machines;
  }

  private static double[][][] values(List<Machine> machines, int from) {
    double[][][] values = new double[2][HOURS][machines.size()];
    for (int m = 0; m < 2; m++) {
      for (int t = 0; t < HOURS; t++) {
        for (int i = 0; i < machines.size(); i++) {
          double[] sums = machines.get(i).hours().get(from + t);
          values[m][t][i] = sums == null ? Double.NaN : sums[m + 1] / sums[0];
        }
      }
    }
    return values;
  }

  @Test
  void machinesOfOneGroupAreTogetherFarMoreOftenThanChance() {
    if (!Files.exists(TRACES)) {
      System.err.println("SKIPPED: no Bitbrains traces in the corpus");
    }
    assumeTrue(Files.exists(TRACES), "no Bitbrains traces");
    List<Machine> machines;
    try {
      machines = machines();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int first =
        machines.stream()
            .flatMap(one -> one.hours().keySet().stream())
            .mapToInt(Integer::intValue)
            .min()
            .orElseThrow();
    long together = 0;
    long right = 0;
    long same = 0;
    long pairs = 0;
    int clusters = 0;
    int[] days = {1, 6, 11, 16, 21};
    for (int day : days) {
      List<Correlation.Cluster> found = Correlation.clusters(values(machines, first + 24 * day));
      clusters += found.size();
      int[] clusterOf = new int[machines.size()];
      Arrays.fill(clusterOf, -1);
      for (int c = 0; c < found.size(); c++) {
        for (int member : found.get(c).members()) {
          clusterOf[member] = c;
        }
      }
      for (int i = 0; i < machines.size(); i++) {
        for (int j = 0; j < i; j++) {
          boolean peers = machines.get(i).group().equals(machines.get(j).group());
          boolean put = clusterOf[i] >= 0 && clusterOf[i] == clusterOf[j];
          pairs++;
          same += peers ? 1 : 0;
          together += put ? 1 : 0;
          right += peers && put ? 1 : 0;
        }
      }
    }
    double chance = (double) same / pairs;
    double precision = (double) right / Math.max(1, together);
    double recall = (double) right / same;
    System.out.printf(
        "Bitbrains, %d machines, %d times %d hours: %d clusters; of the pairs in one cluster %.0f %% are of one group"
            + " (by chance %.0f %%); of the pairs of one group %.0f %% are in one cluster%n",
        machines.size(), days.length, HOURS, clusters, precision * 100, chance * 100, recall * 100);
    assertThat(precision)
        .as("pairs in one cluster that are of one group")
        .isGreaterThan(3 * chance);
    assertThat(recall).as("pairs of one group that are in one cluster").isGreaterThan(0.1);
  }
}
